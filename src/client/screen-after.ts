// A pane as it looks after an item of its stream; null: there is none.
import type { ScreenItem, ScreenView } from '../protocol/session.ts';

export type PaneScreen = Omit<ScreenView, 'lines'> & { readonly lines: readonly string[] };

export function screenAfter(before: PaneScreen | null, item: ScreenItem): PaneScreen | null {
  if (item.is === 'none') return null;
  if (item.is === 'screen') return item.screen;
  if (!before) return null;
  const lines = before.lines.map((line, row) => item.lines[row] ?? line);
  return { ...before, cursor: item.cursor, lines };
}
