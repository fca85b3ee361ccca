import type { SessionView } from '../../protocol/session.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { sessionPath } from '../daemon/client.ts';
import { printLines, requireSelf } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { sessionDetails } from '../text/session.ts';

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
