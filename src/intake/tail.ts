// Follows one growing file of lines from an offset, told by the file system when it grows.
import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, readlink } from 'node:fs/promises';
import type { Clock } from '../ports/clock.ts';
import { openRegular } from './regular-file.ts';

/** A file that is about to be made can only be asked for. */
const untilItExists = 250;
const untilHandedOver = 1_000;
const chunkSize = 256 * 1024;
/** Nothing that an agent writes is longer; what is, is passed over. */
const longestLine = 64 * 1024 * 1024;

export interface Tail {
  /** Reads to the present end. What it has found has been handed over when this resolves. */
  catchUp(): Promise<void>;
  readonly offset: number;
  close(): Promise<void>;
}

export interface TailOptions {
  readonly path: string;
  readonly offset: number;
  readonly clock: Clock;
  /** `offset` is where the line begins. Lines are handed over one after another. */
  readonly onLine: (line: string, offset: number) => Promise<void>;
  /** Whether what is open under that name may be read; where that is asked, names may lead anywhere. */
  readonly isOwn?: ((realPath: string) => boolean) | undefined;
}

export function followFile({ path, offset: start, clock, onLine, isOwn }: TailOptions): Tail {
  let offset = start;
  let closed = false;
  let watcher: FSWatcher | null = null;
  let retry: { cancel(): void } | null = null;
  let reading: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  /** The rest of a line that is too long comes before the next one. */
  let passingOver = false;

  function follow(): void {
    if (closed) return;
    try {
      watcher = watch(path, poke);
      watcher.on('error', () => watcher?.close());
      poke();
    } catch {
      retry = clock.timer(untilItExists, follow);
    }
  }

  /** What could not be handed over (the disk is full) stays unread and is tried again. */
  function poke(): void {
    catchUp().catch(() => {
      retry?.cancel();
      if (!closed) retry = clock.timer(untilHandedOver, poke);
    });
  }

  /** Whoever asks while a read is under way shares the one after it, which begins later than all of them asked. */
  function catchUp(): Promise<void> {
    next ??= reading.then(read, read);
    reading = next;
    return next;
  }

  async function read(): Promise<void> {
    next = null;
    const file = await openRegular(path);
    if (!file) return;
    try {
      if (isOwn && !isOwn(await readlink(`/proc/self/fd/${file.fd}`))) return;
      await readLines(file);
    } finally {
      await file.close();
    }
  }

  async function readLines(file: FileHandle): Promise<void> {
    const chunk = Buffer.allocUnsafe(chunkSize);
    let rest = Buffer.alloc(0);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, offset + rest.length);
      if (bytesRead === 0) return;
      const data = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let from = 0;
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
        if (!passingOver) await onLine(data.toString('utf8', from, end), offset);
        passingOver = false;
        offset += end + 1 - from;
        from = end + 1;
      }
      rest = data.subarray(from);
      if (rest.length <= longestLine) continue;
      offset += rest.length;
      rest = Buffer.alloc(0);
      passingOver = true;
    }
  }

  follow();
  return {
    catchUp,
    get offset() {
      return offset;
    },
    async close() {
      closed = true;
      retry?.cancel();
      watcher?.close();
      await reading.catch(() => undefined);
    },
  };
}
