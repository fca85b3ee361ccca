// How full a context was and will be: the curve, drawn for a terminal, and the forecast. Pure: an answer of the daemon in,
// lines out.
import type { CurveView, MomentView } from '../../protocol/context.ts';
import type { Colours, Paint } from './colours.ts';
import { oneLine } from './safe.ts';
import { clock } from './time.ts';
import { cut } from './width.ts';

const rows = 10;
const blocks = ' ▁▂▃▄▅▆▇█';
/** The widest label, and the axis. */
export const gutter = 5;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** What stands above the curve. What is not here is no news: that a compaction is over, or that an agent was started. */
const signs: Partial<Record<MomentView['is'], { sign: string; name: string }>> = {
  warning: { sign: '!', name: 'warning' },
  critical: { sign: '‼', name: 'critical' },
  compaction: { sign: 'C', name: 'compaction' },
  handoff: { sign: 'H', name: 'handoff' },
  clear: { sign: '/', name: 'clear' },
  resume: { sign: 'R', name: 'another conversation resumed' },
  exited: { sign: '×', name: 'exited' },
  lost: { sign: '×', name: 'lost' },
};

/** `width`: of the whole drawing. Nothing is drawn of nothing. */
export function curveLines(view: CurveView, width: number, colours: Colours): string[] {
  const range = rangeOf(view);
  if (range === null) return [];
  const columns = Math.max(10, width - gutter);
  const levels = levelsOf(view, range, columns);
  const { warning, critical } = view.marks;
  const paintOf = (percentage: number): Paint => {
    if (percentage >= critical) return colours.red;
    return percentage >= warning ? colours.yellow : (text) => text;
  };
  const labels = new Map([
    [0, '100%'],
    [rowOf(warning), `${Math.round(warning)}%`],
    [rowOf(critical), `${Math.round(critical)}%`],
  ]);
  const isMark = new Map([
    [rowOf(warning), colours.yellow],
    [rowOf(critical), colours.red],
  ]);
  const plot = Array.from({ length: rows }, (_, row) => {
    const cells = levels.map((level) => {
      const block = blockIn(level, row);
      if (level !== null && block !== ' ') return paintOf(level)(block);
      return isMark.get(row)?.('┄') ?? ' ';
    });
    return `${(labels.get(row) ?? '').padStart(gutter - 1)}│${cells.join('')}`.trimEnd();
  });
  return [
    `${' '.repeat(gutter)}${signLine(view.moments, range, columns)}`.trimEnd(),
    ...plot,
    ...timeAxis(range, columns, { now: Date.parse(view.at), isOpen: isAlive(view) }),
    ...legend(view.moments).map((line) => cut(line, width)),
  ];
}

/** From the first that is known until now, or until the end of the agent; null: no sample is. */
export function rangeOf(view: CurveView): Range | null {
  const times = [...view.samples, ...view.moments].map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
  const [first] = times;
  if (first === undefined || view.samples.length === 0) return null;
  const last = isAlive(view) ? Math.max(Date.parse(view.at), times.at(-1) ?? first) : (times.at(-1) ?? first);
  return { from: Math.min(first, last - 60_000), to: last };
}

const isAlive = ({ phase }: CurveView): boolean => phase !== 'exited' && phase !== 'lost';

/** Every other moment empties the context, or ends it. */
const keeps: ReadonlySet<MomentView['is']> = new Set(['warning', 'critical', 'compaction']);

/** The fullest that the context was in each column; null where nobody knows: after it was emptied, or with its agent gone. */
export function levelsOf(view: CurveView, range: Range, columns: number): (number | null)[] {
  const news = [
    // At the same moment the sample is the last before it was emptied.
    ...view.samples.map(({ at, percentage }) => ({ at: Date.parse(at), level: percentage as number | null })),
    ...view.moments.filter(({ is }) => !keeps.has(is)).map(({ at }) => ({ at: Date.parse(at), level: null })),
  ].sort((a, b) => a.at - b.at);
  if (isAlive(view) && view.used_percentage !== null)
    news.push({ at: Date.parse(view.at), level: view.used_percentage });
  let known: number | null = null;
  let next = 0;
  return Array.from({ length: columns }, (_, column) => {
    let fullest = known;
    for (let item = news[next]; item && columnOf(item.at, range, columns) <= column; item = news[next]) {
      known = item.level;
      if (known !== null) fullest = Math.max(fullest ?? 0, known);
      next += 1;
    }
    return fullest;
  });
}

function columnOf(at: number, { from, to }: Range, columns: number): number {
  const column = Math.floor(((at - from) / (to - from)) * columns);
  return Math.min(columns - 1, Math.max(0, column));
}

/** A mark between two rows belongs to the upper one. */
const rowOf = (percentage: number): number =>
  Math.min(rows - 1, Math.max(0, Math.ceil(((100 - percentage) / 100) * rows) - 1));

function blockIn(level: number | null, row: number): string {
  if (level === null) return ' ';
  // What is nearly nothing is still something.
  const eighths = Math.max(1, Math.round((Math.min(100, level) / 100) * rows * 8));
  return blocks[Math.min(8, Math.max(0, eighths - (rows - 1 - row) * 8))] ?? ' ';
}

/** Each sign at its time, or up to three columns later where another has its place. */
function signLine(moments: readonly MomentView[], range: Range, columns: number): string {
  const line = Array.from({ length: columns }, () => ' ');
  for (const { at, is } of moments) {
    const column = columnOf(Date.parse(at), range, columns);
    const free = [column, column + 1, column + 2, column + 3].find((place) => line[place] === ' ');
    const found = signs[is];
    if (found && free !== undefined) line[free] = found.sign;
  }
  return line.join('');
}

function legend(moments: readonly MomentView[]): string[] {
  const shown = Object.entries(signs).flatMap(([is, { sign, name }]) => {
    const count = moments.filter((moment) => moment.is === is).length;
    return count === 0 ? [] : [`${sign} ${name}${count === 1 ? '' : ` (${count})`}`];
  });
  return shown.length === 0 ? [] : [`${' '.repeat(gutter)}${shown.join('   ')}`];
}

const quarter = 15 * 60_000;

/** `isOpen`: its right end is now. */
export function timeAxis(
  { from, to }: Range,
  columns: number,
  { now, isOpen }: { now: number; isOpen: boolean },
): string[] {
  const label = (at: number): string => {
    const text = clock(at, now).replace(/^\d{4}-/, '');
    return to - from < quarter ? text : text.slice(0, -3);
  };
  const end = isOpen ? 'now' : '';
  // The first is of the oldest time, which has the date if any has.
  const spacing = label(from).length + 5;
  let line = '';
  let labels = '';
  for (let column = 0; column < columns; column += spacing) {
    const text = label(from + ((to - from) * column) / columns);
    if (column + text.length > columns - end.length - 1) break;
    line = `${line.padEnd(column, '─')}┬`;
    labels = labels.padEnd(column) + text;
  }
  return [`  0%└${line.padEnd(columns, '─')}`, `     ${labels.padEnd(columns - end.length)}${end}`.trimEnd()];
}

export function forecastText({ forecast, marks, phase }: CurveView): string {
  const mark = `critical mark (${marks.critical} %)`;
  if (phase === 'exited' || phase === 'lost') return `No forecast for the ${mark}: the session is ${phase}.`;
  if (forecast.is === 'reached') return `The context has reached the ${mark}.`;
  if (forecast.is === 'unknown' || forecast.in_seconds === null)
    return `No forecast for the ${mark}: ${oneLine(forecast.why ?? 'no data')}.`;
  const time = about(forecast.in_seconds);
  const pace = `${forecast.points_per_hour} points an hour`;
  // What does not work does not grow.
  return phase === 'working'
    ? `Critical mark (${marks.critical} %) in about ${time} at this pace (${pace}).`
    : `Critical mark (${marks.critical} %) in about ${time} at its last pace (${pace}); it is ${phase} now.`;
}

/** No more exact than a forecast is. */
export function about(seconds: number): string {
  const minutes = seconds / 60;
  if (minutes < 1.5) return 'a minute';
  if (minutes < 10) return `${Math.round(minutes)} min`;
  if (minutes < 100) return `${Math.round(minutes / 5) * 5} min`;
  const hours = minutes / 60;
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;
}
