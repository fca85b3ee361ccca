import { numberWithin } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { query, sessionPath } from '../daemon/client.ts';
import { findSession } from '../find-session.ts';
import { oneLine, safeJson, safeText } from '../text/safe.ts';

interface OutputAnswer {
  readonly session_id: string;
  readonly output: string;
  /** How it ended, if it has. */
  readonly ended?: string | null;
}

export default defineCommand({
  usage: 'SESSION [--lines N] [--json]',
  about: 'Prints what the terminal of a session shows; of an ended session, what it showed last.',
  options: { lines: { value: 'N', short: 'n', help: 'number of lines (default 50)' }, json: jsonOption },
  arity: [1, 1],
  async run({ args: [ref = ''], options, io, client }) {
    const lines = numberWithin('--lines', options.lines, [1, 20_000]) ?? 50;
    const { id } = await findSession(io, client, ref);
    const path = sessionPath(id, `/output${query({ lines })}`);
    const answer = await client.get<OutputAnswer>(path);
    if (options.json) return io.out(safeJson(answer));
    const text = safeText(answer.output).trimEnd();
    if (answer.ended) {
      const what = text === '' ? 'No output is left.' : 'Its last output:';
      io.err(`The session has ended: ${oneLine(answer.ended)}. ${what}\n`);
    } else if (text === '') io.out('The terminal is empty.\n');
    if (text !== '') io.out(`${text}\n`);
  },
});
