// Another size for a pane to which nobody is attached. For tmux it would be fixed from then on, so that whoever attaches later
// would not get his own: the wish is taken back in the same breath, and the size stays until somebody comes. If that is in
// this very moment, tmux gives him his own.
import type { PaneSize } from '../ports/terminal.ts';
import { TerminalFailed } from './errors.ts';
import type { PaneDirectory } from './pane-directory.ts';
import { NAME_OPTION } from './panes.ts';

export async function resizePane(
  directory: PaneDirectory,
  name: string,
  size: PaneSize,
): Promise<PaneSize | null> {
  const before = await directory.ask(name, (id) => [tellSize(id)]);
  if (!before) return null;
  // Whoever only looks has no terminal.
  if (sizeIn(before).attached.includes('/dev/')) return sizeIn(before);
  const after = await directory.ask(name, (id) => [tellSize(id), ...resizeCommands(id, size), tellSize(id)]);
  return after && sizeIn(after);
}

export const resizeCommands = (target: string, { columns, rows }: PaneSize): string[][] => [
  ['resize-window', '-t', target, '-x', String(columns), '-y', String(rows)],
  ['set-option', '-w', '-u', '-t', target, 'window-size'],
];

const tellSize = (id: string): string[] => [
  'display-message',
  '-p',
  '-t',
  id,
  `#{${NAME_OPTION}}|#{pane_width}|#{pane_height}|#{session_attached_list}`,
];

function sizeIn(outputs: readonly (readonly string[])[]) {
  const said = outputs.at(-1)?.[0] ?? '';
  const [, columns, rows, attached = ''] = said.split('|');
  if (!Number(columns) || !Number(rows))
    throw new TerminalFailed(`tmux does not say which size the pane has: ${said}`);
  return { columns: Number(columns), rows: Number(rows), attached };
}
