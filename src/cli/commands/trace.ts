import { defineCommand, jsonOption } from '../command.ts';
import { nameOf } from '../find-session.ts';
import { printLines } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { messageLife } from '../text/trace.ts';

export default defineCommand({
  usage: 'MESSAGE [--json]',
  about:
    'Shows the life of a message: what happened, when, and the evidence.\n' + '--json adds the whole text.',
  options: { json: jsonOption },
  async run({ args: [id = ''], options, io, client }) {
    const trace = await client.ask('GET /messages/{id}', { id });
    if (options.json) return io.out(safeJson(trace));
    printLines(io, messageLife(io, trace, await nameOf(client, trace.message.session_id)));
  },
});
