import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { startOne } from '../text/hints.ts';
import { safeJson } from '../text/safe.ts';
import { sessionTable } from '../text/session.ts';

export default defineCommand({
  usage: '[--retired] [--json]',
  options: { retired: { help: 'include killed sessions' }, json: jsonOption },
  arity: [0, 0],
  async run({ options, io, client }) {
    const answer = await client.ask('GET /sessions', { query: { retired: options.retired } });
    if (options.json) return io.out(safeJson(answer));
    if (answer.sessions.length === 0) return io.out(`No sessions. ${startOne}\n`);
    printLines(io, sessionTable(io, answer.sessions));
  },
});
