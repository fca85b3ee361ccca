// One call of a tool that an agent is about to make, in words that no provider owns.

export interface Call {
  /** The agent's own name of the tool. */
  readonly tool: string;
  readonly does: Deed;
  /** What relative patterns start from: the session's directory, as it is called and as it really is. */
  readonly from: Place;
  /** The user's home directory, for patterns that begin with `~/`. */
  readonly home: string;
}

export type Deed =
  | { readonly is: 'command'; readonly command: string }
  /** Every file that it changes, or reads. */
  | { readonly is: 'edit' | 'read'; readonly files: readonly Place[] }
  | { readonly is: 'fetch'; readonly url: string }
  /** Anything else: all texts in its input. */
  | { readonly is: 'other'; readonly texts: readonly string[] };

export interface Place {
  /** Absolute, without `.` and `..`. */
  readonly path: string;
  /** The same with all symbolic links followed; null: nobody can tell. */
  readonly real: string | null;
  /** It belongs to sm: an agent that could change it could write its own rules. */
  readonly ours?: true;
}

/** A call as the agent tells it: paths are as they were written, from the directory that the agent is in. */
export interface ToldCall {
  readonly tool: string;
  readonly does:
    | Exclude<Deed, { readonly is: 'edit' | 'read' }>
    | { readonly is: 'edit' | 'read'; readonly paths: readonly string[] };
  readonly cwd: string | null;
}

/** What patterns call such a tool, whatever the agent calls it. */
export const commonNames = { command: 'Bash', edit: 'Edit', read: 'Read', fetch: 'WebFetch' } as const;

/** What the tools do that agents bring along. */
const kinds: Readonly<Record<string, Deed['is']>> = {
  Bash: 'command',
  ...fromEach(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'apply_patch'], 'edit'),
  ...fromEach(['Read', 'NotebookRead', 'LS', 'Grep'], 'read'),
  WebFetch: 'fetch',
};

function fromEach(tools: readonly string[], is: Deed['is']): Record<string, Deed['is']> {
  return Object.fromEntries(tools.map((tool) => [tool, is]));
}

/** The tools that do this, by the names that agents have for them. */
export const toolsThat = (is: Deed['is']): readonly string[] =>
  Object.keys(kinds).filter((tool) => kinds[tool] === is);

/** A call as a human tells it: the tool, and the one thing that it is about. */
export function callOf(tool: string, input: string): ToldCall {
  const is = (Object.hasOwn(kinds, tool) && kinds[tool]) || 'other';
  switch (is) {
    case 'command':
      return { tool, does: { is, command: input }, cwd: null };
    case 'fetch':
      return { tool, does: { is, url: input }, cwd: null };
    case 'other':
      return { tool, does: { is, texts: [input] }, cwd: null };
    default:
      return { tool, does: { is, paths: input === '' ? [] : [input] }, cwd: null };
  }
}

/** The names that a pattern may mean this tool by. */
export function namesOf({ tool, does }: Pick<Call, 'tool' | 'does'>): readonly string[] {
  return does.is === 'other' ? [tool] : [...new Set([tool, commonNames[does.is]])];
}

/** What the call is about, on one line. */
export function aboutCall({ does }: Pick<Call, 'does'>): string {
  switch (does.is) {
    case 'command':
      return does.command;
    case 'fetch':
      return does.url;
    case 'other':
      return does.texts.join(' ');
    default:
      return does.files.map(({ path }) => path).join(' ');
  }
}
