// `sm attach` at a real keyboard: a tmux server of the test's own is the terminal that a person sits at.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const dist = join(import.meta.dirname, '../../dist');
let daemon: TestDaemon;
let folder: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  folder = mkdtempSync(join(tmpdir(), 'sm-attach-'));
  const around = `env -u TMUX tmux -S ${join(folder, 'around')} -f /dev/null new-session -s around sh`;
  await tmux('seat', 'new-session', '-d', '-s', 'seat', '-x', '150', '-y', '40', around);
  await until('the tmux around it', () => tmux('around', 'list-clients').catch(() => ''));
});
afterAll(async () => {
  for (const name of ['seat', 'around']) await tmux(name, 'kill-server').catch(() => undefined);
  await daemon.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const tmux = async (server: string, ...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  return (await run('tmux', ['-S', join(folder, server), '-f', '/dev/null', ...args], { env })).stdout;
};

/** The sessions that somebody looks at, on our own server. */
const lookedAt = async () =>
  (await daemon.tmux('list-clients', '-F', '#{client_control_mode} #{session_name}'))
    .split('\n')
    .flatMap((line) => (line.startsWith('0 ') ? [line.slice(2)] : []));

const attach = (name: string) =>
  `SM_HOME=${daemon.home} ${process.execPath} ${join(dist, 'sm.cjs')} attach ${name}`;

/** Keys as a person presses them: those that a tmux around it takes for itself do not come through. */
const press = (...keys: string[]) => tmux('seat', 'send-keys', '-t', 'seat', ...keys);

it('inside another tmux says how to leave, and is left so', async () => {
  const id = await startIdle(daemon, 'nested');
  await press(attach('nested'), 'Enter');
  await until('somebody who looks at it', async () => (await lookedAt()).includes(`sm-${id}`));
  const hint = 'You are inside another tmux: detach from this one with C-b C-b d.';
  await until('the hint', async () => (await tmux('seat', 'capture-pane', '-p')).includes(hint));
  await press('C-b', 'C-b', 'd');
  await until('that nobody looks at it any more', async () => (await lookedAt()).length === 0);
  expect((await tmux('around', 'list-clients')).trim()).not.toBe('');
  expect((await daemon.session(id)).phase).toBe('idle');
});

const line = async () => (await tmux('seat', 'capture-pane', '-p')).trimEnd().split('\n').at(-2) ?? '';

it('the line below says what works in the tmux around it, however that one is set up', async () => {
  const id = await startIdle(daemon, 'lined');
  const open = async () => {
    await press(attach('lined'), 'Enter');
    await until('somebody who looks at it', async () => (await lookedAt()).includes(`sm-${id}`));
  };
  const closed = () => until('that nobody looks at it', async () => (await lookedAt()).length === 0);
  const says = (text: string) => until(text, async () => (await line()).endsWith(text), { instead: line });

  // Another key sends the prefix on.
  await tmux('around', 'unbind-key', '-T', 'prefix', 'C-b');
  await tmux('around', 'bind-key', '-T', 'prefix', 'b', 'send-prefix');
  await open();
  await says('C-b b d leaves');
  await daemon.sm('send', id, '[[ask true]]');
  await says('C-b b n next waiting  C-b b d leaves');
  await press('C-b', 'b', 'd');
  await closed();

  // Another prefix leaves ours alone.
  await tmux('around', 'set-option', '-g', 'prefix', 'C-a');
  await open();
  await says('C-b n next waiting  C-b d leaves');
  await press('C-b', 'd');
  await closed();

  // None sends it on.
  await tmux('around', 'set-option', '-g', 'prefix', 'C-b');
  await tmux('around', 'unbind-key', '-T', 'prefix', 'b');
  await open();
  await says('the tmux around this one keeps C-b: detach from another shell');
  await daemon.tmux('detach-client', '-s', `=sm-${id}`);
  await closed();
  await tmux('around', 'bind-key', '-T', 'prefix', 'C-b', 'send-prefix');
  await daemon.sm('kill', id);
});

it('from a window beside an agent changes over to the other one', async () => {
  const [one, two] = [await startIdle(daemon, 'one'), await startIdle(daemon, 'two')];
  await press(attach('one'), 'Enter');
  await until('somebody who looks at the first', async () => (await lookedAt()).includes(`sm-${one}`));
  await daemon.tmux('new-window', '-t', `=sm-${one}:`, 'sh');
  await press(attach('two'), 'Enter');
  await until('somebody who looks at the second', async () => (await lookedAt()).includes(`sm-${two}`));
  expect(await lookedAt()).toEqual([`sm-${two}`]);
});
