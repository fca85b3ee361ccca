// What is left of sessions that have ended: how, their last screen, and their names.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const crashed = async (name: string) => {
  const id = await startWith(daemon, '[[say the last words]] [[crash]]', { name });
  await daemon.until(id, is('session-exited'));
  return id;
};

it('a crash is one line everywhere, and the screen is there for who asks', async () => {
  const id = await crashed('crashes');
  expect((await daemon.session(id)).ended).toMatchObject({ signal: 9, reason: 'killed by signal 9' });
  const all = await daemon.sm('all');
  expect(all.stdout).toMatch(/^crashes .* killed by signal 9$/m);
  const waited = await daemon.sm('wait', 'crashes', '5');
  expect(waited).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is exited: killed by signal 9\. .*\n$/),
  });
  const tail = await daemon.sm('tail', 'crashes', '-n', '1');
  expect(tail.stdout).toMatch(/^\S+ {2}exited: killed by signal 9\n$/);
  const shown = await daemon.sm('output', 'crashes');
  expect(shown.stdout).toContain('the last words');
  expect(shown.stderr).toBe('It has ended: killed by signal 9. The last that it showed:\n');
});

it('send --wait and spawn --wait tell a crash in one line', async () => {
  const idle = await startWith(daemon, '[[say ready]]', { name: 'idle' });
  await daemon.until(idle, is('turn-ended'));
  const sent = await daemon.sm('send', 'idle', 'now [[crash]]', '--wait', '30');
  expect(sent.code).toBe(1);
  expect(sent.stderr.trim().split('\n')).toHaveLength(1);
  expect(sent.stderr).toContain('killed by signal 9');
  const spawned = await daemon.sm('spawn', 'scripted', 'now [[crash]]', '--wait', '30');
  expect(spawned.code).toBe(1);
  expect(spawned.stderr.trim().split('\n')).toHaveLength(1);
});

it('a session that was killed keeps its last screen, too', async () => {
  const id = await startWith(daemon, '[[say half done]]', { name: 'killed' });
  await daemon.until(id, is('turn-ended'));
  await daemon.sm('kill', id);
  expect(await daemon.sm('output', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('half done'),
    stderr: 'It has ended: killed. The last that it showed:\n',
  });
});
