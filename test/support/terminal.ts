// What the tests of this folder share: terminals on a private tmux server that goes away with the test.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { LaunchSpec, Pane, Terminal } from '../../src/ports/terminal.ts';
import { runTmux } from '../../src/terminal/tmux-process.ts';
import { createTmuxTerminal, type TmuxTerminalOptions } from '../../src/terminal/tmux-terminal.ts';

export interface TestTerminal extends Terminal {
  /** A directory of the test's own. */
  home: string;
  options: TmuxTerminalOptions;
  /** Runs a tmux command on the server, as a human would. */
  tmux(...words: string[]): Promise<string>;
  /** Launches with what most tests do not care about filled in. */
  start(name: string, argv: readonly string[], more?: Partial<LaunchSpec>): Promise<Pane>;
  /** Runs the text as a Node program. */
  startNode(name: string, program: string, more?: Partial<LaunchSpec>): Promise<Pane>;
}

export function openTestTerminal(changed: Partial<TmuxTerminalOptions> = {}): TestTerminal {
  const home = mkdtempSync(join(tmpdir(), 'sm-terminal-'));
  const options: TmuxTerminalOptions = {
    socketPath: join(home, 'tmux.sock'),
    privateDir: join(home, 'panes'),
    launcherPath: resolve('hooks/launch.sh'),
    log: { debug: () => {}, warn: () => {} },
    ...changed,
  };
  const terminal = createTmuxTerminal(options);
  const tmux = async (...words: string[]) =>
    (await runTmux({ program: 'tmux', socketPath: options.socketPath }, words)).stdout.trimEnd();

  onTestFinished(async () => {
    await terminal.close();
    await tmux('kill-server');
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const start: TestTerminal['start'] = (name, argv, more) =>
    terminal.launch({ name, argv, env: { PATH: process.env.PATH ?? '' }, cwd: home, ...more });
  const startNode: TestTerminal['startNode'] = (name, program, more) =>
    start(name, [process.execPath, '-e', program], more);
  return { ...terminal, home, options, tmux, start, startNode };
}

/** A program that takes whatever it is sent, as it comes, into a file; it asks for bracketed paste. */
export const RAW_READER = `
  const out = require('node:fs').openSync(process.env.OUT, 'w');
  process.stdin.setRawMode(true);
  process.stdin.on('data', (chunk) => require('node:fs').writeSync(out, chunk));
  process.stdout.write('\\x1b[?2004hready');
`;

/** Starts the reader and waits until it reads. */
export async function startReader(terminal: TestTerminal, name: string): Promise<{ received(): string }> {
  const out = join(terminal.home, `${name}.received`);
  await terminal.startNode(name, RAW_READER, { env: { PATH: process.env.PATH ?? '', OUT: out } });
  await showing(terminal, name, 'ready');
  return { received: () => readFileSync(out, 'utf8') };
}

export async function showing(terminal: Terminal, name: string, text: string): Promise<void> {
  await soon(async () => {
    const screen = await terminal.look(name);
    if (!screen?.lines.join('\n').includes(text)) throw new Error(`not on the screen of ${name}: ${text}`);
  });
}

/** Resolves as soon as the assertions hold. */
export function soon<T>(assertions: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(assertions, { timeout: 60_000, interval: 10 });
}

/** Resolves when, after some change that the terminal tells of, the condition holds. */
export function untilChanged(terminal: Terminal, condition: () => Promise<boolean>): Promise<void> {
  return new Promise((done, failed) => {
    const stop = terminal.onChange(() => {
      condition().then((holds) => {
        if (!holds) return;
        stop();
        done();
      }, failed);
    });
  });
}
