import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SessionView } from '../../protocol/session.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { ownSessionId, printLines } from '../io.ts';
import { directory } from '../text/directory.ts';
import { lockSection } from '../text/overview.ts';
import { safeJson } from '../text/safe.ts';
import { isLive } from '../text/session.ts';
import { sessionTable } from '../text/session-table.ts';

export default defineCommand({
  usage: '[--json]',
  about: 'Lists the other running sessions in your directory or git repository, and who has locked what.',
  options: { json: jsonOption },
  async run({ options, io, client }) {
    const { sessions } = await client.ask('GET /sessions');
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

/** The path of the git directory that all worktrees of a repository share; outside of any, the directory itself. */
export function repositoryOf(directory: string): string {
  const start = realPath(directory);
  for (let folder = start; ; folder = dirname(folder)) {
    const git = gitDirectoryIn(folder);
    if (git !== undefined) return git;
    if (folder === dirname(folder)) return start;
  }
}

function gitDirectoryIn(folder: string): string | undefined {
  const path = join(folder, '.git');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return stat && path;
  // A worktree: `gitdir: REPOSITORY/.git/worktrees/NAME`.
  const target = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return target === undefined ? path : realPath(resolve(folder, target).replace(/\/worktrees\/[^/]+$/, ''));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // a directory that has gone is still where somebody works
  }
}
