// What can follow a command, read from its usage line and its options: so that completion says what the help says.
import type { Command } from '../command.ts';
import { waysOf } from '../usage.ts';

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
  const ways = waysOf(usage, options);
  const length = Math.max(0, ...ways.map((way) => way.length));
  const places = Array.from({ length }, (_, at) => merge(ways.flatMap((way) => way[at]?.text ?? [])));
  return {
    word,
    summary,
    places,
    repeats: ways.some((way) => way.at(-1)?.repeats),
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
