// Texts of others are shown everywhere: in lists, histories, answers, the status line, the logs. None of them moves a cursor, rings,
// names a window, begins a line of its own or turns the direction of what stands around it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';

const evil = (word: string) => `${word}\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\u2066\rforged`;
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

let daemon: TestDaemon;
let id: string;
let repo: string;
beforeAll(async () => {
  daemon = await startTestDaemon({ config: { scripted: { args: ['--permission-mode', 'default'] } } });
  repo = join(daemon.work, 'repo');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', '-C', repo, ...args]);
  execFileSync('git', ['init', '-q', '-b', 'main\u202egpj', repo]);
  writeFileSync(join(repo, 'a'), 'a\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(repo, 'a'), `a\n${evil('line')}\n`);
  writeFileSync(join(repo, 'new\u001b[31m\u202e'), `${evil('content')}\n`);
  id = await startIdle(daemon, 'worker', { working_dir: repo });
  await daemon.call('POST', `/sessions/${id}/task`, { task: evil('task') });
  await daemon.call('PUT', `/sessions/${id}/task`, { task: evil('task') });
  await daemon.call('POST', `/sessions/${id}/status`, { text: evil('status') });
  const { message_id } = await sendText(daemon, id, `${evil('message')} [[say ${evil('last')}]]`);
  await daemon.until(id, is('message answered', { message: message_id }));
});
afterAll(() => daemon?.dispose());

it.each([
  ['all'],
  ['all', '--json'],
  ['why', 'worker'],
  ['search', 'message'],
  ['search', 'last'],
  ['digest'],
  ['diff', 'worker'],
  ['output', 'worker'],
  ['send', evil('nobody'), 'hi'],
  ['kill', evil('nobody')],
  ['spawn', evil('agent'), 'hi'],
  ['all', '--filter', evil('filter')],
  [evil('command')],
])('sm %j shows nothing that a terminal would act upon', async (...args) => {
  const { stdout, stderr } = await daemon.sm(...(args as string[]));
  const shown = stdout + stderr;
  expect(shown).toContain('forged');
  expect(acting.exec(shown), shown).toBeNull();
  // Whoever reads it line by line is told no line that somebody else has made up.
  expect(shown.split('\n')).not.toContainEqual(expect.stringMatching(/^forged/));
});

it('neither does the trace of a message', async () => {
  const events = await daemon.events(id);
  const { message } = events.find(is('message queued')) as unknown as { message: string };
  const { stdout } = await daemon.sm('trace', message);
  expect(stdout).toContain('message');
  expect(acting.exec(stdout), stdout).toBeNull();
});

it('a question is told without it, and the status line as well', async () => {
  const asking = await startWith(daemon, `x [[ask rm ${evil('file')}]]`, { name: 'asking' });
  await daemon.untilSession(asking, ({ phase }) => phase === 'blocked');
  for (const args of [['all'], ['why', 'asking'], ['watch', '--once']]) {
    const { stdout, stderr } = await daemon.sm(...args);
    expect(acting.exec(stdout + stderr), stdout + stderr).toBeNull();
  }
  const options = await daemon.tmux('show-options', '-g');
  const titles = await daemon.tmux('list-sessions', '-F', '#{@sm-title}');
  expect(acting.exec(options + titles), options + titles).toBeNull();
});

it('a line of the log is one record, whatever was logged', async () => {
  await daemon.call('POST', `/sessions/${encodeURIComponent(evil('ref'))}/input`, { text: evil('text') });
  const log = readFileSync(join(daemon.home, 'logs/daemon.log'), 'utf8').trim();
  for (const line of log.split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
  expect(/[\u0000-\u0008\u000b-\u001f\u007f]/.exec(log)).toBeNull();
});
