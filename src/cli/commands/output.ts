import { numberWithin } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { findSession } from '../find-session.ts';
import { oneLine, safeJson, safeText } from '../text/safe.ts';

export default defineCommand({
  usage: 'SESSION [--lines N] [--json]',
  about: 'Prints what the terminal of a session shows; of an ended session, what it showed last.',
  options: { lines: { value: 'N', short: 'n', help: 'number of lines (default 50)' }, json: jsonOption },
  async run({ args: [ref = ''], options, io, client }) {
    const lines = numberWithin('--lines', options.lines, [1, 20_000]) ?? 50;
    const { id } = await findSession(io, client, ref);
    const answer = await client.ask('GET /sessions/{ref}/output', { ref: id, query: { lines } });
    if (options.json) return io.out(safeJson(answer));
    const text = safeText(answer.output).trimEnd();
    if (answer.ended) {
      const what = text === '' ? 'No output is left.' : 'Its last output:';
      io.err(`The session has ended: ${oneLine(answer.ended)}. ${what}\n`);
    } else if (text === '') io.out('The terminal is empty.\n');
    if (text !== '') io.out(`${text}\n`);
  },
});
