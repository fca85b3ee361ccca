// The last that a pane shows before it is buried: all that is left of an agent that is gone.
import type { Terminal } from '../ports/terminal.ts';

/** As many rows as `sm output` shows of a live one. */
const mostRows = 50;

export async function lastScreen(terminal: Terminal, name: string): Promise<string> {
  const rows = ((await terminal.capture(name, 200)) ?? '').split('\n').map((row) => row.trimEnd());
  const text = rows.filter((row) => !row.startsWith('Pane is dead')).join('\n');
  return text
    .trimEnd()
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .split('\n')
    .slice(-mostRows)
    .join('\n');
}
