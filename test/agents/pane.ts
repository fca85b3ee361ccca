// The real program in a tmux pane of its own, driven by plain tmux commands: what `sm` does, without `sm`.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { until } from './until.ts';

const run = promisify(execFile);

export interface PaneScreen {
  lines: string[];
  text: string;
  styled: string;
  cursor: { x: number; y: number };
}

export interface LaunchedPane {
  pid: number;
  keys(...keys: string[]): Promise<void>;
  /** Pastes the text and presses Enter, in one go. */
  submit(text: string): Promise<void>;
  paste(text: string): Promise<void>;
  screen(): Promise<PaneScreen>;
  /** Waits until the screen is as the predicate wants it. */
  shows(what: string, wanted: (screen: PaneScreen) => boolean, timeoutMs?: number): Promise<PaneScreen>;
  dead(): Promise<boolean>;
  close(): Promise<void>;
}

export interface PaneSpec {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  columns?: number;
  rows?: number;
}

export async function launchPane(spec: PaneSpec): Promise<LaunchedPane> {
  const { columns = 200, rows = 50 } = spec;
  const socket = `sm-facts-${randomBytes(6).toString('hex')}`;
  const tmux = async (...args: string[]) =>
    (
      await run('tmux', ['-L', socket, '-f', '/dev/null', ...args], {
        env: { ...spec.env },
        maxBuffer: 1 << 24,
      })
    ).stdout;
  const target = '=agent:';
  const ask = async (format: string) => (await tmux('display-message', '-p', '-t', target, format)).trimEnd();

  const variables = Object.entries(spec.env).map(([name, value]) => `${name}=${value}`);
  await tmux(
    ...['new-session', '-d', '-s', 'agent', '-x', `${columns}`, '-y', `${rows}`, '-c', spec.cwd],
    ...['--', 'env', '-i', ...variables, ...spec.argv, ';', 'set-option', '-g', 'remain-on-exit', 'on'],
  );
  const [pid, server] = (await ask('#{pane_pid} #{pid}')).split(' ').map(Number) as [number, number];

  const load = async (text: string) => {
    const loading = run('tmux', ['-L', socket, 'load-buffer', '-b', 'prompt', '-']);
    loading.child.stdin!.end(text);
    await loading;
  };
  const pasting = ['paste-buffer', '-p', '-r', '-d', '-b', 'prompt', '-t', target];

  const pane: LaunchedPane = {
    pid,
    keys: async (...keys) => void (await tmux('send-keys', '-t', target, ...keys)),
    submit: async (text) => {
      await load(text);
      await tmux(...pasting, ';', 'send-keys', '-t', target, 'Enter');
    },
    paste: async (text) => {
      await load(text);
      await tmux(...pasting);
    },
    screen: async () => {
      const [x, y] = (await ask('#{cursor_x} #{cursor_y}')).split(' ').map(Number) as [number, number];
      const text = await tmux('capture-pane', '-p', '-t', target);
      const styled = await tmux('capture-pane', '-p', '-e', '-t', target);
      return { text, styled, lines: text.split('\n'), cursor: { x, y } };
    },
    shows: (what, wanted, timeoutMs = 15_000) =>
      until(
        `the screen to show ${what}`,
        async () => {
          const screen = await pane.screen();
          return wanted(screen) && screen;
        },
        { timeoutMs, onTimeout: async () => (await pane.screen()).text.replace(/\n{3,}/g, '\n\n') },
      ),
    dead: async () => (await ask('#{pane_dead}')) === '1',
    close: async () => {
      await tmux('kill-server').catch(() => {});
      await until('tmux to be gone', () => !alive(server));
    },
  };
  return pane;
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
