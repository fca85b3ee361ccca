// Text as cells of a terminal: one entry per column. A wide character takes two, of which the second is empty.
import stringWidth from 'string-width';
import { type Depth, draw, freshPen } from '../faces/pen.ts';
import { styleOf } from './style.ts';

const ascii = /^[\x20-\x7e]*$/;
const joiner = '\u200d';
const picture = /\p{Extended_Pictographic}/u;
/** What a terminal would act upon, and what makes one emoji of several: the colour of a skin, the frame of a key. */
const notShown = /[\p{Cc}\p{Cf}\p{Me}\p{Variation_Selector}\p{Emoji_Modifier}]/u;
const firstFlagLetter = 0x1f1e6;
const lastFlagLetter = 0x1f1ff;

/**
 * The characters with the marks on them, each with the columns it takes, and none about whose columns terminals disagree:
 * of an emoji that is made of several the first is kept, of a flag its letters.
 */
export function* glyphs(text: string): Generator<readonly [string, number]> {
  if (ascii.test(text)) {
    for (const character of text) yield [character, 1];
    return;
  }
  let glyph = '';
  let columns = 0;
  let isJoined = false;
  for (const character of text) {
    const [shown, width, isPicture] = drawnAs(character);
    const isRest = isJoined && isPicture;
    isJoined = character === joiner;
    if (shown === '' || isRest) continue;
    if (width > 0) {
      if (glyph !== '') yield [glyph, columns];
      glyph = shown;
      columns = width;
    } else if (glyph !== '') glyph += shown;
  }
  if (glyph !== '') yield [glyph, columns];
}

type Drawn = readonly [shown: string, width: number, isPicture: boolean];
/** To find this out takes longer than all the rest of a picture. */
const known = new Map<string, Drawn>();

function drawnAs(character: string): Drawn {
  let drawn = known.get(character);
  if (!drawn) {
    drawn = findOut(character);
    known.set(character, drawn);
  }
  return drawn;
}

function findOut(character: string): Drawn {
  if (notShown.test(character)) return ['', 0, false];
  const point = character.codePointAt(0) as number;
  if (point >= firstFlagLetter && point <= lastFlagLetter)
    return [String.fromCharCode(0x41 + point - firstFlagLetter), 1, false];
  return [character, Math.min(2, stringWidth(character)), picture.test(character)];
}

export function columnsOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const [, width] of glyphs(text)) columns += width;
  return columns;
}

/** Whether terminals may disagree about its width: then the cursor is set anew behind it. */
export const isUncertain = (glyph: string): boolean =>
  glyph.length > 1 || (glyph.codePointAt(0) ?? 0) > 0x2fff;

/** At most so many columns; `…` where something is missing. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return columns < 1 ? '' : `${firstColumns(text, columns - 1).trimEnd()}…`;
}

/** The same, cut at its beginning: of a path the end matters. */
export function cutStart(text: string, columns: number): string {
  const all = [...glyphs(text)];
  let width = all.reduce((sum, [, each]) => sum + each, 0);
  if (width <= columns) return text;
  if (columns < 1) return '';
  let first = 0;
  while (width > columns - 1) width -= all[first++]?.[1] ?? width;
  return `…${all
    .slice(first)
    .map(([glyph]) => glyph)
    .join('')}`;
}

function firstColumns(text: string, columns: number): string {
  let kept = '';
  let left = columns;
  for (const [glyph, width] of glyphs(text)) {
    if (width > left) break;
    kept += glyph;
    left -= width;
  }
  return kept;
}

/** Lines of at most so many columns, broken at blanks where there are any. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, columns)));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let rest = [...glyphs(line)].map(([glyph]) => glyph).join('');
  while (columnsOf(rest) > columns) {
    const head = firstColumns(rest, columns) || ([...glyphs(rest)][0]?.[0] ?? rest);
    const blank = head.lastIndexOf(' ');
    const end = rest[head.length] === ' ' || blank < columns / 2 ? head.length : blank + 1;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

export interface Cell {
  readonly glyph: string;
  readonly style: string;
}

const sequence =
  /\x1b\[([\d;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;:?]*[A-Za-z]|\x1b.|[\x0e\x0f]/g;

/** Line drawing, as the terminals of old switched to it. */
const drawing: Readonly<Record<string, string>> = Object.fromEntries(
  [...'`afgijklmnopqrstuvwxyz{|}~'].map((letter, index) => [
    letter,
    [...'◆▒°±␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·'][index] as string,
  ]),
);

/** A row as tmux captures it, with its colours and nothing else that it may contain. */
export function cellsOf(row: string, depth: Depth): Cell[] {
  const cells: Cell[] = [];
  let pen = freshPen;
  let draws = false;
  let at = 0;
  const put = (text: string) => {
    const style = styleOf(pen);
    for (const [glyph, width] of glyphs(text)) {
      cells.push({ glyph: draws ? (drawing[glyph] ?? glyph) : glyph, style });
      if (width === 2) cells.push({ glyph: '', style });
    }
  };
  for (const match of row.matchAll(sequence)) {
    put(row.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1] !== undefined) pen = draw(pen, match[1], depth);
    else if (match[0] === '\x0e' || match[0] === '\x0f') draws = match[0] === '\x0e';
  }
  put(row.slice(at));
  return cells;
}
