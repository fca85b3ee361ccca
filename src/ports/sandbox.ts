// The sandbox port: an agent that sees nothing of its user's files but what it works on.
import type { Sandbox } from '../domain/core/options.ts';
import type { Session } from '../domain/core/session.ts';
import type { Worktree } from '../domain/core/worktree.ts';
import type { LaunchPlan, Provider } from './provider.ts';

export interface Sandboxes {
  /** Why no agent can be started in one here, and what to do; null: it can. */
  fault(): Promise<string | null>;
  /** What an agent has that is to work there. It may not have run there yet: what it finds is believed. */
  around(place: Place): Promise<Sandbox | { readonly fault: string }>;
  /** For one start of the session's agent. */
  enter(session: Session, sandbox: Sandbox, provider: Provider): Entrance;
}

export interface Place {
  readonly workingDir: string;
  readonly addDirs: readonly string[];
  /** The one that is still to be made; it will be the working directory. */
  readonly worktree: Worktree | null;
}

export interface Entrance {
  /** The command line by which that of an agent is run inside. */
  readonly confine: (argv: readonly string[]) => string[];
  /** Everything is known now. What is started outside has nothing of the environment that the agent is to have. */
  seal(plan: LaunchPlan, program: string): Promise<{ readonly env: Readonly<Record<string, string>> }>;
  /** The version is asked for outside: null where the program may be of the agent's own making. */
  versionEnv(program: string): Readonly<Record<string, string>> | null;
}
