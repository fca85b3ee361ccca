// A real program in a tmux pane of its own, driven by plain tmux commands: what `sm` does, without `sm`.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';

export interface PaneScreen {
  lines: string[];
  text: string;
  /** The same with escape sequences. */
  styled: string;
  cursor: { x: number; y: number };
}

export interface Pane {
  pid: number;
  keys(...keys: string[]): Promise<void>;
  paste(text: string): Promise<void>;
  /** The keys, then the text, then Enter, as one command list: nothing fits between. */
  submit(text: string, ...keysBefore: string[]): Promise<void>;
  screen(): Promise<PaneScreen>;
  /** Waits until the screen is as the predicate wants it. */
  shows(what: string, wanted: (screen: PaneScreen) => boolean): Promise<PaneScreen>;
  ended(): Promise<void>;
  close(): Promise<void>;
}

export interface PaneSpec {
  argv: readonly string[];
  /** The whole environment of the program; nothing else is inherited. */
  env: Readonly<Record<string, string>>;
  cwd: string;
  columns?: number;
  rows?: number;
}

export async function launchPane(spec: PaneSpec): Promise<Pane> {
  const { columns = 200, rows = 50 } = spec;
  const dir = mkdtempSync(join(tmpdir(), 'sm-pane-'));
  const tmux = (...args: string[]) =>
    run('tmux', ['-S', join(dir, 'socket'), '-f', '/dev/null', ...args], spec.env);
  const target = ['-t', '=agent:'];

  const variables = Object.entries(spec.env).map(([name, value]) => `${name}=${value}`);
  await tmux(
    ...['new-session', '-d', '-s', 'agent', '-x', `${columns}`, '-y', `${rows}`, '-c', spec.cwd],
    ...['--', 'env', '-i', ...variables, ...spec.argv],
    ...[';', 'set-option', '-g', 'remain-on-exit', 'on'],
  );
  const ask = async (format: string) =>
    (await tmux('display-message', '-p', ...target, format)).trim().split(' ');
  const [pid, server] = (await ask('#{pane_pid} #{pid}')).map(Number) as [number, number];

  const load = (text: string) =>
    run('tmux', ['-S', join(dir, 'socket'), 'load-buffer', '-b', 'text', '-'], spec.env, text);
  const pasteLoaded = ['paste-buffer', '-p', '-r', '-d', '-b', 'text', ...target];
  const press = (keys: string[]) => (keys.length ? ['send-keys', ...target, ...keys, ';'] : []);

  const pane: Pane = {
    pid,
    keys: async (...keys) => void (await tmux('send-keys', ...target, ...keys)),
    paste: async (text) => {
      await load(text);
      await tmux(...pasteLoaded);
    },
    submit: async (text, ...keysBefore) => {
      await load(text);
      await tmux(...press(keysBefore), ...pasteLoaded, ';', 'send-keys', ...target, 'Enter');
    },
    screen: async () => {
      // One command list, so that the cursor and both readings are of the same moment.
      const seen = await tmux(
        ...['display-message', '-p', ...target, '#{cursor_x} #{cursor_y}', ';'],
        ...['capture-pane', '-p', ...target, ';', 'capture-pane', '-p', '-e', ...target],
      );
      const [cursor, ...captured] = seen.split('\n');
      const [x, y] = cursor!.split(' ').map(Number) as [number, number];
      const lines = captured.slice(0, rows);
      return { lines, text: lines.join('\n'), styled: captured.slice(rows).join('\n'), cursor: { x, y } };
    },
    shows: (what, wanted) =>
      until(
        what,
        async () => {
          const screen = await pane.screen();
          return wanted(screen) && screen;
        },
        { instead: async () => (await pane.screen()).text.replace(/\n{3,}/g, '\n\n') },
      ),
    ended: async () =>
      void (await until('the program to end', async () => (await ask('#{pane_dead}'))[0] === '1')),
    close: async () => {
      await tmux('kill-server').catch(() => {});
      await until('tmux and the program to be gone', () => !alive(server) && !alive(pid));
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return pane;
}

function run(
  program: string,
  args: string[],
  env: Readonly<Record<string, string>>,
  input?: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { env, maxBuffer: 1 << 24 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
    child.stdin!.end(input);
  });
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended but was not yet collected by its parent still takes signals.
    return !existsSync('/proc') || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
