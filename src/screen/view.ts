// What the screen shows, all of it, as a grid of cells: a function of the state alone.
import { conversationLines } from '../cli/text/conversation.ts';
import { eventLine } from '../cli/text/event.ts';
import { limitsText } from '../cli/text/limits.ts';
import { oneLine, safeText } from '../cli/text/safe.ts';
import { waitingMessages } from '../cli/text/session.ts';
import { shortClock } from '../cli/text/time.ts';
import { acts } from '../faces/acts.ts';
import { counts, signOf } from '../faces/signs.ts';
import type { SessionView } from '../protocol/session.ts';
import { type Areas, areasOf, type Box, isNarrow } from './areas.ts';
import { columnsOf, cutTo, wrap } from './cells.ts';
import { drawDialog } from './dialog-view.ts';
import { Grid } from './grid.ts';
import { drawList, toneStyle } from './list-view.ts';
import { messageRow } from './message-row.ts';
import { arranged, type State, selectedSession } from './state.ts';
import { bold, faint, over, plain, red, yellow } from './style.ts';

export function view(given: State, now: number): Grid {
  const state = arranged(given);
  const { rows, columns } = state.size;
  const grid = new Grid(rows, columns);
  const areas = areasOf(state.size, state.opened);
  headline(grid, state, areas, now);
  if (areas.list) drawList(grid, areas.list, state, now);
  const session = selectedSession(state);
  if (areas.pane && areas.list && areas.pane.column > 0) divide(grid, areas.pane.column - 1);
  if (areas.pane) drawPane(grid, areas.pane, state, session);
  if (areas.below) drawBelow(grid, areas.below, state, session, now);
  if (state.sessions.size === 0) nobody(grid, state);
  foot(grid, state, session);
  if (state.dialog) drawDialog(grid, state, now);
  if (state.depth === 'none') grid.dropColours();
  return grid;
}

function headline(grid: Grid, state: State, { list }: Areas, now: number): void {
  let x = grid.text(0, 1, 'sm', bold) + 2;
  for (const { sign, count } of counts(state.sessions.values()))
    x = grid.text(0, x, `${count}${sign.glyph}`, toneStyle[sign.tone]) + 1;
  const { filter, problemsOnly } = state.choices;
  if (problemsOnly) x = grid.text(0, x + 1, 'only problems', yellow);
  if (filter !== '') x = grid.text(0, x + 1, cutTo(`/${filter}`, 30), yellow);
  if (list) x = beyond(grid, state, list, x + 1);
  if (state.link.up && state.channels !== null) {
    grid.text(0, x + 1, cutTo(`${oneLine(state.channels)}: sm notify`, state.size.columns - x - 2), red);
    return;
  }
  if (state.link.up) {
    drawLimits(grid, state, x, now);
    return;
  }
  const text =
    state.link.since === undefined
      ? 'connecting…'
      : `the daemon does not answer: as it was at ${shortClock(new Date(state.link.since).toISOString(), now)}`;
  grid.text(0, Math.max(x + 1, state.size.columns - columnsOf(text) - 1), text, over(bold, red));
}

/** At the right end, where there is room: `limits 62 % · resets 14:00`. */
function drawLimits(grid: Grid, { sessions, size }: State, column: number, now: number): void {
  const limits = limitsText(sessions.values(), now);
  if (!limits) return;
  const x = size.columns - columnsOf(limits.text) - 1;
  if (x > column) grid.text(0, x, limits.text, limits.isHigh ? yellow : faint);
}

/** What is out of sight, above and below, and whether somebody waits there. */
function beyond(grid: Grid, { list: { lines }, top }: State, { rows }: Box, column: number): number {
  const part = (from: number, to: number) =>
    lines
      .slice(Math.max(0, from), Math.max(0, to))
      .flatMap((line) => (line.kind === 'session' ? [line.row] : []));
  let x = column;
  for (const [arrow, hidden] of [
    ['▲', part(0, top)],
    ['▼', part(top + rows, lines.length)],
  ] as const) {
    if (hidden.length === 0) continue;
    const waiting = hidden.filter(({ session }) => session.question).length;
    x = grid.text(0, x, `${arrow}${hidden.length}`, faint);
    if (waiting > 0) x = grid.text(0, x, ` ${waiting}◐`, toneStyle.wait);
    x += 1;
  }
  return x;
}

function divide(grid: Grid, column: number): void {
  for (let row = 1; row < grid.rows - 1; row += 1) grid.text(row, column, '│', faint);
}

function title(grid: Grid, box: Box, text: string, style: string = plain): void {
  const row = box.row - 1;
  grid.fill(row, box.column, box.column + box.columns, '─', faint);
  if (text !== '') grid.text(row, box.column + 1, ` ${cutTo(text, box.columns - 5)} `, style);
}

/** The last rows that fit: there the agent writes. */
function drawPane(grid: Grid, box: Box, state: State, session: SessionView | undefined): void {
  if (!session) {
    title(grid, box, '');
    return;
  }
  const sign = signOf(session);
  title(
    grid,
    box,
    `${sign.glyph} ${sign.word}  ${oneLine(session.display_name)} (${session.id})`,
    toneStyle[sign.tone],
  );
  const pane = state.detail?.id === session.id ? state.detail.pane : null;
  const end = box.column + box.columns;
  if (!pane) {
    noPane(grid, box, state, session);
    return;
  }
  const last = pane.lines.findLastIndex((line, row) => line.trim() !== '' || row === pane.cursor.y);
  const shown = squeezed(pane.lines.slice(0, last + 1), box.rows);
  for (const [at, line] of shown.entries()) grid.styled(box.row + at, box.column, line, state.depth, end);
}

/** The last rows that fit. Of several empty ones in a row one is enough, where there is no room for all. */
function squeezed(lines: readonly string[], rows: number): string[] {
  const isEmpty = (line: string | undefined) =>
    line !== undefined && line.replace(/\x1b\[[\d;:]*m/g, '').trim() === '';
  const kept = [...lines];
  for (let at = kept.length - 1; at > 0 && kept.length > rows; at -= 1)
    if (isEmpty(kept[at]) && isEmpty(kept[at - 1])) kept.splice(at, 1);
  return kept.slice(-rows);
}

/** Without a terminal, the conversation is shown; of one that is gone, why. */
function noPane(grid: Grid, box: Box, state: State, session: SessionView): void {
  const { events = [], messages = [] } = state.detail ?? {};
  const told = new Map(messages.map((message) => [message.id, message]));
  const said = events.flatMap((event) => conversationLines(event, told.get(String(event.message))));
  const text = session.ended ? session.ended.reason : said.join('\n').trimEnd();
  const lines = wrap(safeText(text), box.columns - 2).slice(-box.rows);
  for (const [at, line] of lines.entries()) grid.text(box.row + at, box.column + 1, line, faint);
}

function drawBelow(grid: Grid, box: Box, state: State, session: SessionView | undefined, now: number): void {
  title(grid, box, session ? 'messages' : '');
  if (!session || state.detail?.id !== session.id) return;
  const rows: { text: string; style: string }[] = [];
  if (session.question)
    rows.push({ text: `asks: ${oneLine(session.question.text)}  (a answers)`, style: toneStyle.wait });
  if (session.waiting.count > 0) rows.push({ text: waitingMessages(session), style: yellow });
  const { messages, events } = state.detail;
  const room = Math.max(1, Math.ceil((box.rows - rows.length) / 2));
  const shown = messages.slice(0, Math.max(room, box.rows - rows.length - events.length));
  rows.push(...shown.map((message) => messageRow(message, now)));
  const left = Math.max(0, box.rows - rows.length);
  const newest = left === 0 ? [] : events.slice(-left);
  rows.push(...newest.map((event) => ({ text: eventLine(event, now), style: faint })));
  for (const [at, { text, style }] of rows.slice(0, box.rows).entries())
    grid.text(box.row + at, box.column + 1, cutTo(text, box.columns - 2), style);
}

function nobody(grid: Grid, state: State): void {
  if (!state.link.up) return;
  const lines = [
    'No sessions yet.',
    '',
    'n starts one, or in a shell:  sm claude',
    '? lists the keys, q leaves.',
  ];
  const row = Math.max(1, Math.floor(grid.rows / 2) - 2);
  for (const [at, line] of lines.entries())
    grid.text(
      row + at,
      Math.max(1, Math.floor((grid.columns - columnsOf(line)) / 2)),
      line,
      at === 0 ? bold : faint,
    );
}

const short: Readonly<Record<string, string>> = { attach: 'attach', why: 'why', output: 'scroll back' };
const footActs = ['attach', 'answer', 'send', 'restore', 'interrupt', 'why', 'trace'];

function foot(grid: Grid, state: State, session: SessionView | undefined): void {
  const row = grid.rows - 1;
  if (state.note) {
    grid.text(
      row,
      1,
      cutTo(oneLine(state.note.text), grid.columns - 2),
      state.note.bad ? over(bold, red) : bold,
    );
    return;
  }
  const keys: [string, string][] = [];
  if (session)
    for (const command of footActs) {
      const act = acts.find((each) => each.command === command);
      if (act?.can(session)) keys.push([act.key, short[command] ?? command]);
    }
  if (isNarrow(state.size) && !state.opened && session) keys.splice(0, keys.length, ['enter', 'open']);
  if (isNarrow(state.size) && state.opened) keys.unshift(['esc', 'back']);
  keys.push(['n', 'new'], ['/', 'find'], ['?', 'keys'], ['q', 'quit']);
  let x = 1;
  for (const [key, words] of keys) {
    if (x + columnsOf(key) + columnsOf(words) + 2 > grid.columns) break;
    x = grid.text(row, x, key, bold) + 1;
    x = grid.text(row, x, words, faint) + 2;
  }
}
