// A terminal that somebody sits at: a tmux server of the test's own, in which the real program runs and is looked at.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { startTestDaemon, type TestDaemon } from './daemon.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '../../dist/sm.cjs');

export interface Seat {
  shown(): Promise<string>;
  lines(): Promise<string[]>;
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  sees(text: string): Promise<unknown>;
  resize(to: string): Promise<void>;
  /** Of the shell that runs it. */
  pid(): Promise<number>;
}

export interface Room {
  tmux(...args: string[]): Promise<string>;
  /** Somebody sits down at a terminal of this size and calls `sm`; afterwards a shell is there. */
  sit(name: string, size: string, words?: string): Promise<Seat>;
  /** The same with any script for the shell; `sm` is what calls it there. */
  sitAt(name: string, size: string, script: (sm: string) => string): Promise<Seat>;
  /** The socket of another tmux in this room, for one inside the other. */
  readonly inner: string;
  dispose(): Promise<void>;
}

export function openRoom(home: string): Room {
  const folder = mkdtempSync(join(tmpdir(), 'sm-seat-'));
  const inner = join(folder, 'inner');
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const tmux = async (...args: string[]) =>
    (await run('tmux', ['-u', '-S', join(folder, 'seat'), '-f', '/dev/null', ...args], { env })).stdout;

  async function sitAt(name: string, size: string, script: (sm: string) => string): Promise<Seat> {
    const [columns = '80', rows = '24'] = size.split('x');
    const sm = `env SM_HOME=${home} ${process.execPath} ${program}`;
    await tmux('new-session', '-d', '-s', name, '-x', columns, '-y', rows, script(sm));
    const shown = async () => (await tmux('capture-pane', '-p', '-t', name)).trimEnd();
    return {
      shown,
      lines: async () => (await shown()).split('\n'),
      press: async (...keys) => void (await tmux('send-keys', '-t', name, ...keys)),
      type: async (text) => void (await tmux('send-keys', '-t', name, '-l', text)),
      sees: (text) =>
        until(`"${text}" on the screen`, async () => (await shown()).includes(text), { instead: shown }),
      resize: async (to) => {
        const [x = '80', y = '24'] = to.split('x');
        await tmux('resize-window', '-t', name, '-x', x, '-y', y);
      },
      pid: async () => Number((await tmux('display-message', '-p', '-t', name, '#{pane_pid}')).trim()),
    };
  }

  return {
    tmux,
    sitAt,
    inner,
    sit: (name, size, words = '') =>
      sitAt(name, size, (sm) => `unset TMUX; ${sm} ${words}; echo "left with $?"; exec cat`),
    async dispose() {
      await tmux('kill-server').catch(() => undefined);
      await run('tmux', ['-S', inner, 'kill-server'], { env }).catch(() => undefined);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A daemon, and a room with seats at it, for all tests of a file. */
export function useRoom(): { readonly daemon: TestDaemon; readonly room: Room } {
  let daemon: TestDaemon;
  let room: Room;
  beforeAll(async () => {
    daemon = await startTestDaemon();
    room = openRoom(daemon.home);
  });
  afterAll(async () => {
    await room?.dispose();
    await daemon.dispose();
  });
  return {
    get daemon() {
      return daemon;
    },
    get room() {
      return room;
    },
  };
}
