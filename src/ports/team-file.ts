// A team as its file has it, checked and with whole paths.

export interface TeamFile {
  readonly team: string;
  /** The manager first, if there is one. */
  readonly members: readonly TeamMember[];
}

export interface TeamMember {
  readonly name: string;
  readonly isManager: boolean;
  /** Where it stands in the file. */
  readonly line: number;
  readonly directory: string;
  readonly agent: string | null;
  readonly model: string | null;
  readonly profile: string | null;
  readonly permissionMode: string | null;
  readonly addDirs: readonly string[];
  readonly mcpConfigs: readonly string[];
  readonly args: readonly string[];
  readonly sandbox: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** False: it works in the directory itself; null: as its profile says. */
  readonly worktree: { readonly branch: string | null; readonly base: string | null } | false | null;
  /** The template of its first prompt, and what fills it. */
  readonly role: string | null;
  readonly keys: Readonly<Record<string, string>>;
  /** After what its role says. */
  readonly prompt: string | null;
  readonly tags: readonly string[];
}
