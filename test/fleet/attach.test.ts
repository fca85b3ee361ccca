// `sm attach` on a session of another node, at a real keyboard.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, type Nats, type Node, startNats, startNode } from './fleet.ts';

const run = promisify(execFile);
const dist = join(import.meta.dirname, '../../dist');
let nats: Nats;
let laptop: Node;
let gpu: Node;
let folder: string;

beforeAll(async () => {
  nats = await startNats();
  folder = mkdtempSync(join(tmpdir(), 'sm-attach-'));
  [laptop, gpu] = await Promise.all([
    startNode('laptop', nats.url),
    startNode('gpu1', nats.url, { allow: ['look', 'send', 'attach'] }),
  ]);
  await Promise.all([gpu.agent('worker'), laptop.agent('mine')]);
  await eventually(
    async () => (await laptop.sm('nodes')).stdout + (await gpu.sm('nodes')).stdout,
    (shown) => /gpu1 +here +1/.test(shown) && /laptop +here +1/.test(shown),
  );
  await tmux('new-session', '-d', '-s', 'seat', '-x', '100', '-y', '30', 'sh');
});

afterAll(async () => {
  await tmux('kill-server').catch(() => undefined);
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const tmux = async (...args: string[]) => {
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  return (await run('tmux', ['-S', join(folder, 'seat'), '-f', '/dev/null', ...args], { env })).stdout;
};
const press = (...keys: string[]) => tmux('send-keys', '-t', 'seat', ...keys);
const attach = (node: Node, name: string) =>
  press(`SM_HOME=${node.home} ${process.execPath} ${join(dist, 'sm.cjs')} attach ${name}`, 'Enter');
const shows = (text: string) =>
  eventually(
    () => tmux('capture-pane', '-p', '-t', 'seat'),
    (screen) => screen.includes(text),
  );

test('shows the terminal there, types into it, and leaves it running', async () => {
  await attach(laptop, 'worker@gpu1');
  await shows('detach with C-b d');
  await press('-l', '[[say typed from afar]]');
  // An agent takes an Enter that comes with a text for a new line: a person looks first, too.
  await shows('typed from afar');
  await press('Enter');
  const { last_turn } = await gpu.untilSession('worker', (each) => each.last_turn !== null);
  expect(last_turn?.end).toBe('ended');
  await press('C-b', 'd');
  await shows('goes on. Come back with: sm attach');
  expect((await gpu.session('worker')).phase).toBe('idle');
});

test('where only looking is allowed, it says so when something is typed', async () => {
  await press('clear', 'Enter');
  await attach(gpu, 'mine@laptop');
  await shows('detach with C-b d');
  await press('x');
  await shows('does not let node gpu1 do this');
  await press('C-b', 'd');
  await shows('goes on');
  expect((await laptop.session('mine')).last_turn).toBeNull();
});
