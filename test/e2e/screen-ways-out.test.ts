// Every way out of the screen gives the terminal back as it was found, or ends where there is no terminal any more.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processEnds } from '../../src/terminal/process-identity.ts';
import { childrenOf } from '../support/daemon.ts';
import { openRoom, useRoom } from '../support/seat.ts';
import { session } from '../support/stand-in-daemon.ts';
import { startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

const here = useRoom();
const hasVim = /\+terminal\b/.test(spawnSync('vim', ['--version'], { encoding: 'utf8' }).stdout ?? '');

it.each([
  ['INT', 130],
  ['TERM', 143],
  ['HUP', 129],
])('gives the terminal back on SIG%s', async (signal, code) => {
  const seat = await here.room.sit(`signal-${signal}`, '80x24');
  await seat.sees('quit');
  process.kill(screenIn(await seat.pid()), `SIG${signal}`);
  await seat.sees(`left with ${code}`);
  expect(await flagsOf(`signal-${signal}`)).toBe('0 1 0');
});

it('gives the terminal back while it is suspended, and takes it again', async () => {
  const id = await startIdle(here.daemon, 'sleeper');
  // A shell with job control, as everybody has.
  const seat = await here.room.sitAt(
    'suspended',
    '80x24',
    (sm) => `unset TMUX; PS1='shell> ' SM='${sm}' exec bash --norc -i`,
  );
  await seat.sees('shell>');
  await seat.type('$SM');
  await seat.press('Enter');
  await seat.sees('○ sleeper');
  expect(await flagsOf('suspended')).toBe('1 0 1');
  await seat.press('C-z');
  await seat.sees('Stopped');
  expect(await flagsOf('suspended')).toBe('0 1 0');
  await seat.type('stty -a | tr " " "\\n" | grep -x -e "-*icanon" -e "-*echo"');
  await seat.press('Enter');
  await until('the modes of the terminal', async () => /^icanon\necho$/m.test(await seat.shown()));
  await here.daemon.sm('task', id, 'while nobody looked');
  await seat.type('fg');
  await seat.press('Enter');
  await seat.sees('while nobody looked');
  expect(await flagsOf('suspended')).toBe('1 0 1');
  await seat.press('q');
  await until('the shell again', async () => (await flagsOf('suspended')) === '0 1 0');
  await here.daemon.sm('kill', id);
});

it.each([
  ['it is told something', { id: 'aaaa0001', display_name: null }],
  // Caught by nobody: it is painted when all that has happened is over.
  ['it paints', { ...session(), context: null }],
])('gives the terminal back when something in it fails while %s', async (_, view) => {
  const home = mkdtempSync(join(tmpdir(), 'sm-broken-'));
  const stand = createServer((request, response) => {
    if (request.url?.startsWith('/health')) return response.end('{"status":"healthy"}');
    if (request.url?.startsWith('/kinds')) return response.end('{"kinds":[]}');
    response.setHeader('content-type', 'text/event-stream');
    // No daemon says so: nothing in the screen is prepared for it.
    response.write(`data: ${JSON.stringify({ is: 'connected', after: 0, sessions: [view] })}\n\n`);
  });
  await new Promise<void>((resolve) => stand.listen(join(home, 'sm.sock'), resolve));
  const broken = openRoom(home);
  try {
    const seat = await broken.sit('failed', '80x24');
    await seat.sees('left with ');
    expect(await seat.shown()).toMatch(/TypeError[\s\S]*left with [1-9]/);
    expect(await flagsOf('failed', broken)).toBe('0 1 0');
  } finally {
    await broken.dispose();
    stand.closeAllConnections();
    stand.close();
    rmSync(home, { recursive: true });
  }
});

it('ends when its terminal is closed', async () => {
  const seat = await here.room.sit('closed', '80x24');
  await seat.sees('quit');
  const pid = screenIn(await seat.pid());
  await here.room.tmux('kill-pane', '-t', 'closed');
  expect(await processEnds(pid, null, 10_000)).toBe(true);
});

it('ends when the line is cut and nobody says so', async () => {
  // In a session of its own it gets no signal when the terminal goes: it can only notice.
  const seat = await here.room.sitAt('cut', '80x24', (sm) => `unset TMUX; setsid -w ${sm}; exec cat`);
  await seat.sees('quit');
  const pid = childrenOf(screenIn(await seat.pid()))[0] ?? screenIn(await seat.pid());
  await here.room.tmux('kill-pane', '-t', 'cut');
  expect(await processEnds(pid, null, 10_000)).toBe(true);
});

it('says the way out that works inside another tmux, and it does', async () => {
  const id = await startIdle(here.daemon, 'nested');
  const seat = await here.room.sitAt(
    'outer',
    '100x30',
    (sm) =>
      `unset TMUX; tmux -u -S ${here.room.inner} -f /dev/null new-session '${sm}; echo "left with $?"; exec cat'`,
  );
  await seat.sees('○ nested');
  await seat.press('Enter');
  await until('that it is attached', async () =>
    (await here.daemon.tmux('list-clients', '-F', '#{client_control_mode} #{session_name}')).includes(
      `0 sm-${id}`,
    ),
  );
  // On the line that stays, not only in the hint that goes.
  await seat.sees('C-b C-b d leaves');
  await seat.press('C-b', 'C-b', 'd');
  await seat.sees('enter attach');
  await seat.press('q');
  await seat.sees('left with 0');
  await here.daemon.sm('kill', id);
});

it.skipIf(!hasVim)('the way out that it says works in the terminal of an editor, too', async () => {
  const id = await startIdle(here.daemon, 'edited');
  const seat = await here.room.sitAt(
    'editor',
    '100x30',
    (sm) => `unset TMUX; exec vim -u NONE -c 'terminal ++curwin ${sm}'`,
  );
  await seat.sees('○ edited');
  await seat.press('Enter');
  await seat.sees('C-b d leaves');
  await seat.press('C-b', 'd');
  await seat.sees('enter attach');
  expect((await here.daemon.session(id)).phase).toBe('idle');
  await here.daemon.sm('kill', id);
});

const flagsOf = async (name: string, at = here.room) =>
  (
    await at.tmux('display-message', '-p', '-t', name, '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')
  ).trim();

/** The shell of the seat has one child. */
function screenIn(shell: number): number {
  const [pid] = childrenOf(shell);
  if (pid === undefined) throw new Error(`${shell} runs nothing`);
  return pid;
}
