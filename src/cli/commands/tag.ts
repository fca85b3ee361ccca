import type { SessionView } from '../../protocol/session.ts';
import { chosen } from '../choose-sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { findSession, presentSession } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { type Io, ownSessionId, requireSelf } from '../io.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: '[SESSION] [+TAG…] [-TAG…] [--json]',
  about:
    'Adds tags to a session (default: yourself) and removes some; without any, prints them. A session may also tag its\n' +
    'children; a person any session.',
  options: { json: jsonOption },
  arity: [0, Number.POSITIVE_INFINITY],
  takesDashes: true,
  async run({ args, options, io, client }) {
    const isChange = (arg: string) => /^[+-]/.test(arg);
    const [ref = requireSelf(io, 'Name the session: sm tag SESSION +TAG'), ...more] = args.filter(
      (arg) => !isChange(arg),
    );
    if (more[0] !== undefined)
      throw new Failure(`Write +${oneLine(more[0])} to add that tag, or -${oneLine(more[0])} to remove it.`);
    const changes = args.filter(isChange);
    const sessions: { session_id: string; tags: readonly string[] }[] = [];
    const exitCode = await forEach(await chosen({ io, client }, [ref]), io, async (each) => {
      const session =
        changes.length === 0 ? await findSession(io, client, each) : await change(io, client, each, changes);
      const { id, tags } = session;
      sessions.push({ session_id: id, tags });
      if (!options.json) io.out(`Tags of ${nameAndId(session)}: ${oneLine(tags.join(' ')) || '(none)'}\n`);
    });
    if (options.json) io.out(safeJson({ sessions }));
    return exitCode;
  },
});

async function change(io: Io, client: Client, ref: string, changes: readonly string[]): Promise<SessionView> {
  const { id } = await presentSession(client, ref);
  const signed = (sign: string) => changes.filter((each) => each[0] === sign).map((each) => each.slice(1));
  return client.ask('POST /sessions/{ref}/tags', {
    ref: id,
    body: {
      add: signed('+'),
      remove: signed('-'),
      requester_session_id: ownSessionId(io),
    },
  });
}
