// How lines reach an app-server: through a pipe with a name, which outlives whoever writes into it. What it says comes
// from the file that it writes, and is read there.
import { constants, open as openFile } from 'node:fs';
import { Socket } from 'node:net';
import { promisify } from 'node:util';

export interface Transport {
  /** Resolves when all of it has gone out; false when there is nobody who could read it. */
  send(line: string): Promise<boolean>;
  close(): void;
}

/** Without a reader this fails at once instead of waiting for one. */
const openPipe = (path: string): Promise<number | null> =>
  promisify(openFile)(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => null);

/**
 * Whoever wrote into the pipe before us may have died in the middle of a line. The line that we begin with does nothing,
 * whether it is taken or spoilt by that.
 */
export function pipeTransport(path: string, idleLine: string): Transport {
  let pipe: Promise<Socket | null> | null = null;
  let closed = false;

  async function connect(): Promise<Socket | null> {
    const fd = await openPipe(path);
    if (fd === null) return null;
    // Not a file: a process that does not read would keep one of the few threads for files for ever.
    const socket = new Socket({ fd, readable: false, writable: true });
    socket.on('error', () => socket.destroy());
    socket.write(`${idleLine}\n`);
    return socket;
  }

  return {
    async send(line) {
      if (closed) return false;
      pipe ??= connect();
      const socket = await pipe;
      if (!socket || socket.destroyed) {
        pipe = null;
        return false;
      }
      return new Promise((resolve) => {
        socket.write(`${line}\n`, (error) => resolve(!error));
      });
    },
    close() {
      closed = true;
      void pipe?.then((socket) => socket?.destroy());
    },
  };
}
