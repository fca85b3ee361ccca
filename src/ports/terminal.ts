// The terminal port: panes that agents live in. One pane per session, named by the session's id.
// Everything that writes into a pane is one command list inside the terminal server, conditional on what
// was seen before, so that no key of a human fits between our look and our typing.

export interface Terminal {
  /** Starts the program in a new pane. A pane of that name that already exists is returned as it is. */
  launch(spec: LaunchSpec): Promise<Pane>;
  /** Ends the pane and its processes. A pane that is not there is fine. */
  kill(name: string): Promise<void>;
  /** What the pane shows now, or null when there is no such pane. */
  look(name: string): Promise<Screen | null>;
  /** Types into the pane, if the cursor still stands where it was seen. */
  type(name: string, typing: Typing): Promise<TypeOutcome>;
  /** Types what a person types who is not attached to the pane. It counts as his activity there. */
  typeAsHuman(name: string, steps: readonly HumanStep[]): Promise<TypeOutcome>;
  /** Gives the pane this size, and tells the one that it has then: who is attached to it decides. Null: it is not there. */
  resize(name: string, size: PaneSize): Promise<PaneSize | null>;
  /** Calls `changed` soon after the pane has drawn something, and when it is gone; until what it answers is called. */
  watch(name: string, changed: () => void): () => void;
  /** What whoever is attached reads in the line below the pane. Says nothing where no server runs. */
  showStatus(status: StatusLine): Promise<void>;
  /** Leaves copy mode, if the pane is in it. */
  leaveCopyMode(name: string): Promise<void>;
  /** The last `lines` lines of the pane, history included, without escape sequences; null when there is no such pane. */
  capture(name: string, lines: number): Promise<string | null>;
  /** All panes of ours, in one call; null when the terminal server is not running. */
  panes(): Promise<Pane[] | null>;
  /** Names the terminal server that runs now: another one has another name. Null: none runs. */
  server(): Promise<string | null>;
  /** Called when something about panes changed (one died, the server died): time to ask `panes()`. */
  onChange(listener: () => void): () => void;
  /** Lets go of the terminal server; panes and agents live on. */
  close(): Promise<void>;
}

export interface StatusLine {
  /** `4● 1◐ 2○` */
  readonly counts: string;
  /** The pane of the session that waits for a human longest; null: nobody does. */
  readonly next: string | null;
  /** What the sessions are called, by their panes, as far as it is new. */
  readonly titles: ReadonlyMap<string, string>;
}

/** What a session's pane is called. */
export const paneName = (sessionId: string): string => `sm-${sessionId}`;

export interface LaunchSpec {
  name: string;
  argv: readonly string[];
  /** The whole environment of the process; nothing else is inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  size?: PaneSize;
}

export interface PaneSize {
  readonly columns: number;
  readonly rows: number;
}

export interface Pane {
  name: string;
  /**
   * The agent's own process (not a wrapper around it) and its start time from the system: together they name one
   * process for ever. The start time is null in the moment before the agent runs: then the pid proves nothing yet.
   */
  pid: number;
  startedAt: string | null;
  dead: boolean;
  /** Known only for a dead pane, and not always then. As a shell tells it: 128 + n when signal n ended it. */
  exitCode: number | null;
  exitSignal: number | null;
}

export interface Screen {
  /** The visible lines, plain text, trailing blanks kept, one entry per row. */
  lines: readonly string[];
  /** The same rows with escape sequences (colours, reverse video), each of them readable alone. */
  styled: readonly string[];
  cursor: { x: number; y: number };
  columns: number;
  rows: number;
  /** A human scrolls: keys would go to the copy mode, not to the program. */
  copyMode: boolean;
  dead: boolean;
  title: string;
  /** Wall-clock time in ms of the last key of a human, up to 1 s too late; null when none is there. */
  humanActiveAt: number | null;
}

export type Key = 'Enter' | 'Escape' | 'C-s' | 'C-u' | 'C-c' | 'Up' | 'Down' | 'Tab' | 'Space' | 'BSpace';

export interface Typing {
  /**
   * Nothing is typed unless the cursor stands exactly here; `always` leaves that out. A pane that is dead or in
   * copy mode is never typed into: the keys would not reach the program.
   */
  onlyIf: { cursor: { x: number; y: number } } | 'always';
  /**
   * In this order, as one command list. A `paste` is bracketed when the program asked for it. It is text: control
   * characters other than tab, LF and CR arrive as their pictures (ESC as ␛), so that it cannot end the bracket.
   */
  steps: readonly ({ key: Key } | { paste: string })[];
}

/** `text`: letter by letter, as it stands. `key`: by the name that tmux has for it. */
export type HumanStep = { readonly text: string } | { readonly key: string } | { readonly paste: string };

/** `changed`: the condition no longer held and nothing was typed. `gone`: there is no such pane. */
export type TypeOutcome = 'typed' | 'changed' | 'gone';
