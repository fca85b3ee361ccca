import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  openTestTerminal,
  showing,
  soon,
  startReader,
  type TestTerminal,
  untilChanged,
} from '../../test/support/terminal.ts';
import { processStartTime } from './process-identity.ts';
import { createTmuxTerminal } from './tmux-terminal.ts';

const allDead = (terminal: TestTerminal) => async () =>
  (await terminal.panes())?.every(({ dead }) => dead) ?? false;

test.each([
  ['exit 0', 0, null],
  ['exit 3', 3, null],
  ['kill -TERM $$', 143, 15],
  ['kill -KILL $$', 137, 9],
])('`%s` is told at once, with how it ended', async (script, exitCode, exitSignal) => {
  const terminal = openTestTerminal();
  const { pid } = await terminal.start('a', ['sh', '-c', `read go; ${script}`]);
  const told = untilChanged(terminal, allDead(terminal));
  await terminal.type('a', { onlyIf: 'always', steps: [{ key: 'Enter' }] });
  await told;
  expect(await terminal.panes()).toMatchObject([{ name: 'a', pid, dead: true, exitCode, exitSignal }]);
  expect(await processStartTime(pid)).toBeNull();
});

test('twenty that end together are all told with their codes', async () => {
  const terminal = openTestTerminal();
  const codes = Array.from({ length: 20 }, (_, index) => index + 1);
  const told = untilChanged(terminal, async () => {
    const panes = (await terminal.panes()) ?? [];
    return panes.length === codes.length && panes.every(({ dead }) => dead);
  });
  await Promise.all(codes.map((code) => terminal.start(`p${code}`, ['sh', '-c', `exit ${code}`])));
  await told;
  const panes = (await terminal.panes()) ?? [];
  expect(panes.map(({ exitCode }) => exitCode).sort((a, b) => a! - b!)).toEqual(codes);
  expect(panes.every(({ name, exitCode }) => name === `p${exitCode}`)).toBe(true);
});

test('Ctrl-C reaches the agent and not its launcher', async () => {
  const terminal = openTestTerminal();
  await terminal.start('a', [
    'sh',
    '-c',
    "trap 'echo caught' INT; echo ready; for i in 1 2 3 4 5; do read x; done",
  ]);
  await showing(terminal, 'a', 'ready');
  await terminal.type('a', { onlyIf: 'always', steps: [{ key: 'C-c' }] });
  await showing(terminal, 'a', 'caught');
  expect(await terminal.panes()).toMatchObject([{ dead: false }]);

  await terminal.start('b', ['cat']);
  await terminal.type('b', { onlyIf: 'always', steps: [{ key: 'C-c' }] });
  await soon(async () =>
    expect((await terminal.panes())?.[1]).toMatchObject({ name: 'b', exitCode: 130, exitSignal: 2 }),
  );
});

test('an agent that suspends itself with its group goes on', async () => {
  const terminal = openTestTerminal();
  await terminal.start('a', ['sh', '-c', 'kill -STOP 0; echo went on; read x']);
  await showing(terminal, 'a', 'went on');
});

test('a launcher that is killed takes its agent along and is told', async () => {
  const terminal = openTestTerminal();
  const { pid } = await terminal.start('a', ['cat']);
  const launcher = Number(await terminal.tmux('display-message', '-p', '-t', '=a:', '#{pane_pid}'));
  expect(launcher).not.toBe(pid);
  const told = untilChanged(terminal, allDead(terminal));
  process.kill(launcher, 'SIGKILL');
  await told;
  await soon(async () => expect(await processStartTime(pid)).toBeNull());
});

test('killing a pane ends its process, even one that does not listen, and leaves nothing behind', async () => {
  const terminal = openTestTerminal();
  const { pid } = await terminal.start('a', [
    'sh',
    '-c',
    "trap '' HUP TERM; echo ready; for i in $(seq 120); do sleep 1; done",
  ]);
  await showing(terminal, 'a', 'ready');
  await terminal.kill('a');
  await soon(async () => expect(await processStartTime(pid)).toBeNull());
  expect(await terminal.panes()).toEqual([]);
  expect(readdirSync(terminal.options.privateDir)).toEqual(['tmux.conf']);
  await terminal.kill('a');
});

test('a name can be used again after its pane was killed', async () => {
  const terminal = openTestTerminal();
  await terminal.start('a', ['sh', '-c', 'exit 5']);
  await soon(async () => expect(await terminal.panes()).toMatchObject([{ exitCode: 5 }]));
  await terminal.kill('a');
  expect(await terminal.start('a', ['cat'])).toMatchObject({ dead: false, exitCode: null });
});

test('the server outlives all agents', async () => {
  const terminal = openTestTerminal();
  await terminal.start('a', ['cat']);
  await terminal.kill('a');
  await terminal.tmux('kill-session', '-t', '=sm-anchor');
  expect(await terminal.panes()).toEqual([]);
  expect(await terminal.start('b', ['cat'])).toMatchObject({ dead: false });
});

test('a server that dies is told, and the next launch starts another', async () => {
  const terminal = openTestTerminal();
  const { pid } = await terminal.start('a', ['cat']);
  const server = Number(await terminal.tmux('display-message', '-p', '#{pid}'));
  const told = untilChanged(terminal, async () => (await terminal.panes()) === null);
  process.kill(server, 'SIGKILL');
  await told;
  expect(await terminal.look('a')).toBeNull();
  await soon(async () => expect(await processStartTime(pid)).toBeNull());

  const again = await terminal.start('a', ['cat']);
  expect(again.pid).not.toBe(pid);
  expect(await terminal.panes()).toEqual([again]);
});

test('a control client that dies is replaced', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  const told = untilChanged(terminal, async () => true);
  process.kill(Number(await terminal.tmux('list-clients', '-F', '#{client_pid}')), 'SIGKILL');
  await told;
  const [screen] = await Promise.all([terminal.look('a'), terminal.look('a'), terminal.panes()]);
  expect(screen?.lines[0]).toBe('ready');
  expect(await terminal.type('a', { onlyIf: 'always', steps: [{ key: 'Enter' }] })).toBe('typed');
  await soon(() => expect(reader.received()).toBe('\r'));
  expect((await terminal.tmux('list-clients', '-F', '#{client_pid}')).split('\n')).toHaveLength(1);
});

test('two terminals share one server, and closing one leaves the other and the agents alone', async () => {
  const terminal = openTestTerminal();
  const other = createTmuxTerminal(terminal.options);
  const pane = await terminal.start('a', ['cat']);
  expect(await other.panes()).toEqual([pane]);
  await other.launch({ name: 'b', argv: ['cat'], env: {}, cwd: '/' });
  expect((await other.panes())?.map(({ name }) => name).sort()).toEqual(['a', 'b']);

  // The one still remembers where the pane was before the other made it anew.
  expect(await terminal.look('b')).not.toBeNull();
  await other.kill('b');
  await other.launch({ name: 'b', argv: ['sh', '-c', 'echo new; read x'], env: {}, cwd: '/' });
  const before = { onlyIf: { cursor: { x: 77, y: 7 } }, steps: [] } as const;
  expect(await terminal.type('b', before)).toBe('changed');
  await showing(terminal, 'b', 'new');

  const told = untilChanged(other, async () => (await other.panes())?.some(({ dead }) => dead) ?? false);
  await terminal.type('b', { onlyIf: 'always', steps: [{ key: 'Enter' }] });
  await told;
  await other.close();
  await expect(other.look('a')).rejects.toThrow('closed');
  expect(await terminal.panes()).toContainEqual(pane);
  expect(existsSync(`/proc/${pane.pid}`)).toBe(true);
});
