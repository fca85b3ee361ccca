// The curve of how full a context was, drawn for a terminal. Pure: an answer of the daemon in, lines out.
import type { CurveView, MomentView } from '../protocol/context.ts';
import type { Colours, Paint } from './format/colours.ts';
import { cut } from './format/width.ts';
import { timeAxis } from './time-axis.ts';

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

const emptying: ReadonlySet<MomentView['is']> = new Set<MomentView['is']>([
  'compacted',
  'launch',
  'resume',
  'clear',
  'handoff',
  'exited',
  'lost',
]);

/** The fullest that the context was in each column; null where nobody knows: after it was emptied, or with its agent gone. */
export function levelsOf(view: CurveView, range: Range, columns: number): (number | null)[] {
  const news = [
    // At the same moment the sample is the last before it was emptied.
    ...view.samples.map(({ at, percentage }) => ({ at: Date.parse(at), level: percentage as number | null })),
    ...view.moments
      .filter(({ is }) => emptying.has(is))
      .map(({ at }) => ({ at: Date.parse(at), level: null })),
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
