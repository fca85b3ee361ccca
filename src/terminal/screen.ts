// Looking at a pane: one command list, so that text, cursor and mode belong to the same moment.

import type { Screen } from '../ports/terminal.ts';
import type { Abilities } from './control-client.ts';
import { NAME_OPTION } from './panes.ts';
import { selfContainedRows } from './styled-rows.ts';

// The name comes first, as for all that is asked of a pane; the title last: it alone may contain the separator.
const FIELDS = [
  NAME_OPTION,
  'pane_pid',
  'cursor_x',
  'cursor_y',
  'pane_width',
  'pane_height',
  'pane_in_mode',
  'pane_dead',
  'pane_title',
];

export function lookCommands(id: string, { unwritten }: Abilities): string[][] {
  const capture = ['capture-pane', '-p', '-t', id];
  // -N keeps trailing blanks: an empty composer is one blank in reverse video. What was never written is no blank: where
  // tmux takes it for one, the styles alone tell.
  const kept = unwritten === 'nothing if asked' ? ['-N', '-T'] : ['-N'];
  return [
    ['display-message', '-p', '-t', id, FIELDS.map((field) => `#{${field}}`).join('|')],
    unwritten === 'blanks' ? capture : [...capture, ...kept],
    [...capture, ...kept, '-e'],
    ['list-clients', '-t', id, '-F', '#{client_control_mode} #{client_activity}'],
  ];
}

export function parseLook(outputs: readonly string[][], now: number): Screen & { panePid: number } {
  const [facts = [], plain = [], styled = [], clients = []] = outputs;
  const values = (facts[0] ?? '').split('|');
  const field = (name: string) => Number(values[FIELDS.indexOf(name)]);
  const rows = field('pane_height');
  return {
    panePid: field('pane_pid'),
    lines: exactly(rows, plain),
    styled: selfContainedRows(exactly(rows, styled)),
    cursor: { x: field('cursor_x'), y: field('cursor_y') },
    columns: field('pane_width'),
    rows,
    copyMode: field('pane_in_mode') > 0,
    dead: field('pane_dead') === 1,
    title: values.slice(FIELDS.length - 1).join('|'),
    humanActiveAt: lastActivity(clients, now),
  };
}

export function captureCommands(id: string, lines: number): string[][] {
  return [tellName(id), ['capture-pane', '-p', '-t', id, '-S', `-${lines}`]];
}

export function leaveCopyModeCommands(id: string): string[][] {
  return [tellName(id), ['copy-mode', '-q', '-t', id]];
}

function tellName(id: string): string[] {
  return ['display-message', '-p', '-t', id, `#{${NAME_OPTION}}`];
}

/** Below its text a pane shows blank rows, which are not what the last lines are asked for. */
export function lastLines(output: readonly string[], lines: number): string {
  const end = output.findLastIndex((line) => line !== '') + 1;
  return output.slice(Math.max(0, end - lines), end).join('\n');
}

function exactly(rows: number, lines: readonly string[]): string[] {
  return Array.from({ length: rows }, (_, row) => lines[row] ?? '');
}

/** tmux tells only the second, so a key counts as pressed at its end: rather too late than too early. */
function lastActivity(clients: readonly string[], now: number): number | null {
  const humans = clients.map((line) => line.split(' ')).filter(([controlMode]) => controlMode !== '1');
  if (humans.length === 0) return null;
  const second = Math.max(...humans.map(([, activity]) => Number(activity)));
  return Math.min(now, second * 1000 + 999);
}
