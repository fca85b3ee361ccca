// Worktrees in words.
import type { WorktreeView } from '../../protocol/worktree.ts';
import { directory } from './directory.ts';
import { oneLine } from './safe.ts';
import { tableLines } from './table.ts';

const heading = ['BRANCH', 'SESSION', 'COMMITS', 'FILES', 'SIZE', 'PATH'];

export function worktreeTable(worktrees: readonly WorktreeView[], columns?: number): string[] {
  const rows = worktrees.map((each) =>
    [
      oneLine(each.branch ?? 'no branch'),
      `${oneLine(each.session_name)} (${each.session_id})${each.session === 'running' ? '' : `, ${each.session}`}`,
      commitsText(each),
      filesText(each),
      each.size_bytes === null ? '' : sizeText(each.size_bytes),
      directory(each.path),
    ].map((text) => ({ text })),
  );
  return tableLines(heading, rows, columns);
}

/** `3 ahead, 1 behind main` */
function commitsText({ ahead, behind, base }: WorktreeView): string {
  if (ahead === null || behind === null) return '';
  const parts = [...(ahead > 0 ? [`${ahead} ahead`] : []), ...(behind > 0 ? [`${behind} behind`] : [])];
  return parts.length === 0
    ? `as ${oneLine(base)}`
    : `${parts.join(', ')} ${ahead > 0 && behind === 0 ? 'of ' : ''}${oneLine(base)}`;
}

const states = {
  making: 'being made',
  finishing: 'being finished',
  removing: 'being removed',
  archived: 'removed',
  restoring: 'coming back',
};

/** `2 changed, 1 untracked` */
function filesText({ state, fault, changed, untracked }: WorktreeView): string {
  if (state !== 'ready') return states[state];
  if (fault !== null) return oneLine(fault);
  const parts = [
    ...(changed ? [`${changed} changed`] : []),
    ...(untracked ? [`${untracked} untracked`] : []),
  ];
  return parts.join(', ') || 'clean';
}

export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
