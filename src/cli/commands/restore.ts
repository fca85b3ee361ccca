import type { SessionView } from '../../protocol/session.ts';
import { chosen, isSeveral } from '../chosen.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { forEach } from '../each.ts';
import { newestEvent } from '../events.ts';
import { tellWhich } from '../find-session.ts';
import { environment, ownSessionId } from '../io.ts';
import { givenVariables } from '../session-options.ts';
import { untilStarted } from '../started.ts';
import { safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION… [--env K=V] [--json]',
  about:
    'Starts an exited, lost or killed session again and continues its conversation. A person may restore any session; a\n' +
    'session only its children. It is started with the options that it had.',
  options: {
    env: { value: 'K=V', many: true, help: 'another value for one of its variables (can be given again)' },
    json: jsonOption,
  },
  arity: [1, Number.POSITIVE_INFINITY],
  async run({ args, options, io, client }) {
    const sessions: SessionView[] = [];
    const exitCode = await forEach(await chosen({ io, client }, args), io, async (ref) => {
      const found = await client.ask('GET /sessions/{ref}', { ref });
      // Of one that lives, the daemon says why not, and which one may be meant.
      if (found.ended) tellWhich(io, ref, found);
      const meant = found.ended ? found.id : ref;
      const after = await newestEvent(client, found.id);
      const session = await client.ask('POST /sessions/{ref}/restore', {
        ref: meant,
        body: {
          env: environment(io),
          ...(options.env.length > 0 && { variables: givenVariables(io, options.env) }),
          requester_session_id: ownSessionId(io),
        },
      });
      const { id } = session;
      const more = await untilStarted(io, client, { id, called: nameAndId(session), after });
      sessions.push(session);
      if (options.json) return;
      io.out(`Restored ${nameAndId(session)}\n${more || `Attach with: sm attach ${id}\n`}`);
    });
    if (options.json && (isSeveral(args) || sessions[0]))
      io.out(safeJson(isSeveral(args) ? { sessions } : sessions[0]));
    return exitCode;
  },
});
