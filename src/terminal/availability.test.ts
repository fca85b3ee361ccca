import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTestTerminal } from '../../test/support/terminal.ts';
import { TerminalUnavailable } from './errors.ts';
import { isUsableVersion, saysNoServer, serverEnvironment } from './tmux-process.ts';

test('a missing tmux is told with what to do', async () => {
  const terminal = openTestTerminal({ tmux: '/no/such/tmux' });
  await expect(terminal.panes()).rejects.toBeInstanceOf(TerminalUnavailable);
  await expect(terminal.start('a', ['cat'])).rejects.toThrow('install tmux 3.2 or newer');
});

test('an old tmux is told with what to do', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sm-old-tmux-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const tmux = join(directory, 'tmux');
  writeFileSync(tmux, '#!/bin/sh\necho tmux 2.9a\n');
  chmodSync(tmux, 0o755);
  await expect(openTestTerminal({ tmux }).panes()).rejects.toThrow(
    /is tmux 2\.9a: install tmux 3\.2 or newer/,
  );
});

test.each([
  ['tmux 3.1c', false],
  ['tmux 3.2', true],
  ['tmux 3.3a', true],
  ['tmux next-3.6', true],
  ['tmux 4.0', true],
  ['tmux master', true],
  ['tmux openbsd-7.4', true],
  ['something else', false],
])('%s is usable: %s', (version, usable) => {
  expect(isUsableVersion(`${version}\n`)).toBe(usable);
});

test('a server that refuses us is not taken for one that is not there', () => {
  expect(saysNoServer('no server running on /x')).toBe(true);
  expect(saysNoServer('error connecting to /x (No such file or directory)')).toBe(true);
  expect(saysNoServer('error connecting to /x (Permission denied)')).toBe(false);
  expect(saysNoServer('protocol version mismatch (client 8, server 7)')).toBe(false);
});

test('the server does not believe to be inside another one', () => {
  const env = { PATH: '/bin', TMUX: 'x', TMUX_PANE: '%1', TMUXINATOR: 'y' };
  expect(serverEnvironment(env)).toEqual({ PATH: '/bin', TMUXINATOR: 'y' });
});
