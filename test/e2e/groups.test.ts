// Several sessions at once, through the real daemon, real tmux and the scripted agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

describe('tags', () => {
  it('are there after the daemon was killed, and in the history', async () => {
    const id = await startWith(daemon, '[[say ready]]', { name: 'nightly' });
    await daemon.until(id, is('turn ended'));
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
