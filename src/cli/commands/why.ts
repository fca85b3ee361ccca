import { defineCommand, jsonOption } from '../command.ts';
import { findSession } from '../find-session.ts';
import { printLines } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { whyLines } from '../text/why.ts';

export default defineCommand({
  usage: 'SESSION [--json]',
  about: 'Says why a session is in its phase: what happened, when, the evidence of it, and what is in doubt.',
  options: { json: jsonOption },
  async run({ args: [ref = ''], options, io, client }) {
    const { id } = await findSession(io, client, ref);
    const why = await client.ask('GET /sessions/{ref}/why', { ref: id });
    if (options.json) return io.out(safeJson(why));
    printLines(io, whyLines(io, why));
  },
});
