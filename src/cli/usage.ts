// What a usage line says of arguments: which a command takes, in which order, and how many. Help, completion and the check
// of what was given all read it.
import type { OptionSpecs } from './command.ts';

export interface Argument {
  /** `SESSION`, `allow|deny`, `TEXT|-` */
  readonly text: string;
  readonly isOptional: boolean;
  readonly repeats: boolean;
}

/** `FILE | --auto FILE`: the arguments of each way to call it, without options and their values. */
export const waysOf = (usage: string, options: OptionSpecs): Argument[][] =>
  alternatives(usage.replaceAll('"', '')).map((way) => argumentsOf(way, options));

/** The fewest and the most arguments that one of the ways takes. */
export function arityOf(ways: readonly (readonly Argument[])[]): readonly [number, number] {
  const fewest = ways.map((way) => way.filter(({ isOptional }) => !isOptional).length);
  const most = ways.map((way) =>
    way.some(({ repeats }) => repeats) ? Number.POSITIVE_INFINITY : way.length,
  );
  return [Math.min(...fewest), Math.max(...most)];
}

/** What stands between bars that have spaces around them, outside of brackets. */
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

function argumentsOf(way: string, options: OptionSpecs): Argument[] {
  const tokens: Argument[] = [];
  // `[,SESSION…]` directly behind a word says that it is a list.
  const words = withoutOptions(way).replaceAll(/(?<=\S)\[(,[^[\]]*)\]/g, '$1');
  let depth = 0;
  for (const word of words.split(/\s+/)) {
    const isOptional = depth > 0 || word.startsWith('[');
    depth += word.split('[').length - word.split(']').length;
    const text = word.replaceAll(/[[\]]/g, '');
    if (text === '' || text === '…') continue;
    const before = tokens.at(-1)?.text.split('|').at(-1) ?? '';
    const isValue = before.startsWith('--') && takesValue(before, options);
    // One that an option can stand for need not be there.
    if (isValue) tokens.push({ ...(tokens.pop() as Argument), isOptional: true });
    else tokens.push({ text, isOptional, repeats: text.endsWith('…') && !text.includes(',') });
  }
  // What is only an option, with its value or without, is at no place of its own.
  return tokens.filter(({ text }) => !/^[-+]/.test(text));
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

function takesValue(flag: string, options: OptionSpecs): boolean {
  const name = flag.slice(2);
  return Object.hasOwn(options, name) && options[name]?.value !== undefined;
}
