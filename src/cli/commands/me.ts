import type { SessionView } from '../../protocol/session.ts';
import { sessionPath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { safeJson } from '../format/text.ts';
import { printLines } from '../io.ts';
import { requireSelf } from '../self.ts';
import { sessionDetails } from '../session-details.ts';

export default defineCommand({
  usage: '[--json]',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io, client }) {
    const session = await client.get<SessionView>(
      sessionPath(requireSelf(io, 'See all sessions with: sm all')),
    );
    if (options.json) return io.out(safeJson(session));
    printLines(io, sessionDetails(io, session));
  },
});
