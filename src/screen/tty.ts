// The terminal that the screen is painted on. It is given back as it was found, whatever ends the program.
import { writeSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';
import { type Key, KeyReader } from './keys.ts';

const enter = '\x1b[?1049h\x1b[?7l\x1b[?25l\x1b[?2004h';
const leave = '\x1b[?2026l\x1b[0m\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';
const mouseOn = '\x1b[?1000h\x1b[?1006h';
const mouseOff = '\x1b[?1006l\x1b[?1000l';
/** How long an Escape may be the beginning of a longer key. */
const escapeMs = 25;

export interface Tty {
  readonly size: { readonly rows: number; readonly columns: number };
  /** False: it has not taken the last one yet; `ready` tells when it has. */
  write(text: string): boolean;
  mouse(on: boolean): void;
  /** Gives the terminal to somebody else until the work is done. */
  handOver<T>(work: () => Promise<T>): Promise<T>;
  suspend(): void;
  close(): void;
}

export interface TtyEvents {
  key(key: Key): void;
  resized(): void;
  /** It can be written to again, and nothing is known of what it shows if `blank`. */
  ready(blank: boolean): void;
  /** Nobody is there any more: a signal, or the connection closed. */
  gone(exitCode: number): void;
}

export function openTty(input: ReadStream, output: WriteStream, events: TtyEvents): Tty {
  const reader = new KeyReader();
  const decoder = new TextDecoder();
  let openEscape: NodeJS.Timeout | undefined;
  let isOurs = false;
  let withMouse = true;

  const say = (keys: readonly Key[]) => {
    for (const key of keys) events.key(key);
  };
  const data = (chunk: Buffer) => {
    clearTimeout(openEscape);
    say(reader.read(decoder.decode(chunk, { stream: true })));
    if (reader.isOpen) openEscape = setTimeout(() => say(reader.flush()), escapeMs);
  };

  function take(): void {
    isOurs = true;
    input.setRawMode(true);
    input.on('data', data);
    input.resume();
    output.write(enter + (withMouse ? mouseOn : ''));
  }

  function giveBack(): void {
    if (!isOurs) return;
    isOurs = false;
    clearTimeout(openEscape);
    input.off('data', data);
    input.pause();
    try {
      // At once: at an exit nothing that waits would be written.
      writeSync(1, leave);
      input.setRawMode(false);
    } catch {
      // The terminal is gone already.
    }
  }

  const resized = () => events.resized();
  const drained = () => events.ready(false);
  const ended = () => events.gone(0);
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
  const onSignal = (signal: NodeJS.Signals) => {
    giveBack();
    events.gone(signals[signal as keyof typeof signals] ?? 1);
  };
  const resumed = () => {
    take();
    events.resized();
    events.ready(true);
  };
  const crashed = () => giveBack();

  const listened: readonly (readonly [NodeJS.EventEmitter, string, (signal: NodeJS.Signals) => void])[] = [
    [output, 'resize', resized],
    [output, 'drain', drained],
    [input, 'end', ended],
    [process, 'exit', crashed],
    [process, 'uncaughtExceptionMonitor', crashed],
    ...Object.keys(signals).map((signal) => [process, signal, onSignal] as const),
  ];

  take();
  for (const [from, event, heard] of listened) from.on(event, heard);
  // Also after the end: what fails then must not be thrown.
  input.on('error', ended);
  output.on('error', ended);

  return {
    get size() {
      return { rows: output.rows ?? 24, columns: output.columns ?? 80 };
    },
    write: (text) => !isOurs || output.write(text),
    mouse(on) {
      withMouse = on;
      output.write(on ? mouseOn : mouseOff);
    },
    async handOver(work) {
      giveBack();
      try {
        return await work();
      } finally {
        resumed();
      }
    },
    suspend() {
      giveBack();
      process.once('SIGCONT', resumed);
      process.kill(process.pid, 'SIGTSTP');
    },
    close() {
      giveBack();
      process.off('SIGCONT', resumed);
      for (const [from, event, heard] of listened) from.off(event, heard);
    },
  };
}
