import { defineCommand, jsonOption } from '../command.ts';
import { printLines, requireSelf } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { sessionDetails } from '../text/session-details.ts';

export default defineCommand({
  usage: '[--json]',
  options: { json: jsonOption },
  async run({ options, io, client }) {
    const session = await client.ask('GET /sessions/{ref}', {
      ref: requireSelf(io, 'See all sessions with: sm all'),
    });
    if (options.json) return io.out(safeJson(session));
    printLines(io, sessionDetails(io, session));
  },
});
