// Test support: the scripted agent in a real tmux of its own, with hooks that record what they are given.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const execute = promisify(execFile);

// biome-ignore lint/suspicious/noExplicitAny: JSON of many shapes, looked at by tests
type Json = any;

const EVENTS =
  'SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure PermissionRequest Notification Stop StopFailure SubagentStop PreCompact PostCompact'.split(
    ' ',
  );

export async function bundleAgent(): Promise<{ path: string; remove(): void }> {
  const directory = mkdtempSync(join(tmpdir(), 'scripted-agent-bundle-'));
  const path = join(directory, 'scripted-agent.cjs');
  const entry = join(import.meta.dirname, '../../src/scripted-agent/main.ts');
  await build({
    entryPoints: [entry],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  return { path, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export interface StartOptions {
  args?: string[];
  /** Replaces `--dangerously-skip-permissions`. */
  permissionMode?: string;
  faults?: string;
  /** A shell command per event, beside the one that records. */
  answers?: Record<string, string>;
  /** What the screen must show before the test begins. */
  until?: RegExp;
}

export type Bench = Awaited<ReturnType<typeof createBench>>;

/** A place for agents that share a configuration; one runs at a time. */
export function createBench(bundle: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'scripted-agent-')));
  const work = join(root, 'work');
  const log = (name: string) => join(root, `${name}.jsonl`);
  const record = (name: string) => ({ type: 'command', command: `printf '%s\\n' "$(cat)" >> ${log(name)}` });
  mkdirSync(work);

  const tmux = async (...args: string[]) =>
    (await execute('tmux', ['-S', join(root, 't.sock'), '-f', '/dev/null', ...args])).stdout;

  async function start({
    args = [],
    permissionMode,
    faults = '',
    answers = {},
    until = /^❯\u00a0/m,
  }: StartOptions = {}) {
    const hooks = Object.fromEntries(
      EVENTS.map((event) => {
        const answer = answers[event];
        return [
          event,
          [{ hooks: [record('hooks'), ...(answer ? [{ type: 'command', command: answer }] : [])] }],
        ];
      }),
    );
    const statusLine = {
      type: 'command',
      command: `printf '%s\\n' "$(cat)" >> ${log('status')}; echo the status`,
    };
    const mode = permissionMode ? ['--permission-mode', permissionMode] : ['--dangerously-skip-permissions'];
    const settings = JSON.stringify({ hooks, statusLine });
    const argv = [process.execPath, bundle, ...mode, '--settings', settings, ...args];
    const env = { SCRIPTED_CONFIG_DIR: join(root, 'config'), SCRIPTED_FAULTS: faults };
    const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    await tmux(
      'new-session',
      '-d',
      '-s',
      'agent',
      '-x',
      '100',
      '-y',
      '30',
      '-c',
      work,
      ...variables,
      ...argv,
      // In one go: an agent that ends at once would take the server along before it is told to stay.
      ';',
      'set-option',
      'remain-on-exit',
      'on',
    );
    await waitFor('the box', async () => until.test(await screen()));
  }

  /** With some history: tmux scrolls the last words of a dead program away. */
  const screen = () => tmux('capture-pane', '-p', '-S', '-5', '-t', '=agent:');
  const styled = () => tmux('capture-pane', '-ep', '-t', '=agent:');
  const field = async (format: string) =>
    (await tmux('display-message', '-p', '-t', '=agent:', format)).trim();
  const lines = (path: string): Json[] =>
    existsSync(path)
      ? readFileSync(path, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  const hooks = (event?: string) =>
    lines(log('hooks')).filter((payload) => !event || payload.hook_event_name === event);

  function transcript(): Json[] {
    const projects = join(root, 'config', 'projects');
    const [project] = existsSync(projects) ? readdirSync(projects) : [];
    const files = project
      ? readdirSync(join(projects, project)).map((file) => join(projects, project, file))
      : [];
    return files.flatMap(lines);
  }

  /** Everything goes to tmux as one command list: nothing fits between. `{paste}` pastes, the rest are key names. */
  async function send(...steps: (string | { paste: string } | { type: string })[]): Promise<void> {
    const commands = steps.flatMap((step, n) => {
      const separator = n === 0 ? [] : [';'];
      if (typeof step === 'string') return [...separator, 'send-keys', '-t', '=agent:', step];
      if ('type' in step) return [...separator, 'send-keys', '-t', '=agent:', '-l', step.type];
      const buffer = `b${n}`;
      const set = ['set-buffer', '-b', buffer, '--', step.paste];
      return [...separator, ...set, ';', 'paste-buffer', '-p', '-d', '-b', buffer, '-t', '=agent:'];
    });
    await tmux(...commands);
  }

  /** Ends the agent, and waits until it is gone: it still tells its hooks, which write into our directory. */
  async function stop(): Promise<void> {
    const pids = (await field('#{pid} #{pane_pid}').catch(() => '')).split(' ').filter(Boolean);
    await tmux('kill-server').catch(() => {});
    await waitFor('everything to end', async () => !(await anyAlive(pids)));
  }

  return {
    work,
    start,
    stop,
    screen,
    styled,
    send,
    hooks,
    transcript,
    status: () => lines(log('status')),
    submit: (text: string) => send({ paste: text }, 'Enter'),
    cursorX: async () => Number(await field('#{cursor_x}')),
    composer: async () => /❯\u00a0(.*)/.exec(await screen())?.[1]?.trimEnd() ?? null,
    pid: async () => Number(await field('#{pane_pid}')),
    /** Only that it ended: this tmux cannot always tell how. */
    exit: () => waitFor('its exit', async () => (await field('#{pane_dead}')) === '1'),
    until: <T>(what: string, look: () => T | Promise<T>) => waitFor(what, look),
    hook: (event: string, count = 1) =>
      waitFor(`${count} × ${event}`, () => (hooks(event).length >= count ? hooks(event)[count - 1] : null)),
    shows: (text: string | RegExp) =>
      waitFor(`${text} on the screen`, async () => {
        const shown = await screen();
        return typeof text === 'string' ? shown.includes(text) : text.test(shown);
      }),
    async remove() {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A zombie that nobody has reaped yet is not alive. */
async function anyAlive(pids: string[]): Promise<boolean> {
  if (pids.length === 0) return false;
  const { stdout } = await execute('ps', ['-o', 'stat=', '-p', pids.join(',')]).catch(() => ({ stdout: '' }));
  return stdout.split('\n').some((state) => state.trim() !== '' && !state.trim().startsWith('Z'));
}

async function waitFor<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pause(15);
  }
}
