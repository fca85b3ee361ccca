// Our panes as tmux lists them. A pane is ours by an option on the pane itself: a session's name would also
// lead to panes that a human, or the agent, has opened beside it.

import { constants } from 'node:os';
import type { Pane } from '../ports/terminal.ts';
import type { Records } from './records.ts';

/** The pane option that holds the name. */
export const NAME_OPTION = '@sm-name';

export interface ListedPane {
  name: string;
  /** tmux's own id (`%7`), which is never used again while the server lives. */
  id: string;
  /** What tmux started: the launcher. */
  pid: number;
  dead: boolean;
  status: string;
  signal: string;
}

const FIELDS = [NAME_OPTION, 'pane_id', 'pane_pid', 'pane_dead', 'pane_dead_status', 'pane_dead_signal'];

export const LIST_PANES = ['list-panes', '-a', '-F', FIELDS.map((field) => `#{${field}}`).join('|')];

/** The panes in the output of LIST_PANES, without those that are not ours. */
export function parsePanes(lines: readonly string[]): ListedPane[] {
  return lines
    .map((line) => line.split('|') as [string, string, string, string, string, string])
    .map(([name, id, pid, dead, status, signal]) => ({
      name,
      id,
      pid: Number(pid),
      dead: dead === '1',
      status,
      signal,
    }))
    .filter(({ name }) => name !== '');
}

/**
 * The pane as the port shows it. `pid` is the agent's own process: the launcher may be gone before it. Until the
 * agent's is recorded it is the launcher's, with no start time, since it proves nothing. The launcher's record
 * also tells of the end a moment earlier than tmux, which up to 3.4 may never learn the status.
 */
export function describePane(listed: ListedPane, records: Records): Pane {
  const { name, pid, status, signal } = listed;
  const run = records.run(name, pid) ?? { pid, startedAt: null };
  const recorded = records.exitCode(name, pid);
  const dead = listed.dead || recorded !== null;
  const exitCode = dead ? (recorded ?? codeFromTmux(status, signal)) : null;
  return {
    name,
    ...run,
    dead,
    exitCode,
    exitSignal: exitCode !== null && exitCode > 128 ? exitCode - 128 : null,
  };
}

/** The same as a shell would say it: 128 + n for signal n, which versions give as a number or as a name. */
function codeFromTmux(status: string, signal: string): number | null {
  if (status !== '') return Number(status);
  if (signal === '') return null;
  const number = /^\d+$/.test(signal)
    ? Number(signal)
    : constants.signals[`SIG${signal.replace(/^SIG/, '')}` as NodeJS.Signals];
  return number === undefined ? null : 128 + number;
}
