// What a session's agent is started with, beyond its model. Kept with the session, so that every start is the same.

export interface Options {
  /** The profile that they come from, except for what was asked for besides. */
  readonly profile: string | null;
  readonly permissionMode: string | null;
  readonly addDirs: readonly string[];
  readonly mcpConfigs: readonly string[];
  /** Handed to the agent as they are. */
  readonly args: readonly string[];
  readonly variables: OwnVariables | null;
  /** Null: its agent sees what its user sees. */
  readonly sandbox: Sandbox | null;
}

/**
 * What an agent in a sandbox has of the user's files. Found out once, before it first ran, and never again: what it has
 * written since then must not open more to it.
 */
export interface Sandbox {
  /** The directories that it may write in, none of them in another. */
  readonly roots: readonly string[];
  /** The git directory that all worktrees of its repository share; null: it worked in none when it began. */
  readonly repository: string | null;
}

/** The names of a session's own variables. Their values may be secrets: they are in a private file, never here. */
export interface OwnVariables {
  readonly names: readonly string[];
  readonly file: string;
}

export const noOptions: Options = {
  profile: null,
  permissionMode: null,
  addDirs: [],
  mcpConfigs: [],
  args: [],
  variables: null,
  sandbox: null,
};
