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
