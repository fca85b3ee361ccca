// `sm` in a real terminal: a tmux server of the test's own is the terminal that a person sits at.
import { expect, it } from 'vitest';
import { useRoom } from '../support/seat.ts';
import { startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

const here = useRoom();

it('shows who there is, what each shows, sends with proof, attaches and comes back', async () => {
  const id = await startIdle(here.daemon, 'worker');
  const seat = await here.room.sit('daily', '100x30');
  await seat.sees('worker');
  await seat.sees('❯');
  expect((await seat.lines())[0]).toMatch(/^ sm {2}1○/);

  await seat.press('s');
  await seat.type('hello 日本');
  await seat.press('Enter');
  await seat.sees('answered  hello 日本');

  await seat.press('Enter');
  await until('that it is attached', async () =>
    (await here.daemon.tmux('list-clients', '-F', '#{client_control_mode} #{session_name}')).includes(
      `0 sm-${id}`,
    ),
  );
  await seat.press('C-b', 'd');
  await seat.sees('enter attach');
  expect((await seat.lines())[0]).toMatch(/^ sm {2}1○/);

  await seat.press('q');
  await seat.sees('left with 0');
  await here.daemon.sm('kill', id);
});

it('answers the question that stands there, and a session that waits comes first', async () => {
  const [calm, asks] = [await startIdle(here.daemon, 'calm'), await startIdle(here.daemon, 'asks')];
  const seat = await here.room.sit('asked', '100x30');
  await seat.sees('IDLE');
  await here.daemon.sm('send', asks, '[[ask rm -rf build]]');
  await seat.sees('WAITING FOR YOU');
  const lines = await seat.lines();
  expect(lines[2]).toContain('asks');
  await seat.press('Tab', 'a');
  await seat.sees('y allow');
  await seat.press('y');
  await seat.sees('Answered asks');
  await until('that it goes on', async () => (await here.daemon.session(asks)).phase === 'idle');
  await seat.press('q');
  await seat.sees('left with 0');
  await here.daemon.sm('kill', calm, asks);
});

it('says in a terminal how the others are, and goes to the one that waits', async () => {
  const [calm, asks] = [await startIdle(here.daemon, 'calm'), await startIdle(here.daemon, 'asker')];
  const seat = await here.room.sit('line', '100x30');
  await seat.sees('IDLE');
  await seat.press('Enter');
  await seat.sees('C-b d leaves');
  const line = async () => (await seat.lines()).at(-1) ?? '';
  await until('the name and the counts', async () => /^ calm {2}2○/.test(await line()));
  await seat.press('C-b', 'n');
  await seat.sees('Nobody waits for you.');
  await here.daemon.sm('send', asks, '[[ask rm -rf build]]');
  await until('that one waits', async () => /1◐ 1○ .*C-b n next waiting/.test(await line()));
  await seat.press('C-b', 'n');
  await until('the other one', async () => (await line()).startsWith(' asker'));
  await seat.press('C-b', 'd');
  await seat.sees('WAITING FOR YOU');
  await seat.press('q');
  await seat.sees('left with 0');
  await here.daemon.sm('kill', calm, asks);
});

it('survives a restart of the daemon, and says so while it is away', async () => {
  const id = await startIdle(here.daemon, 'steady');
  const seat = await here.room.sit('restart', '120x30');
  await seat.sees('steady');
  await here.daemon.crash();
  await seat.sees('the daemon does not answer');
  expect(await seat.shown()).toContain('steady');
  await here.daemon.start();
  await until('that it is back', async () => !(await seat.shown()).includes('does not answer'));
  await here.daemon.sm('task', id, 'after the restart');
  await seat.sees('after the restart');
  await seat.press('q');
  await seat.sees('left with 0');
  await here.daemon.sm('kill', id);
});

it('fits every terminal, and draws itself anew when that changes', async () => {
  const id = await startIdle(here.daemon, 'sized');
  const seat = await here.room.sit('sized', '100x30');
  await seat.sees('sized');
  for (const size of ['80x24', '250x60', '160x45', '120x30', '60x20', '45x20', '30x8']) {
    const [columns, rows] = size.split('x').map(Number) as [number, number];
    await seat.resize(size);
    await until(`the keys on the last line of ${size}`, async () => {
      const lines = (await here.room.tmux('capture-pane', '-p', '-t', 'sized')).split('\n');
      return /^ (enter|esc) /.test(lines[rows - 1] ?? '') && lines.some((line) => line.includes('○ sized'));
    });
    const lines = await seat.lines();
    expect(lines[0]).toMatch(/^ sm {2}1○/);
    expect(lines.every((line) => line.length <= columns)).toBe(true);
  }
  await seat.press('q');
  await seat.sees('left with 0');
  await here.daemon.sm('kill', id);
});

it('prints one line for each change, for who cannot see a screen', async () => {
  const id = await startIdle(here.daemon, 'plain');
  const seat = await here.room.sit('plain', '100x30', 'watch --plain');
  await seat.sees(`plain (${id}) idle`);
  await here.daemon.sm('task', id, 'write the docs');
  await seat.sees('idle: write the docs');
  // Ended, not killed: it stays in the list.
  await here.daemon.sm('send', id, '[[crash]]');
  await seat.sees('exited: killed by signal 9; task: write the docs');
  await here.daemon.sm('task', id, 'try again');
  await seat.sees('task: try again');
  await seat.press('C-c');
  await here.daemon.sm('kill', id);
});
