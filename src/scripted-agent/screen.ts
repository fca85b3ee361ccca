// Draws the view the way Claude Code draws itself: the log from the top, the box at the bottom, and the
// (hidden) cursor standing in the composer. Pure: a frame is rows of text and a place for the cursor.

import type { Composer } from './composer.ts';
import type { Dialog } from './dialog.ts';
import type { LogEntry, Spinner, View } from './view.ts';
import { charWidth, textWidth, truncate, wrap } from './width.ts';

export interface Size {
  columns: number;
  rows: number;
}

export interface Frame {
  rows: string[];
  cursor: { x: number; y: number };
}

const NBSP = '\u00a0';
const grey = (text: string) => `\x1b[38;5;246m${text}\x1b[39m`;
const accent = (text: string) => `\x1b[38;5;153m${text}\x1b[39m`;
const rule = (columns: number) => `\x1b[38;5;244m${'─'.repeat(columns)}\x1b[39m`;
/** The plain blank after it keeps the reversed cell apart from the end of the row. */
const reversed = (char: string) => `\x1b[7m${char}\x1b[0m`;

const SPINNER = ['·', '✢', '✳', '✶', '✻', '✽'];

export function drawFrame(view: View, size: Size, now: number): Frame {
  const bottom = view.rewind
    ? drawRewind(size)
    : view.dialog
      ? drawDialog(view.dialog, size)
      : drawBox(view, size, now);
  const bottomRows = bottom.rows.slice(-size.rows);
  const space = size.rows - bottomRows.length;
  const log = drawLog(view.log, size.columns, space);
  const blank = Array.from({ length: space - log.length }, () => '');
  const cursorRow = space + bottom.cursor.y - (bottom.rows.length - bottomRows.length);
  return {
    rows: [...log, ...blank, ...bottomRows],
    cursor: { x: bottom.cursor.x, y: Math.max(0, cursorRow) },
  };
}

const MARKS: Record<LogEntry['kind'], [first: string, next: string]> = {
  prompt: ['❯ ', '  '],
  shell: ['! ', '  '],
  answer: ['● ', '  '],
  result: ['  ⎿  ', '     '],
  note: ['', ''],
  end: ['✻ ', '  '],
};

/** The last `space` rows of the log; older entries are not even wrapped. */
function drawLog(log: readonly LogEntry[], columns: number, space: number): string[] {
  let rows: string[] = [];
  for (let i = log.length - 1; i >= 0 && rows.length < space; i--) {
    const { kind, text } = log[i]!;
    const [first, next] = MARKS[kind];
    const lines = wrap(text.slice(0, columns * space), columns - first.length);
    const drawn = lines.map((line, n) => (n === 0 ? first : next) + line);
    rows = [...(kind === 'prompt' || kind === 'shell' ? [''] : []), ...drawn, ...rows];
  }
  return rows.slice(-space);
}

function drawBox(view: View, size: Size, now: number): Frame {
  const { columns } = size;
  const above = [
    ...view.queued.map((text) => grey(truncate(`❯ ${text.split('\n')[0]}`, columns))),
    '',
    ...(view.spinner ? [drawSpinner(view.spinner, now), ''] : []),
    drawHint(view, columns),
    rule(columns),
  ];
  const composer = drawComposer(view, columns, Math.max(3, Math.floor(size.rows / 2)));
  const below = [
    rule(columns),
    ...(view.statusLine === null ? [] : [`  ${grey(truncate(view.statusLine, columns - 2))}`]),
    `  ${truncate(view.footer, columns - 2)}`,
  ];
  return {
    rows: [...above, ...composer.rows, ...below],
    cursor: { x: composer.cursor.x, y: above.length + composer.cursor.y },
  };
}

function drawHint(view: View, columns: number): string {
  const hints = [view.hint, view.composer.stash ? '› stashed' : null].filter((hint) => hint !== null);
  return hints.length > 0 ? grey(hints.join(' · ').padStart(columns - 1)) : '';
}

function drawSpinner(spinner: Spinner, now: number): string {
  const seconds = Math.floor((now - spinner.since) / 1000);
  return `\x1b[38;5;174m${SPINNER[spinner.frame % SPINNER.length]} ${spinner.verb}…\x1b[39m ${grey(`(${seconds}s)`)}`;
}

function drawComposer(view: View, columns: number, maxRows: number): Frame {
  const glyph = view.spinner ? grey(`❯${NBSP}`) : `❯${NBSP}`;
  if (view.composer.text === '' && view.queued.length > 0) {
    const row = `${glyph}${reversed('P')}\x1b[2mress up to edit queued messages\x1b[0m`;
    return { rows: [row], cursor: { x: 2, y: 0 } };
  }
  const { rows, cursor } = placeCursor(view.composer, columns - 4);
  const from = Math.max(0, Math.min(cursor.y, rows.length - maxRows));
  const shown = rows.slice(from, from + maxRows).map((row, n) => {
    const text = from + n === cursor.y ? showCursor(row, cursor.x) : row;
    return from + n === 0 ? glyph + text : `  ${text}`;
  });
  return { rows: shown, cursor: { x: 2 + cursor.x, y: cursor.y - from } };
}

function placeCursor(composer: Composer, columns: number): Frame {
  const rows = wrap(composer.text, columns);
  const before = wrap(composer.text.slice(0, composer.cursor), columns);
  const y = before.length - 1;
  return { rows, cursor: { x: textWidth(before[y]!), y } };
}

function showCursor(row: string, x: number): string {
  let left = '';
  let width = 0;
  for (const char of row) {
    if (width >= x) break;
    left += char;
    width += charWidth(char);
  }
  const [under = ' ', ...right] = [...row.slice(left.length)];
  return `${left}${reversed(under)}${right.join('')} `;
}

function drawDialog(dialog: Dialog, { columns }: Size): Frame {
  const heading = dialog.heading.flatMap((line) => wrap(line, columns - 2)).map((line) => ` ${line}`);
  const options = dialog.options.map(({ label }, n) => {
    const text = truncate(label, columns - 3);
    return n === dialog.marked ? ` ${accent(`❯ ${text}`)}` : `   ${text}`;
  });
  const rows = ['', rule(columns), ...heading, ...options, '', ` ${grey(dialog.footer)}`, ''];
  return { rows, cursor: { x: 1, y: 2 + heading.length + dialog.marked } };
}

function drawRewind({ columns }: Size): Frame {
  const rows = [
    accent('▔'.repeat(columns)),
    `   ${accent('Rewind')}`,
    '',
    '   Restore the code and/or conversation to the point before…',
    '',
    `   ${accent('❯')} (current)`,
    '',
    `   ${grey('Enter to continue · Esc to cancel')}`,
  ];
  return { rows, cursor: { x: 3, y: 5 } };
}

/** All is there for a human to see, but what a program knows the box by. */
export function drawAnew(view: View, size: Size, now: number): Frame {
  const { rows, cursor } = drawFrame(view, size, now);
  return { rows: rows.map((row) => row.replaceAll('─', '┈')), cursor };
}

/** A screen that nobody can make sense of. */
export function drawGarbage(_view: View, { rows }: Size): Frame {
  return {
    rows: Array.from({ length: rows }, (_, y) => '▚▞'.repeat(((y * 7) % 13) + 3)),
    cursor: { x: 0, y: 0 },
  };
}
