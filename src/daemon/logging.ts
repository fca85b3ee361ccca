// The daemon's log: JSON lines in a file that is turned over when it grows too large.
import { appendFileSync, renameSync, rmSync, statSync } from 'node:fs';
import pino from 'pino';
import type { Log } from '../ports/log.ts';

const largest = 5 * 1024 * 1024;
const kept = 3;

export function openLog(file: string): Log {
  let size = sizeOf(file);
  const destination = {
    write(line: string) {
      if (size > largest) {
        turnOver(file);
        size = 0;
      }
      try {
        // At once: lines are few, and one that is lost in a crash is the one that would have told why.
        appendFileSync(file, line, { mode: 0o600 });
        size += Buffer.byteLength(line);
      } catch {
        // A full disk must not take the daemon along.
      }
    },
  };
  return pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, level: process.env.SM_LOG_LEVEL ?? 'info' },
    destination,
  );
}

function turnOver(file: string): void {
  rmSync(`${file}.${kept}`, { force: true });
  for (let n = kept - 1; n >= 0; n -= 1) {
    const from = n === 0 ? file : `${file}.${n}`;
    try {
      renameSync(from, `${file}.${n + 1}`);
    } catch {
      // Not there yet.
    }
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
