// `sm interrupt` and `sm why`, through the real daemon, real tmux and the scripted agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WhyView } from '../../src/protocol/why.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startIdle, startWith, untilScreen } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const why = async (id: string) => (await daemon.call<WhyView>('GET', `/sessions/${id}/why`)).body;

describe('sm interrupt', () => {
  it('ends the turn, and says by what it is proven', async () => {
    const id = await startWith(daemon, 'stream [[sleep 30]]', { name: 'talker' });
    await daemon.until(id, is('turn began'));
    await untilScreen(daemon, id, 'word');
    const { stdout } = await daemon.sm('interrupt', 'talker');
    expect(stdout).toMatch(`Interrupted talker (${id}), proven by the `);
    expect((await daemon.session(id)).phase).toBe('idle');
    expect((await daemon.sm('interrupt', 'talker')).stderr).toBe(
      `Error: talker (${id}) is idle: no turn runs.\n`,
    );
  });

  it.each(['before', 'after'])('goes on after the daemon was killed %s Escape', async (when) => {
    const id = await startWith(daemon, 'stream [[sleep 30]]', { name: `cut-${when}` });
    await daemon.until(id, is('turn began'));
    await untilScreen(daemon, id, 'word');
    await daemon.crash();
    await daemon.start({ SM_CRASH_AT: `effect:escape:${when}` });
    const interrupted = daemon.call('POST', `/sessions/${id}/interrupt`).catch(() => null);
    await daemon.death();
    await interrupted;
    await daemon.start();
    const end = await daemon.until(id, is('turn ended'));
    expect(end.end).toBe('interrupted');
  });

  it('is refused while a question stands, with what to do', async () => {
    const id = await startWith(daemon, '[[ask rm x]]', { name: 'asker' });
    await daemon.until(id, is('question asked'));
    expect((await daemon.sm('interrupt', 'asker')).stderr).toContain(`Answer it: sm answer ${id} deny`);
  });
});

describe('sm why', () => {
  it('names the event that brought a session into its phase, and its proof', async () => {
    const id = await startIdle(daemon, 'reason');
    expect(await why(id)).toMatchObject({ phase: 'idle', event: { type: 'session', step: 'ready' } });
    await daemon.sm('send', 'reason', 'stream [[sleep 30]]');
    await daemon.until(id, is('turn began'));
    expect(await why(id)).toMatchObject({
      phase: 'working',
      event: { type: 'turn', step: 'began' },
      evidence: { source: 'hook' },
    });
    const { stdout } = await daemon.sm('why', 'reason');
    expect(stdout).toMatch(
      /^reason \(\w+\) is working, for \d+s\n {2}.* turn began \(hook .*\n.*last heard of it/,
    );
    await daemon.call('POST', `/sessions/${id}/interrupt`);
    expect(await why(id)).toMatchObject({
      phase: 'idle',
      event: { type: 'turn', step: 'ended', end: 'interrupted' },
    });
    await daemon.sm('kill', 'reason');
    expect(await why(id)).toMatchObject({ phase: 'exited', event: { type: 'session', step: 'exited' } });
  });

  it('says what a blocked session asks, by its hook', async () => {
    const id = await startWith(daemon, '[[ask rm y]]');
    await daemon.until(id, is('question asked'));
    expect(await why(id)).toMatchObject({
      phase: 'blocked',
      event: { type: 'question', step: 'asked', kind: 'permission' },
      evidence: { source: 'hook' },
    });
  });
});
