// Removes a worktree after it was shown what that means, and brings one back.
import type { EventView } from '../../protocol/event.ts';
import type { Client } from '../daemon/client.ts';
import { followEvents } from '../events.ts';
import { Failure } from '../failure.ts';
import { findSession } from '../find-session.ts';
import { type Io, ownSessionId } from '../io.ts';
import { directory } from '../text/directory.ts';
import { oneLine } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { sizeText } from '../text/worktree.ts';

export async function removeWorktree(io: Io, client: Client, ref: string, yes: boolean): Promise<void> {
  const session = await findSession(io, client, ref);
  const { id } = session;
  if (!session.ended)
    throw new Failure(
      `${nameAndId(session)} works in it. End it first: sm kill ${id}; sm worktrees remove ${id}`,
    );
  const plan = await client.ask('GET /sessions/{ref}/worktree/removal', { ref: session.id });
  if (plan.why !== null) throw new Failure(stays(plan.path, plan.why));
  io.out(`The worktree of ${nameAndId(session)}, ${directory(plan.path)}, will be removed.\n`);
  const { count, bytes } = plan.kept;
  if (count > 0)
    io.out(
      `Kept for sm worktrees restore: ${count} untracked or ignored ${count === 1 ? 'file' : 'files'}, ${sizeText(bytes)}.\n`,
    );
  for (const { path, bytes: size } of plan.given_up)
    io.out(`Deleted for good, ignored by git: ${oneLine(path)} (${sizeText(size)}).\n`);
  if (!yes) await agree(io, 'Remove it?', 'sm worktrees remove SESSION --yes');
  const { after } = await client.ask('POST /sessions/{ref}/worktree/remove', {
    ref: session.id,
    body: {
      give_up: plan.given_up.map(({ path }) => path),
      requester_session_id: ownSessionId(io),
    },
  });
  const end = await outcome(client, session.id, after, ['removed', 'kept']);
  if (end.step === 'kept') throw new Failure(stays(plan.path, String(end.why)));
  io.out(`Removed. Bring it back with: sm worktrees restore ${session.id}\n`);
}

export async function restoreWorktree(io: Io, client: Client, ref: string): Promise<void> {
  const session = await findSession(io, client, ref);
  const { after } = await client.ask('POST /sessions/{ref}/worktree/restore', {
    ref: session.id,
    body: {
      requester_session_id: ownSessionId(io),
    },
  });
  const end = await outcome(client, session.id, after, ['restored', 'not-restored']);
  if (end.step === 'not-restored')
    throw new Failure(`The worktree was not brought back: ${oneLine(String(end.why))}`);
  io.out(`Brought back ${directory(String(end.path))}, on branch ${oneLine(String(end.branch))}.\n`);
  io.out(`Restore its session with: sm restore ${session.id}\n`);
}

const stays = (path: string, why: string): string =>
  `The worktree ${directory(path)} stays: ${oneLine(why)}. Commit what is changed (or git stash it), merge it with sm finish or push it, end who uses it, and try again.`;

/** Asks a person; everybody else needs the flag. */
export async function agree(io: Io, question: string, flag: string): Promise<void> {
  if (!io.inputIsTerminal)
    throw new Failure(`Nothing was done: there is no terminal to ask you in. If you are sure: ${flag}`);
  if (!/^y(es)?$/i.test((await io.ask(`${question} [y/N] `)).trim())) throw new Failure('Nothing was done.');
}

export async function outcome(
  client: Client,
  id: string,
  after: number,
  steps: readonly string[],
): Promise<EventView> {
  for await (const event of followEvents(client, id, after))
    if (event.type === 'worktree' && steps.includes(String(event.step))) return event;
  throw new Failure('The daemon has stopped. It goes on with this at its next start: sm up');
}
