// How an agent without a terminal is told something: as a file, whose name goes through a pipe (hooks/headless.sh).
// A name is short enough for the system to write it whole or not at all. So whoever dies over it leaves nothing half
// said, which some agents would not survive. What the agent says comes from the file that it writes, and is read there.
import { constants, open as openFile } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Transport {
  /**
   * Resolves when its name has gone out; false when there is nobody who could read it. A name is for one line only.
   * `stored`: done when the line is stored, and before its name goes out.
   */
  send(name: string, line: string, stored?: () => Promise<void>): Promise<boolean>;
  /** Lets its name go out once more, in case that it did not. The agent is not given a line twice. */
  again(name: string): Promise<boolean>;
  /** Whether there is a process that reads what we say. */
  reach(): Promise<boolean>;
  close(): void;
}

/** Of a line that is kept: it is there until the agent has said what became of it, and is forgotten then. */
export const kept = (name: string): string => `${name}.kept`;

/** Without a reader this fails at once instead of waiting for one. */
const openPipe = (path: string): Promise<number | null> =>
  promisify(openFile)(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);

export function fileTransport(folder: string): Transport {
  let pipe: Promise<Socket | null> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function connect(): Promise<Socket | null> {
    const fd = await openPipe(join(folder, 'names'));
    if (fd === null) return null;
    // Not a file: a process that does not read would keep one of the few threads for files for ever.
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on('error', () => socket.destroy());
    return socket;
  }

  async function reached(): Promise<Socket | null> {
    if (closed) return null;
    pipe ??= connect();
    const socket = await pipe;
    if (socket && !socket.destroyed) return socket;
    pipe = null;
    return null;
  }

  async function name(file: string): Promise<boolean> {
    const socket = await reached();
    if (!socket) return false;
    return new Promise((resolve) => {
      socket.write(`${file}\n`, (error) => resolve(!error));
    });
  }

  /** One after the other, in the order of the calls: several in one write would be more than the system keeps together. */
  function inOrder(send: () => Promise<boolean>): Promise<boolean> {
    const went = last.then(send);
    last = went;
    return went;
  }

  return {
    send(file, line, then) {
      const stored = reached().then(
        async (socket) => socket !== null && (await put(join(folder, 'say'), file, line, then)),
      );
      return inOrder(async () => (await stored) && name(file));
    },
    again: (file) => inOrder(() => name(file)),
    reach: async () => (await reached()) !== null,
    close() {
      closed = true;
      void pipe?.then((socket) => socket?.destroy());
    },
  };
}

/** Whole or not at all. False: there is no room for it, or no folder, and then nobody who reads what is in it. */
async function put(
  folder: string,
  file: string,
  line: string,
  stored?: () => Promise<void>,
): Promise<boolean> {
  const [half, whole] = [join(folder, `${file}.half`), join(folder, file)];
  try {
    await writeFile(half, `${line}\n`, { mode: 0o600 });
    await rename(half, whole);
    await stored?.();
    return true;
  } catch {
    for (const path of [half, whole]) await rm(path, { force: true }).catch(() => undefined);
    return false;
  }
}
