import { expect, test } from 'vitest';
import { curve } from '../../../test/support/contexts.ts';
import type { CurveView, MomentView } from '../../protocol/context.ts';
import { coloursFor } from './colours.ts';
import { curveLines, levelsOf, rangeOf } from './context.ts';
import { textWidth } from './width.ts';

const plain = coloursFor({ outputIsTerminal: false, env: {} });
const colourful = coloursFor({ outputIsTerminal: true, env: {} });
/** Minutes before the answer, which is at noon. */
const at = (minutes: number) =>
  new Date(Date.parse('2025-01-02T12:00:00.000Z') - minutes * 60_000).toISOString();
const sample = (minutes: number, percentage: number) => ({
  at: at(minutes),
  context: 1,
  percentage,
  tokens: null,
});
const moment = (minutes: number, is: MomentView['is']): MomentView => ({
  at: at(minutes),
  is,
  percentage: null,
});
const drawn = (changes: Partial<CurveView>, width = 45) => curveLines(curve(changes), width, plain);

/** A context that fills up, is compacted, fills again, and is handed over. */
const life: Partial<CurveView> = {
  used_percentage: 30,
  samples: [
    ...[10, 20, 30, 40, 52, 60, 70].map((percentage, i) => sample(119 - i * 10, percentage)),
    ...[15, 40, 55].map((percentage, i) => sample(48 - i * 6, percentage)),
    sample(20, 8),
    sample(10, 30),
  ],
  moments: [
    moment(120, 'launch'),
    moment(80, 'warning'),
    moment(60, 'critical'),
    moment(55, 'compaction'),
    moment(51, 'compacted'),
    moment(36, 'warning'),
    moment(24, 'handoff'),
  ],
};

test('a curve with its marks, its moments, its axis and what the signs mean', () => {
  const clocks = (minutes: number) => {
    const time = new Date(at(minutes));
    return [time.getHours(), time.getMinutes()].map((value) => String(value).padStart(2, '0')).join(':');
  };
  expect(drawn(life)).toEqual([
    '                  !      ‼C      !   H',
    '100%│',
    '    │',
    '    │',
    ' 65%│┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄████┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄',
    ' 50%│┄┄┄┄┄┄┄┄┄┄┄┄┄▂▂▂▂███████┄┄┄┄▄▄▄▄▄┄┄┄┄┄┄┄',
    '    │             ███████████    █████',
    '    │          ██████████████  ███████',
    '    │       █████████████████  ███████   ████',
    '    │   █████████████████████▄▄███████   ████',
    '    │█████████████████████████████████▆▆▆████',
    '  0%└┬─────────┬─────────┬─────────┬─────────',
    `     ${[120, 90, 60, 30].map(clocks).join('     ')}  now`,
    '     ! warning (2)   ‼ critical   C compacti…',
  ]);
});

test('no line is wider than the terminal, whatever it is, and none is cut in the middle of a colour', () => {
  for (const width of [20, 45, 80, 300]) {
    for (const line of drawn(life, width)) expect(textWidth(line)).toBeLessThanOrEqual(width);
    const painted = curveLines(curve(life), width, colourful);
    expect(painted.map((line) => line.replace(/\u001b\[\d+m/g, '').trimEnd())).toEqual(drawn(life, width));
  }
});

test('nothing has colours where nobody looks', () => {
  expect(drawn(life).join('')).not.toContain('\u001b');
  expect(curveLines(curve(life), 45, colourful).join('')).toContain('\u001b[31m');
});

test('the level holds until the next sample, and is unknown after the context was emptied', () => {
  const view = curve({
    used_percentage: 9,
    samples: [sample(100, 20), sample(70, 60), sample(10, 9)],
    moments: [moment(40, 'clear')],
  });
  expect(levelsOf(view, { from: Date.parse(at(100)), to: Date.parse(at(0)) }, 10)).toEqual([
    20,
    20,
    20,
    60,
    60,
    60,
    60,
    null,
    null,
    9,
  ]);
});

test('a peak between two columns is not lost, and the last sample before a clear is of the old context', () => {
  const view = curve({
    used_percentage: 1,
    samples: [sample(100, 5), sample(55, 90), sample(54, 91), sample(51, 1)],
    moments: [moment(54, 'clear')],
  });
  const levels = levelsOf(view, { from: Date.parse(at(100)), to: Date.parse(at(0)) }, 10);
  expect(levels).toEqual([5, 5, 5, 5, 91, 1, 1, 1, 1, 1]);
});

test('of a session that is gone the curve ends with it', () => {
  const view = curve({
    phase: 'exited',
    used_percentage: 30,
    samples: [sample(100, 30)],
    moments: [moment(60, 'exited')],
  });
  expect(rangeOf(view)).toEqual({ from: Date.parse(at(100)), to: Date.parse(at(60)) });
  const lines = curveLines(view, 45, plain);
  expect(lines[0]).toMatch(/×$/);
  expect(lines.join('\n')).not.toContain('now');
});

test('one sample is a curve, none is not', () => {
  expect(drawn({ samples: [sample(0, 3)], used_percentage: 3 }).join('')).toContain('▂');
  expect(drawn({ samples: [], moments: [moment(5, 'launch')] })).toEqual([]);
});

test('signs that fall together stand beside each other', () => {
  const [signs] = drawn({
    samples: [sample(100, 30)],
    moments: [moment(50, 'warning'), moment(50, 'critical'), moment(50, 'compaction')],
  });
  expect(signs?.trim()).toBe('!‼C');
});

test('an axis of days has dates, one of minutes has seconds', () => {
  expect(drawn({ samples: [sample(3 * 24 * 60, 30)] }, 80).at(-1)).toMatch(/12-30 \d\d:\d\d {5}/);
  expect(drawn({ samples: [sample(4, 30)] }, 80).at(-1)).toMatch(/\d\d:\d\d:\d\d/);
});
