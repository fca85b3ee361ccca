import type { SessionView } from '../../protocol/session.ts';
import { chosen, isSeveral } from '../choose-sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { newestEvent } from '../events.ts';
import { Failure } from '../failure.ts';
import { tellWhich } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { environment, ownSessionId } from '../io.ts';
import { restoreAll } from '../restore/all.ts';
import { givenVariables } from '../session-options.ts';
import { safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { untilStarted } from '../wait-for-start.ts';

export default defineCommand({
  usage: 'SESSION… [--env K=V] [--json] | --all [SESSION…] [--dry-run] [--json]',
  about:
    'Starts an exited, lost or killed session again and continues its conversation. A person may restore any session; a\n' +
    'session only its children. It is started with the options that it had.\n' +
    '--all brings back every session that was running when the machine or the tmux server ended, parents first; with\n' +
    'SESSION, only that one and those below it. Sessions that were killed, or ended by themselves, stay as they are.',
  options: {
    all: { help: 'all that ended with the machine or the tmux server' },
    'dry-run': { help: 'with --all: only list them' },
    env: { value: 'K=V', many: true, help: 'another value for one of its variables (can be given again)' },
    json: jsonOption,
  },
  async run({ args, options, io, client }) {
    if (options.all) {
      if (options.env.length > 0)
        throw new Failure(
          '--env is for one session: sm restore SESSION --env K=V, and then sm restore --all',
        );
      return restoreAll(io, client, { refs: args, dryRun: options['dry-run'], json: options.json });
    }
    if (options['dry-run']) throw new Failure('--dry-run goes with --all: sm restore --all --dry-run');
    if (args.length === 0)
      throw new Failure('Missing argument SESSION. Usage: sm restore SESSION, or sm restore --all');
    const sessions: SessionView[] = [];
    const exitCode = await forEach(await chosen({ io, client }, args), io, async (ref) => {
      const found = await client.ask('GET /sessions/{ref}', { ref });
      // If it is alive, the daemon refuses and names the one that may be meant.
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
