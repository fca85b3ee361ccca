import type { TraceAnswer } from '../answers.ts';
import { messagePath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { safeJson } from '../format/text.ts';
import { printLines } from '../io.ts';
import { messageLife } from '../message-life.ts';
import { nameOf } from '../session-name.ts';

export default defineCommand({
  usage: 'MESSAGE [--json]',
  about:
    'Shows the life of a message: what happened, when, and the evidence.\n' + '--json adds the whole text.',
  options: { json: jsonOption },
  arity: [1, 1],
  async run({ args: [id = ''], options, io, client }) {
    const trace = await client.get<TraceAnswer>(messagePath(id));
    if (options.json) return io.out(safeJson(trace));
    printLines(io, messageLife(io, trace, await nameOf(client, trace.message.session_id)));
  },
});
