// A set-up script runs with the rights of the person, so the person sees it before it ever does.
import type { SetupAnswer } from '../../protocol/worktree.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { type Io, ownSessionId } from '../io.ts';
import { safeText } from '../text/safe.ts';

interface Wanted {
  readonly path: string;
  readonly branch?: string | undefined;
  readonly base?: string | undefined;
}

/** Before a worktree is made: a person at the terminal is asked now; everybody else hears from the daemon what to do. */
export async function askForSetup(io: Io, client: Client, wanted: Wanted): Promise<void> {
  if (!io.inputIsTerminal || !io.outputIsTerminal || ownSessionId(io) !== undefined) return;
  const script = await unallowed(client, wanted);
  if (script === null) return;
  await allow(io, client, script, false);
}

export async function allowSetup(io: Io, client: Client, wanted: Wanted, yes: boolean): Promise<void> {
  const script = await unallowed(client, wanted);
  if (script === null) {
    io.out(
      'Nothing to allow: there is no .sm/worktree-setup in the last commit, or it is allowed already.\n',
    );
    return;
  }
  await allow(io, client, script, yes);
}

async function unallowed(client: Client, query: Wanted): Promise<Script | null> {
  return (await client.ask('GET /worktrees/setup', { query })).unallowed;
}

type Script = NonNullable<SetupAnswer['unallowed']>;

async function allow(io: Io, client: Client, { hash, text }: Script, yes: boolean): Promise<void> {
  io.out(`.sm/worktree-setup runs in each new worktree of this repository, with your rights:\n\n`);
  const lines = safeText(text).trimEnd().split('\n');
  io.out(`${lines.map((line) => `  ${line}`).join('\n')}\n\n`);
  if (!yes && !io.inputIsTerminal)
    throw new Failure(
      'Not allowed: there is no terminal to ask you in. If you have read it: sm worktrees allow --yes',
    );
  if (!yes && !/^y(es)?$/i.test((await io.ask('Allow it, as long as it stays as it is? [y/N] ')).trim()))
    throw new Failure('Not allowed, so nothing was started. To start without it: --no-setup');
  await client.ask('POST /worktrees/allow', { body: { hash, requester_session_id: ownSessionId(io) } });
  io.out('Allowed.\n');
}
