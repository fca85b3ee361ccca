import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../daemon/clock.ts';
import type { Notification } from '../ports/notifications.ts';
import { createDesktop } from './desktop.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-desk-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const notification: Notification = {
  occasion: 'waiting',
  session: { id: '35c21191', name: 'login' },
  title: '--login (35c21191)',
  text: 'asks: <b>$(x)</b> "quoted"',
  link: null,
  question: null,
  test: false,
};

/** Writes down what it is given, a line for each argument. */
function program(name: string, code = 0): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(folder, 'given')}\nexit ${code}\n`);
  chmodSync(file, 0o700);
}
const given = () => readFileSync(join(folder, 'given'), 'utf8').trimEnd().split('\n');

const send = (platform: string, { env = {}, terminals = [] as string[] } = {}) =>
  createDesktop({
    platform,
    env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, ...env },
    terminals: async () => terminals,
    clock: systemClock(),
  }).send('desk', notification, new AbortController().signal);

const desktop = { env: { DISPLAY: ':0', PATH: '' } };

it('on Linux notify-send shows it, and takes nothing of it for an option or markup', async () => {
  program('notify-send');
  expect(await send('linux', { env: { DISPLAY: ':0' } })).toEqual({ is: 'done' });
  expect(given().slice(-3)).toEqual(['--', notification.title, 'asks: &lt;b&gt;$(x)&lt;/b&gt; "quoted"']);
});

it('on a Mac osascript does, with the words as arguments', async () => {
  program('osascript');
  expect(await send('darwin')).toEqual({ is: 'done' });
  expect(given().slice(-2)).toEqual([notification.title, notification.text]);
});

it('says that the program failed', async () => {
  program('notify-send', 1);
  const sent = await send('linux', { env: { DISPLAY: ':0' } });
  expect(sent).toEqual({ is: 'failed', why: 'notify-send: exit code 1', again: false });
});

it.each([{}, desktop])('without a desktop it rings in the terminals of whoever is attached', async (how) => {
  const terminal = join(folder, 'tty');
  writeFileSync(terminal, '');
  expect(await send('linux', { ...how, terminals: ['/no/such/tty', terminal] })).toEqual({ is: 'done' });
  expect(readFileSync(terminal, 'utf8')).toBe('\x07');
});

it('and has no device where nobody is', async () => {
  expect(await send('linux')).toMatchObject({ is: 'no-device' });
});
