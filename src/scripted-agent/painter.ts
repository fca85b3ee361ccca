// Owns the terminal: raw mode, the alternate screen, bracketed paste; and writes only the rows that changed.

import type { ReadStream, WriteStream } from 'node:tty';
import type { Frame, Size } from './screen.ts';

export interface Painter {
  readonly size: Size;
  paint(frame: Frame): void;
  onResize(listener: () => void): void;
  /** Gives the terminal back as it was. */
  close(): void;
}

const ENTER = '\x1b[?1049h\x1b[2J\x1b[?25l\x1b[?2004h';
const LEAVE = '\x1b[?2004l\x1b[?25h\x1b[?1049l';

export function openPainter(input: ReadStream, output: WriteStream): Painter {
  let shown: string[] = [];
  let open = true;
  // The terminal may be gone before we are; what is left to say then goes to hooks, not to it.
  input.on('error', () => {});
  output.on('error', () => {});
  input.setRawMode?.(true);
  output.write(ENTER);

  return {
    get size() {
      return { columns: output.columns || 80, rows: output.rows || 24 };
    },
    paint(frame) {
      if (!open) return;
      const changes = frame.rows.flatMap((row, y) =>
        row === shown[y] ? [] : [`\x1b[${y + 1};1H\x1b[0m${row}\x1b[0m\x1b[K`],
      );
      shown = frame.rows;
      // Synchronised update: nobody who looks sees half a frame or a cursor on its way.
      output.write(
        `\x1b[?2026h${changes.join('')}\x1b[${frame.cursor.y + 1};${frame.cursor.x + 1}H\x1b[?2026l`,
      );
    },
    onResize(listener) {
      output.on('resize', () => {
        shown = [];
        output.write('\x1b[2J');
        listener();
      });
    },
    close() {
      if (!open) return;
      open = false;
      output.write(LEAVE);
      input.setRawMode?.(false);
    },
  };
}
