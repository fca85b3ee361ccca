// Reads a command's arguments. Not a library: a text such as "- first do this" is an argument here, and loading a parser
// takes longer than the whole command.
import type { AnyOptionValues, Command, OptionSpecs } from './command.ts';
import { Failure } from './failure.ts';
import { nearest } from './nearest.ts';

export interface ParsedArguments {
  readonly args: string[];
  readonly options: AnyOptionValues;
  /** What else was given as `--KEY VALUE`, to a command that takes it. */
  readonly keys: ReadonlyMap<string, string>;
  /** What stands behind `--`, for a command that hands it on. */
  readonly rest: readonly string[];
  readonly help: boolean;
}

export function parseArguments(
  word: string,
  {
    options: specs,
    takesKeys = false,
    takesDashes = false,
    handsOn = false,
  }: Pick<Command, 'options' | 'takesKeys' | 'takesDashes' | 'handsOn'>,
  argv: readonly string[],
): ParsedArguments {
  const args: string[] = [];
  const keys = new Map<string, string>();
  let rest: readonly string[] = [];
  const options: Record<string, string | boolean | readonly string[] | undefined> = {};
  let help = false;
  for (const [name, spec] of Object.entries(specs))
    options[name] = spec.many ? [] : spec.value === undefined ? false : undefined;

  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] as string;
    if (arg === '--') {
      rest = argv.slice(at + 1);
      if (!handsOn) args.push(...rest);
      break;
    }
    const isWord = takesDashes && /^-[^-]/.test(arg) && arg !== '-h';
    if (isWord || !looksLikeOption(arg)) {
      args.push(arg);
      continue;
    }
    if (arg === '--help' || arg === '-h') {
      help = true;
      continue;
    }
    const { name, attached } = splitOption(arg, specs);
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (!spec && takesKeys && /^--[A-Za-z]/.test(arg)) {
      if (keys.has(name)) throw new Failure(`--${name} was given twice. Give it once.`);
      keys.set(name, attached ?? keyValue(name, argv[(at += 1)], specs));
      continue;
    }
    if (!spec) throw unknownOption(word, arg, specs, handsOn);
    if (spec.value === undefined) {
      if (attached !== undefined) throw new Failure(`--${name} takes no value. See: sm ${word} --help`);
      options[name] = true;
      continue;
    }
    if (spec.optional && spec.word && attached === undefined && !/^[^-\s]\S*$/.test(argv[at + 1] ?? '')) {
      options[name] = true;
      continue;
    }
    if (spec.optional && !spec.word && attached === undefined && !/^\d+$/.test(argv[at + 1] ?? '')) {
      const next = argv[at + 1] ?? '-';
      // A sentence is the text that goes with it; a single word may be either, so it is not guessed at.
      if (!looksLikeOption(next) && /^\S{2,}$/.test(next)) throw noSeconds(`--${name}`, next);
      options[name] = true;
      continue;
    }
    const value = attached ?? argv[(at += 1)];
    if (value === undefined) throw new Failure(`--${name} needs a value: --${name} ${spec.value}`);
    options[name] = spec.many ? [...((options[name] ?? []) as string[]), value] : value;
  }
  return { args, options, keys, rest, help };
}

/** A whole number from an option, or what stands for it when it was not given. */
export function wholeNumber(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw new Failure(`${name} needs a whole number, not "${text}".`);
  return Number(text);
}

/** The same within limits; undefined when it was not given. */
export function numberWithin(
  name: string,
  text: string | undefined,
  [least, most]: readonly [number, number],
): number | undefined {
  if (text === undefined) return undefined;
  const value = wholeNumber(name, text, 0);
  if (value < least || value > most)
    throw new Failure(`${name} takes a number from ${least} to ${most}, not ${text}.`);
  return value;
}

/** Seconds: at least one, at most a year. */
export function secondsFrom(name: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d+$/.test(text)) throw noSeconds(name, text);
  return numberWithin(name, text, [1, 365 * 24 * 3600]);
}

/** How long ago, in milliseconds: `90s`, `30m`, `8h`, `2d`. */
export function agoFrom(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit];
  if (seconds === undefined) throw new Failure(`${name} needs a time such as 30m, 8h or 2d, not "${text}".`);
  return Number(count) * seconds * 1000;
}

const noSeconds = (name: string, text: string): Failure =>
  new Failure(`${name} needs a number of seconds, not "${text}".`);

/** A key that was left without its value must not swallow the option behind it. */
function keyValue(name: string, value: string | undefined, specs: OptionSpecs): string {
  const isOption = value?.startsWith('--') && Object.hasOwn(specs, value.slice(2));
  if (value !== undefined && !isOption) return value;
  const instead = isOption ? ` (or --${name}=${value})` : '';
  throw new Failure(`--${name} needs a value: --${name} "TEXT"${instead}.${meant(name, specs)}`);
}

/** No option has white space before its value: a dash that begins a sentence is text, and `-` alone is standard input. */
function looksLikeOption(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-') && !/^[^=]*\s/.test(arg);
}

function splitOption(arg: string, specs: OptionSpecs): { name: string; attached: string | undefined } {
  if (arg.startsWith('--')) {
    const equals = arg.indexOf('=');
    return equals < 0
      ? { name: arg.slice(2), attached: undefined }
      : { name: arg.slice(2, equals), attached: arg.slice(equals + 1) };
  }
  const name = Object.keys(specs).find((each) => specs[each]?.short === arg[1]) ?? '';
  return { name, attached: arg.slice(2) || undefined };
}

function unknownOption(word: string, arg: string, specs: OptionSpecs, handsOn: boolean): Failure {
  const given = arg.split('=', 1)[0] as string;
  const hint = meant(given.replace(/^-+/, ''), specs);
  const dashes = handsOn
    ? 'put -- before what is meant for the agent'
    : 'put -- before a text that starts with a dash';
  return new Failure(`sm ${word} has no option ${given}.${hint} See: sm ${word} --help (${dashes})`);
}

function meant(name: string, specs: OptionSpecs): string {
  const guess = nearest(name, [...Object.keys(specs), 'help']);
  return guess === undefined ? '' : ` Did you mean --${guess}?`;
}
