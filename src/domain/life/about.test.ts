import { describe, expect, it } from 'vitest';
import { idleSession, launched, restoreIt, testSession } from '../../../test/support/session.ts';
import type { EffectResult } from '../core/effect.ts';
import { modelOf } from '../core/session.ts';

const launchedSilently = { ...launched, agentVersion: null } as EffectResult;
const usage = { percentage: null, tokens: null, windowSize: null, model: null, costUsd: null };

describe('the version of an agent', () => {
  it('is what its program said at the launch', () => {
    const s = idleSession();
    expect(s.state.session.agentVersion).toBe('1');
    expect(s.eventsOf('session launched')).toMatchObject([{ agentVersion: '1' }]);
  });

  it('is what the agent says itself, once that is heard', () => {
    const s = testSession();
    s.answer(launchedSilently);
    s.hear({ is: 'usage', usage, agentVersion: '2.1.999' });
    s.hear({ is: 'usage', usage, agentVersion: '2.1.999' });
    s.hear({ is: 'usage', usage });
    expect(s.state.session.agentVersion).toBe('2.1.999');
    expect(s.eventsOf('agent-version')).toEqual([{ type: 'agent-version', version: '2.1.999' }]);
  });

  it('is what the agent says itself, also when that is heard before the launch is known to have worked', () => {
    const s = testSession();
    s.hear({ is: 'usage', usage, agentVersion: '2.1.999' });
    s.answer(launchedSilently);
    expect(s.state.session.agentVersion).toBe('2.1.999');
  });

  it('is not what an agent inside it says', () => {
    const s = idleSession();
    s.hear({ is: 'usage', usage, agentVersion: '9', providerId: 'nested' });
    expect(s.state.session.agentVersion).toBe('1');
  });

  it('is asked for again when it is restored', () => {
    const s = idleSession();
    s.hear({ is: 'process-exited' });
    s.take(restoreIt);
    s.answer(launchedSilently);
    expect(s.state.session.agentVersion).toBeNull();
  });
});

describe('the model of an agent', () => {
  const says = (model: string | null) => ({ is: 'usage', usage: { ...usage, model } }) as const;

  it('is what it calls it while it works, and stays so through a clear', () => {
    const s = testSession({ model: 'opus' });
    expect(modelOf(s.state.session)).toBe('opus');
    s.answer(launched);
    s.hear({ is: 'agent-started', model: 'claude-opus-4-1' });
    expect(modelOf(s.state.session)).toBe('claude-opus-4-1');
    s.hear(says('Opus 4.1'));
    s.hear(says(null));
    s.hear({ is: 'agent-started', source: 'compact', model: 'claude-opus-4-1' });
    expect(modelOf(s.state.session)).toBe('Opus 4.1');
    expect(s.eventsOf('agent-model').map(({ model }) => model)).toEqual(['claude-opus-4-1', 'Opus 4.1']);
  });

  it('is not that of an agent inside it', () => {
    const s = idleSession();
    s.hear({ is: 'agent-started', model: 'other', providerId: 'nested' });
    s.hear({ ...says('other'), providerId: 'nested' });
    expect(modelOf(s.state.session)).toBeNull();
  });
});

describe('the checkout of a session', () => {
  it('is told once for each change', () => {
    const s = idleSession();
    const checkout = { repository: '/repo', root: '/repo', branch: 'main', commit: null };
    s.take({ type: 'checkout-seen', checkout });
    s.take({ type: 'checkout-seen', checkout: { ...checkout } });
    s.take({ type: 'checkout-seen', checkout: null });
    expect(s.eventsOf('checked-out')).toMatchObject([
      { repository: '/repo', branch: 'main' },
      { repository: null, branch: null },
    ]);
  });
});
