// A profile: a named bundle of options, as the configuration has it.
import type { Amount } from '../domain/core/budget.ts';

export interface Profile {
  /** The kind of agent; null: any. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly permission_mode: string | null;
  readonly add_dirs: readonly string[];
  readonly mcp_configs: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The directory of the agent's account. */
  readonly account: string | null;
  /** Whether each of its agents is started in a sandbox. */
  readonly sandbox: boolean;
  /** Whether each session gets a git worktree. */
  readonly worktree: boolean;
  /** On each of its sessions. */
  readonly tags: readonly string[];
  /** What each of them may use up, and with all of its descendants. */
  readonly budget: Amount | null;
  readonly family_budget: Amount | null;
}
