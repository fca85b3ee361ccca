import type { SessionView } from '../../protocol/session.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { safeJson } from '../format/text.ts';
import { ownSessionId, printLines } from '../io.ts';
import { lockSection } from '../overview.ts';
import { repositoryOf } from '../repository.ts';
import { sessionTable } from '../session-table.ts';
import { directory, isLive } from '../session-text.ts';

export default defineCommand({
  usage: '[--json]',
  about: 'Lists the other running sessions in your directory or git repository, and who has locked what.',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io, client }) {
    const { sessions } = await client.get<{ sessions: SessionView[] }>('/sessions');
    const self = ownSessionId(io);
    const me = sessions.find(({ id }) => id === self);
    const here = me?.working_dir ?? io.cwd;
    const repository = repositoryOf(here);
    const isNear = (session: SessionView) =>
      (me?.git_remote_url && session.git_remote_url === me.git_remote_url) ||
      repositoryOf(session.working_dir) === repository;
    const others = sessions.filter((session) => session.id !== self && isLive(session) && isNear(session));
    if (options.json) return io.out(safeJson({ working_dir: here, sessions: others }));
    if (others.length === 0)
      return io.out(`Nobody else works in ${directory(here)}. See all sessions with: sm all\n`);
    const locks = lockSection(io, me ? [me, ...others] : others);
    printLines(io, [...sessionTable(io, others), ...(locks.length > 0 ? ['', ...locks] : [])]);
  },
});
