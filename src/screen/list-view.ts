// The list: one line per session, in columns that fit the room there is.

import { oneLine } from '../cli/text/safe.ts';
import { contextUse, doing } from '../cli/text/session.ts';
import { shortClock } from '../cli/text/time.ts';
import { placeOf, type Row } from '../faces/attention.ts';
import { signOf, type Tone, useTone } from '../faces/signs.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Box } from './areas.ts';
import { columnsOf, cutStart, cutTo } from './cells.ts';
import type { Grid } from './grid.ts';
import type { State } from './state.ts';
import { bold, cyan, faint, green, over, plain, red, reverse, yellow } from './style.ts';

export const toneStyle: Readonly<Record<Tone, string>> = {
  good: green,
  wait: over(bold, yellow),
  bad: red,
  plain,
  faint,
};

/** Widths of the columns; 0: there is no room for it. */
interface Columns {
  readonly name: number;
  readonly word: number;
  readonly agent: number;
  readonly place: number;
  readonly bar: number;
}

const since = 6;

function columnsFor(width: number): Columns {
  return {
    name: width < 50 ? Math.max(10, Math.floor(width * 0.4)) : width < 78 ? 16 : width < 90 ? 18 : 22,
    word: width < 100 ? 0 : 11,
    agent: width < 70 ? 0 : width < 100 ? 8 : 12,
    // Where a session works says more than a bar beside the figure that it draws.
    place: width < 60 ? 0 : width < 78 ? 12 : width < 100 ? 16 : 20,
    bar: width < 44 ? 0 : width < 78 ? 5 : 11,
  };
}

export function drawList(grid: Grid, box: Box, state: State, now: number): void {
  const { lines } = state.list;
  const columns = columnsFor(box.columns);
  for (let at = 0; at < box.rows; at += 1) {
    const line = lines[state.top + at];
    const row = box.row + at;
    if (line?.kind === 'title')
      grid.text(row, box.column + 1, cutTo(line.text, box.columns - 1), over(bold, faint));
    if (line?.kind === 'session') drawRow(grid, { ...box, row }, line.row, columns, state, now);
  }
}

function drawRow(grid: Grid, box: Box, row: Row, columns: Columns, state: State, now: number): void {
  const { session } = row;
  const { row: y, column: left } = box;
  const end = left + box.columns;
  const sign = signOf(session);
  const isSelected = session.id === state.selected;
  grid.text(y, left + 1, sign.glyph, toneStyle[sign.tone]);
  let x = left + 3;
  const put = (text: string, width: number, style = plain) => {
    if (width === 0) return;
    grid.text(y, x, cutTo(text, width), style, end);
    x += width + 1;
  };
  const tree = branches(row);
  const pinned = state.choices.pinned.has(session.id) ? '*' : '';
  const hidden = row.hidden > 0 ? ` +${row.hidden}` : '';
  const name = cutTo(oneLine(session.display_name), columns.name - columnsOf(tree + hidden + pinned));
  grid.text(y, x, tree, faint);
  put(`${' '.repeat(columnsOf(tree))}${name}${hidden}${pinned}`, 0);
  grid.text(
    y,
    x + columnsOf(tree),
    `${name}${hidden}${pinned}`,
    session.phase === 'blocked' ? bold : plain,
    end,
  );
  x += columns.name + 1;
  put(sign.word, columns.word, toneStyle[sign.tone]);
  put(session.provider, columns.agent, faint);
  if (columns.place > 0) {
    grid.text(y, x, placeText(session, columns.place), cyan, end);
    x += columns.place + 1;
  }
  const right = since + 1 + (columns.bar > 0 ? columns.bar + 1 : 0);
  const room = end - right - x;
  if (room > 4) grid.text(y, x, cutTo(doing(session, now), room), session.question ? yellow : plain, end);
  x = end - right;
  grid.text(y, x + 1, shortClock(session.phase_since, now).padStart(since - 1), faint, end);
  if (columns.bar > 0) drawUse(grid, y, x + since + 1, session, columns.bar);
  if (isSelected) grid.mark(y, left, end, (style) => over(style, reverse));
}

/** `├ ` and `└ `, and the lines of the generations above. */
function branches({ branches: above }: Row): string {
  const last = above.at(-1);
  if (last === undefined) return '';
  return `${above
    .slice(0, -1)
    .map((goesOn) => (goesOn ? '│ ' : '  '))
    .join('')}${last ? '├ ' : '└ '}`;
}

function placeText(session: SessionView, width: number): string {
  const { repository, branch } = placeOf(session);
  const text = branch === '' ? oneLine(repository) : `${oneLine(repository)}·${oneLine(branch)}`;
  return cutStart(text, width);
}

/** How full its context is: a bar where there is room, and the figure. */
function drawUse(grid: Grid, row: number, column: number, session: SessionView, width: number): void {
  const used = session.context.used_percentage;
  if (used === null) return;
  const tone = useTone(used);
  const style = tone === 'wait' ? yellow : toneStyle[tone];
  if (width >= 11) {
    const full = Math.max(0, Math.min(5, Math.round(used / 20)));
    grid.text(row, column, '▓'.repeat(full) + '░'.repeat(5 - full), style);
  }
  grid.text(row, column + (width >= 11 ? 6 : 0), contextUse(session).padStart(4), style);
}
