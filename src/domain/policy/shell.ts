// Reads a command as a shell would, as far as that is sure. Nothing here runs or expands anything: what could mean
// more than it says is not called simple.
import type { Parts } from './glob.ts';

export interface Word {
  readonly text: string;
  /** Split at its stars, for a pattern. */
  readonly parts: Parts;
  /** It stands for itself: the shell makes no file names of it. */
  readonly sure: boolean;
}

/** `not`: why it cannot be read with certainty. */
export type Read = { readonly words: readonly Word[] } | { readonly not: string };

/** Characters that mean themselves in every shell, unquoted and at any place of a word. */
const plain = /[A-Za-z0-9_\-./:=,@%+]/;
/** Characters of which the shell makes file names, and nothing worse. */
const expands = /[*?[\]~]/;
/** What may stand in double quotes without a meaning of its own. */
const special = /[$`\\!]/;
const control = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/;
const assignment = /^[A-Za-z_]\w*\+?=/;

/** A program and its arguments, and nothing else: no operator, substitution, redirection, assignment or comment. */
export function simpleCommand(command: string): Read {
  const read = wordsOf(bare(command), false);
  if ('not' in read) return read;
  const first = read.words[0]?.text ?? '';
  if (first === '') return { not: 'it is empty' };
  if (assignment.test(first)) return { not: `it sets ${first.split('=', 1)[0]}` };
  return read;
}

/** The words of a pattern, in which an unquoted star stands for anything. */
export const patternWords = (pattern: string): Read => wordsOf(bare(pattern), true);

/** Without the blanks around it, of which a shell knows fewer than we do. */
export const bare = (text: string): string => text.replace(/^[ \t\n]+|[ \t\n]+$/g, '');

function wordsOf(text: string, isPattern: boolean): Read {
  const found = control.exec(text);
  if (found) return { not: found[0] === '\n' ? 'it has several lines' : 'it has control characters' };
  const words: Word[] = [];
  let word: { parts: string[]; sure: boolean } | null = null;
  const open = () => {
    word ??= { parts: [''], sure: true };
    return word;
  };
  const add = (more: string) => {
    const { parts } = open();
    parts[parts.length - 1] += more;
  };
  const close = () => {
    if (word) words.push({ text: word.parts.join('*'), parts: word.parts, sure: word.sure });
    word = null;
  };
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] as string;
    if (c === ' ' || c === '\t') close();
    else if (c === "'" || c === '"') {
      const end = text.indexOf(c, i + 1);
      if (end < 0) return { not: 'a quote is not closed' };
      const inside = text.slice(i + 1, end);
      const bad = c === '"' ? special.exec(inside) : null;
      if (bad) return { not: `it has ${bad[0]} in double quotes` };
      add(inside);
      i = end;
    } else if (isPattern && c === '\\' && text[i + 1] === '*') {
      add('*');
      i += 1;
    } else if (isPattern && c === '*') open().parts.push('');
    // In zsh, `=program` is the path of a program.
    else if (expands.test(c) || (c === '=' && word === null)) {
      open().sure = false;
      add(c);
    } else if (plain.test(c)) add(c);
    else return { not: `it has ${c} outside of quotes` };
  }
  close();
  return { words };
}

/** Programs that run what they are given. */
const launchers = new Set(
  (
    'sh bash dash zsh ksh fish eval exec source . command builtin env sudo doas su nohup nice ionice setsid time timeout ' +
    'stdbuf xargs parallel find watch ssh script unshare chroot busybox python python3 perl ruby node php awk npx'
  ).split(' '),
);
export const isLauncher = (word: string): boolean => launchers.has(baseName(word));
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const prefixes = new Set('if then elif else while until do ! time { [['.split(' '));

/** `anywhere`: its program runs what it is given, so a command may begin at any word. */
export interface Part {
  readonly words: readonly string[];
  readonly anywhere: boolean;
}

/**
 * Every command that may be among this one's, as far as can be told: for denials, which would rather see one too many.
 * What only a running shell knows (variables, say) stays hidden.
 */
export function commandsIn(text: string): Part[] {
  const { commands, hides } = split(text.replaceAll('\\\n', ''));
  const found = commands.map(part);
  return hides || found.some(({ anywhere }) => anywhere) ? [...found, ...blindSplit(text).map(part)] : found;
}

function part(all: readonly string[]): Part {
  const words = withoutPrefix(all);
  return { words, anywhere: isLauncher(words[0] ?? '') };
}

function withoutPrefix(words: readonly string[]): string[] {
  const start = words.findIndex((word) => !prefixes.has(word) && !assignment.test(word));
  return start < 0 ? [] : words.slice(start);
}

/** By operators outside of quotes. `hides`: something in quotes may be run, too. */
function split(text: string): { commands: string[][]; hides: boolean } {
  const commands: string[][] = [[]];
  let word: string | null = null;
  let hides = /<</.test(text) || (text.includes('{') && text.includes(','));
  let target = false;
  const endWord = () => {
    if (word !== null && !target) commands.at(-1)?.push(word);
    if (word !== null) target = false;
    word = null;
  };
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] as string;
    if (c === '\\') {
      i += 1;
      word = (word ?? '') + (text[i] ?? '');
    } else if (c === "'" || c === '"') {
      let end = i + 1;
      while (end < text.length && text[end] !== c) end += c === '"' && text[end] === '\\' ? 2 : 1;
      const inside = text.slice(i + 1, end);
      if (end >= text.length || (c === '"' && /\$\(|`/.test(inside))) hides = true;
      word = (word ?? '') + inside;
      i = end;
    } else if (c === ' ' || c === '\t') endWord();
    else if (c === '<' || c === '>') {
      // `2>` is a redirection as a whole, and its target is no word of the command.
      if (word !== null && /^\d+$/.test(word)) word = null;
      endWord();
      if (text[i + 1] === '&') i += 1;
      target = true;
    } else if (/[;|&\n\r()`]/.test(c)) {
      endWord();
      target = false;
      commands.push([]);
    } else if (!(c === '$' && /['"(]/.test(text[i + 1] ?? ''))) word = (word ?? '') + c;
  }
  endWord();
  return { commands, hides };
}

/** As if there were no quotes. */
function blindSplit(text: string): string[][] {
  return text
    .replaceAll(/["'\\]/g, '')
    .split(/[;|&\n\r()`<>$]+/)
    .flatMap((part) => [part, part.replaceAll(/[{},]/g, ' ')])
    .map((part) => part.split(/[ \t{}]+/).filter((word) => word !== ''));
}
