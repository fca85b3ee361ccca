import { describe, expect, it } from 'vitest';
import { idleSession, launched, restoreIt, testSession } from '../../../test/support/session.ts';
import type { EffectResult } from '../core/effect.ts';

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

  it('is asked for anew when it is restored', () => {
    const s = idleSession();
    s.hear({ is: 'process-exited' });
    s.take(restoreIt);
    s.answer(launchedSilently);
    expect(s.state.session.agentVersion).toBeNull();
  });
});
