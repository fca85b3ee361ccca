// What an agent tells of the limits of its account. The history has a line for each whole point.
import type { Change } from '../core/change.ts';
import type { LimitWindow } from '../core/limits.ts';
import { learnReset } from './standstill.ts';

/** Agents tell the same reset with some seconds of difference. */
const sameReset = 60_000;

export function limitsTold(c: Change, windows: readonly LimitWindow[], at: number): void {
  const { limits, account } = c.session;
  if (windows.length === 0 || (limits && at < limits.at)) return;
  const known = limits?.windows ?? [];
  if (windows.length === known.length && windows.every((window, i) => isSame(window, known[i]))) return;
  c.update({ limits: { at, windows } });
  for (const window of windows) {
    const before = known.find(({ name }) => name === window.name);
    if (account !== null && (!before || differ(before, window)))
      c.emit({
        type: 'limit',
        step: 'told',
        account,
        window: window.name,
        used: window.used,
        resetsAt: window.resetsAt,
      });
  }
  learnReset(c, null);
}

const isSame = (a: LimitWindow, b: LimitWindow | undefined): boolean =>
  a.name === b?.name && a.used === b.used && a.resetsAt === b.resetsAt;

const differ = (a: LimitWindow, b: LimitWindow): boolean =>
  Math.floor(a.used) !== Math.floor(b.used) || Math.abs((a.resetsAt ?? 0) - (b.resetsAt ?? 0)) > sameReset;
