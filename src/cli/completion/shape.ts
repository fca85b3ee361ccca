// What can follow a command, read from its usage line and its options: so that completion says what the help says.
import type { Command, OptionSpecs } from '../command.ts';

/** What can stand at one place: words, or what only the shell or the daemon knows. */
export interface Place {
  readonly words: readonly string[];
  readonly sessions: boolean;
  /** Several sessions, joined with commas. */
  readonly list: boolean;
  readonly files: boolean;
  readonly folders: boolean;
}

export interface ShapeOption {
  /** `--file`, `-n` */
  readonly flags: readonly string[];
  readonly help: string;
  /** Null: it takes no value. */
  readonly value: Place | null;
}

export interface Shape {
  readonly word: string;
  readonly summary: string;
  readonly places: readonly Place[];
  /** The last place stands for all that follow. */
  readonly repeats: boolean;
  readonly options: readonly ShapeOption[];
}

export const isEmpty = (place: Place): boolean =>
  place.words.length === 0 && !place.sessions && !place.files && !place.folders;

export function shapeOf(word: string, summary: string, { usage, options }: Command): Shape {
  const ways = alternatives(usage.replaceAll('"', '')).map((way) => tokensOf(way, options));
  const length = Math.max(0, ...ways.map((way) => way.length));
  const places = Array.from({ length }, (_, at) => merge(ways.flatMap((way) => way[at] ?? [])));
  return {
    word,
    summary,
    places,
    repeats: ways.some((way) => way.at(-1)?.endsWith('…') && !way.at(-1)?.includes(',')),
    options: [
      ...Object.entries(options).map(([name, { help, value, short, optional }]) => ({
        flags: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])],
        help,
        // One whose value may be left out is followed by anything.
        value: value === undefined || optional ? null : placeOf(value),
      })),
      { flags: ['--help', '-h'], help: 'print this', value: null },
    ],
  };
}

/** `FILE | --auto FILE`: what stands between bars that have spaces around them, outside of brackets. */
function alternatives(usage: string): string[] {
  const ways = [''];
  let depth = 0;
  for (const part of usage.split(/( \| |[[\]])/)) {
    if (part === '[') depth += 1;
    if (part === ']') depth -= 1;
    if (part === ' | ' && depth === 0) ways.push('');
    else ways[ways.length - 1] += part;
  }
  return ways;
}

/** The arguments of one way to call it, in order, without options and their values. */
function tokensOf(way: string, options: OptionSpecs): string[] {
  const tokens: string[] = [];
  // `[,SESSION…]` directly behind a word says that it is a list.
  const words = withoutOptions(way)
    .replaceAll(/(?<=\S)\[(,[^[\]]*)\]/g, '$1')
    .replaceAll(/[[\]]/g, '');
  for (const token of words.split(/\s+/).filter((each) => each !== '' && each !== '…')) {
    const before = tokens.at(-1)?.split('|').at(-1) ?? '';
    if (before.startsWith('--') && takesValue(before, options)) tokens[tokens.length - 1] += ' value';
    else tokens.push(token);
  }
  // What is only an option, with its value or without, is at no place of its own.
  return tokens.filter((token) => !/^[-+]/.test(token));
}

/** A bracket that begins with an option is all about options, to its end. */
function withoutOptions(way: string): string {
  let kept = '';
  let depth = 0;
  for (const [at, letter] of [...way].entries()) {
    if (letter === '[' && (depth > 0 || way[at + 1] === '-')) depth += 1;
    if (depth === 0) kept += letter;
    if (letter === ']' && depth > 0) depth -= 1;
  }
  return kept;
}

const takesValue = (flag: string, options: OptionSpecs): boolean => {
  const name = flag.slice(2);
  return Object.hasOwn(options, name) && options[name]?.value !== undefined;
};

function merge(tokens: readonly string[]): Place {
  const places = tokens.map(placeOf);
  const any = (key: 'sessions' | 'list' | 'files' | 'folders') => places.some((place) => place[key]);
  return {
    words: [...new Set(places.flatMap(({ words }) => words))],
    sessions: any('sessions'),
    list: any('list'),
    files: any('files'),
    folders: any('folders'),
  };
}

/** `SESSION`, `allow|deny`, `TEXT|-`: the words in capitals are those of the help. */
function placeOf(token: string): Place {
  const parts = token.replace(/,.*$/, '').replaceAll('…', '').split('|');
  const has = (...names: string[]) => names.some((name) => parts.includes(name));
  return {
    words: parts.filter((part) => /^[a-z][a-z-]*$/.test(part)),
    sessions: has('SESSION', 'S'),
    list: /,.*…/.test(token),
    files: has('FILE', 'F'),
    folders: has('DIR'),
  };
}
