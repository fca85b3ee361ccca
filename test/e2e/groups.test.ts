// Several sessions at once, through the real daemon, real tmux and the scripted agent.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

describe('the branch of a session', () => {
  it('is known without a list having to ask, and follows what the agent checks out', async () => {
    const { root: repository } = makeRepository(join(daemon.work, 'app'));
    const id = await startWith(daemon, '[[bash git switch -q -c fix-login]]', { working_dir: repository });
    const { checkout } = await daemon.untilSession(id, (session) => session.checkout?.branch === 'fix-login');
    expect(checkout).toEqual({
      name: 'app',
      repository,
      root: repository,
      branch: 'fix-login',
      commit: null,
    });
    const told = (await daemon.events(id)).filter(is('checked-out'));
    expect(told.at(-1)).toMatchObject({ branch: 'fix-login' });
  });
});

describe('tags', () => {
  it('are there after the daemon was killed, and in the history', async () => {
    const id = await startWith(daemon, '[[say ready]]', { name: 'nightly' });
    await daemon.until(id, is('turn-ended'));
    expect((await daemon.sm('tag', 'nightly', '+night', '+old')).stdout).toBe(
      `Tags of nightly (${id}): night old\n`,
    );
    await daemon.crash();
    await daemon.start();
    expect((await daemon.sm('tag', 'nightly', '-old', '+api')).stdout).toBe(
      `Tags of nightly (${id}): api night\n`,
    );
    expect((await daemon.session(id)).tags).toEqual(['api', 'night']);
    const { stdout } = await daemon.sm('tail', 'nightly', '-n', '2');
    expect(stdout).toContain('tags +api -old, by the user');
  });
});
