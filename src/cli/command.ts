// What a command is: how it is called, and what it does.
import type { Client } from './daemon/client.ts';
import type { Io } from './io.ts';

export interface OptionSpec {
  readonly help: string;
  /** The name of its value; without one the option is a switch. */
  readonly value?: string;
  /** The value may be left out: a number of seconds, or else a word without spaces. */
  readonly optional?: true;
  /** It can be given again and again. */
  readonly many?: true;
  readonly word?: true;
  /** A one-letter form. */
  readonly short?: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** What was given on the command line, as far as the specifications promise it. */
export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends { readonly optional: true }
    ? string | true | undefined
    : Specs[Name] extends { readonly many: true }
      ? readonly string[]
      : Specs[Name] extends { readonly value: string }
        ? string | undefined
        : boolean;
};

export type AnyOptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** A line of the table of commands. */
export interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

export interface Group {
  readonly title: string;
  readonly entries: Readonly<Record<string, Entry>>;
}

export interface Invocation<Options = AnyOptionValues> {
  /** The word after `sm`: one command may answer to several. */
  readonly word: string;
  readonly args: readonly string[];
  readonly options: Options;
  /** What else was given as `--KEY VALUE`. */
  readonly keys: ReadonlyMap<string, string>;
  /** What stands behind `--`, for a command that hands it on. */
  readonly rest: readonly string[];
  /** Runs another command. */
  sm(argv: readonly string[], io: Io): Promise<number>;
  readonly io: Io;
  readonly client: Client;
  /** The table of commands: completion and the skill are made from it. */
  readonly groups: readonly Group[];
}

export interface Command<Specs extends OptionSpecs = OptionSpecs, Options = AnyOptionValues> {
  /** What follows the word, for the first line of its help. */
  readonly usage: string;
  /** More help than its line in the list of commands. */
  readonly about?: string;
  readonly options: Specs;
  /** Whether it takes `--KEY VALUE` beyond its options. */
  readonly takesKeys?: boolean;
  /** Whether a word with one dash before it (`-old`) is an argument. */
  readonly takesDashes?: boolean;
  /** Whether what stands behind `--` is handed on, and no argument of the command. */
  readonly handsOn?: boolean;
  /** The fewest and the most arguments it takes, where that is not what the usage says. */
  readonly arity?: readonly [number, number];
  /** Answers the exit code where it is not 0. */
  run(invocation: Invocation<Options>): Promise<number> | Promise<void>;
}

/** Lets `run` see the options by their own types. */
export function defineCommand<const Specs extends OptionSpecs>(
  command: Command<Specs, OptionValues<Specs>>,
): Command {
  return command;
}

export const jsonOption = { help: 'print JSON' } as const;
