// The live screens of sessions: what a pane shows, and each change of it. A reader that is slow gets fewer pictures,
// never old ones: what it is sent next is the difference to what it has.
import type { Clock } from '../ports/clock.ts';
import { paneName, type Screen, type Terminal } from '../ports/terminal.ts';
import type { ScreenItem, ScreenView } from '../protocol/session.ts';
import { beat } from './stream.ts';
import { beatText } from './stream-text.ts';

export interface Screens {
  open(sessionId: string): ReadableStream<Uint8Array>;
  /** Ends all of them. */
  close(): void;
}

export const screenView = ({ columns, rows, cursor, styled }: Screen): ScreenView => ({
  columns,
  rows,
  cursor,
  lines: [...styled],
});

export function createScreens(terminal: Terminal, clock: Clock): Screens {
  const open = new Set<() => void>();
  return {
    open(id) {
      const { stream, end } = openScreen(terminal, clock, paneName(id), () => open.delete(end));
      open.add(end);
      return stream;
    },
    close() {
      for (const end of [...open]) end();
    },
  };
}

function openScreen(terminal: Terminal, clock: Clock, pane: string, gone: () => void) {
  const encoder = new TextEncoder();
  let sent: ScreenView | null = null;
  let news = true;
  let beatIsDue = false;
  let over = false;
  let wake: (() => void) | null = null;
  const unwatch = terminal.watch(pane, () => {
    news = true;
    wake?.();
  });
  let timer = clock.timer(beat, tick);

  function tick(): void {
    timer = clock.timer(beat, tick);
    beatIsDue = true;
    wake?.();
  }

  function end(): void {
    over = true;
    timer.cancel();
    unwatch();
    wake?.();
    gone();
  }

  async function next(): Promise<string> {
    while (!news && !beatIsDue && !over) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = null;
    }
    const sign = beatIsDue ? beatText : '';
    beatIsDue = false;
    if (!news || over) return sign;
    news = false;
    const look = await terminal.look(pane).catch(() => null);
    const screen = look && !look.dead ? screenView(look) : null;
    const item = difference(sent, screen);
    sent = screen;
    if (item?.is === 'none') end();
    return item ? `data: ${JSON.stringify(item)}\n\n` : sign;
  }

  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      let text = '';
      while (text === '' && !over) text = await next();
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (over) controller.close();
    },
    cancel: end,
  });
  return { stream, end };
}

function difference(before: ScreenView | null, now: ScreenView | null): ScreenItem | null {
  if (!now) return { is: 'none' };
  if (!before || before.columns !== now.columns || before.rows !== now.rows)
    return { is: 'screen', screen: now };
  const lines = Object.fromEntries(
    now.lines.flatMap((line, row) => (line === before.lines[row] ? [] : [[String(row), line]])),
  );
  const moved = before.cursor.x !== now.cursor.x || before.cursor.y !== now.cursor.y;
  return Object.keys(lines).length > 0 || moved ? { is: 'rows', cursor: now.cursor, lines } : null;
}
