import type { FoundSession, SessionView } from '../../protocol/session.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { sessionPath } from '../daemon/client.ts';
import { newestEvent } from '../events.ts';
import { tellWhich } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { givenVariables } from '../session-options.ts';
import { untilStarted } from '../started.ts';
import { safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION [--env K=V] [--json]',
  about:
    'Starts an exited, lost or killed session again and continues its conversation. A person may restore any session; a\n' +
    'session only its children. It is started with the options that it had.',
  options: {
    env: { value: 'K=V', many: true, help: 'another value for one of its variables (can be given again)' },
    json: jsonOption,
  },
  arity: [1, 1],
  async run({ args: [ref = ''], options, io, client }) {
    const found = await client.get<FoundSession>(sessionPath(ref));
    // Of one that lives, the daemon says why not, and which one may be meant.
    if (found.ended) tellWhich(io, ref, found);
    const meant = found.ended ? found.id : ref;
    const after = await newestEvent(client, found.id);
    const session = await client.send<SessionView>('POST', sessionPath(meant, '/restore'), {
      env: io.env,
      ...(options.env.length > 0 && { variables: givenVariables(io, options.env) }),
      requester_session_id: ownSessionId(io),
    });
    const { id } = session;
    const more = await untilStarted(io, client, { id, called: nameAndId(session), after });
    if (options.json) return io.out(safeJson(session));
    io.out(`Restored ${nameAndId(session)}\n${more || `Attach with: sm attach ${id}\n`}`);
  },
});
