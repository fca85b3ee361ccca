// The version of this `sm` against that of the daemon: after an update they differ until the daemon is restarted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../io.ts';

/** Null: nothing says it, so that there is nothing to compare. */
export function ownVersion({ programDir }: Pick<Io, 'programDir'>): string | null {
  try {
    return (JSON.parse(readFileSync(join(programDir, '..', 'package.json'), 'utf8')) as { version: string })
      .version;
  } catch {
    return null;
  }
}

/** Below 0: the first is older. What comes after a hyphen is a preview, and older than what it is one of. */
export function compareVersions(first: string, second: string): number {
  const [[a = '', ...previewOfA], [b = '', ...previewOfB]] = [first.split('-'), second.split('-')];
  const [left, right] = [a, b].map((numbers) =>
    numbers.split('.').map((part) => Number.parseInt(part, 10) || 0),
  ) as [number[], number[]];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  const [one, other] = [previewOfA.join('-'), previewOfB.join('-')];
  if (one === '' || other === '') return Number(one === '') - Number(other === '');
  return one.localeCompare(other, 'en', { numeric: true });
}

/** What a person should know of a daemon that answers with this version; null: nothing. The oldest ones tell none. */
export function versionNotice(own: string | null, daemon: string | undefined): string | null {
  if (own === null || own === daemon) return null;
  if (daemon === undefined) return `sm ${own} talks to an older daemon; run: sm up`;
  const order = compareVersions(daemon, own);
  if (order === 0) return null;
  return order < 0
    ? `sm ${own} talks to an older daemon (${daemon}); run: sm up`
    : `sm ${own} talks to a newer daemon (${daemon}); update sm`;
}
