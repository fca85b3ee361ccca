import { wholeNumber } from '../arguments.ts';
import { query, sessionPath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { safeJson, safeText } from '../format/text.ts';

export default defineCommand({
  usage: 'SESSION [--lines N] [--json]',
  options: { lines: { value: 'N', short: 'n', help: 'how many of the last lines (50)' }, json: jsonOption },
  arity: [1, 1],
  async run({ args: [ref = ''], options, io, client }) {
    const lines = wholeNumber('--lines', options.lines, 50);
    const path = sessionPath(ref, `/output${query({ lines })}`);
    const answer = await client.get<{ session_id: string; output: string }>(path);
    if (options.json) return io.out(safeJson(answer));
    const text = safeText(answer.output).trimEnd();
    io.out(text === '' ? 'Its terminal is empty.\n' : `${text}\n`);
  },
});
