// Everything a command touches outside the daemon, so that a test can stand in for the terminal and the process.
import { Failure } from './failure.ts';

export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where the bundles lie that belong to this `sm`. */
  readonly programDir: string;
  readonly inputIsTerminal: boolean;
  readonly outputIsTerminal: boolean;
  /** The width of the terminal; undefined where nothing needs to be cut. */
  readonly columns: number | undefined;
  now(): number;
  out(text: string): void;
  err(text: string): void;
  /** All of standard input; of a longer one than `most` bytes at least one byte more. */
  readInput(most: number): Promise<Buffer>;
  /** One line from the person at the terminal; empty when they sent none. */
  ask(question: string): Promise<string>;
  /** A line at the bottom of the terminal to type in, while other text is shown above it. */
  talk(prompt: string): Promise<Talk>;
  /** Hands the terminal to another program until it ends; answers its exit code. */
  runProgram(program: string, args: readonly string[], env?: Io['env']): Promise<number>;
  /** What another program prints; null when it fails. */
  outputOf(program: string, args: readonly string[]): Promise<string | null>;
}

export interface Talk {
  /** What is typed, line by line, until Ctrl-D; null for a Ctrl-C. */
  readonly lines: AsyncIterable<string | null>;
  show(text: string): void;
  close(): void;
}

export function printLines(io: Io, lines: readonly string[]): void {
  if (lines.length > 0) io.out(`${lines.join('\n')}\n`);
}

/** The id that the agent around us was given, if there is one. */
export function ownSessionId(io: Io): string | undefined {
  return io.env.CLAUDE_SESSION_MANAGER_ID || undefined;
}

/** What an agent that is started from here gets. */
export function environment({ env }: Io): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}

export function requireSelf(io: Io, otherwise: string): string {
  const id = ownSessionId(io);
  if (id === undefined) {
    throw new Failure(`Not inside a session (CLAUDE_SESSION_MANAGER_ID is not set). ${otherwise}`, 2);
  }
  return id;
}
