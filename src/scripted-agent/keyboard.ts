// Reads the terminal and hands over what was typed.

import type { ReadStream } from 'node:tty';
import { createKeyDecoder, type Input } from './keys.ts';

/** A lone ESC that no sequence follows within this time is the Escape key. */
const ESCAPE_MS = 20;

export function readKeyboard(terminal: ReadStream, handle: (input: Input) => void): void {
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;
  terminal.on('data', (chunk: Buffer) => {
    clearTimeout(timer);
    decoder.push(chunk).forEach(handle);
    if (decoder.pending) timer = setTimeout(() => decoder.flush().forEach(handle), ESCAPE_MS);
  });
}
