import { describe, expect, it } from 'vitest';
import { idleSession, launched, testSession, workingSession } from '../../test/support/session.ts';
import type { Fact } from '../domain/core/fact.ts';
import type { Session } from '../domain/core/session.ts';
import { newsOf } from './conversations.ts';

const open = (...ids: string[]) => ids.map((providerId) => ({ providerId, transcriptPath: null }));
const told = (session: Session, ids: string[], heard?: Fact) =>
  newsOf(session, open(...ids), heard).map((fact) => `${fact.is} ${fact.providerId}`);
const started = (providerId: string, source: 'startup' | 'resume' | 'clear'): Fact => ({
  is: 'agent-started',
  providerId,
  source,
  transcriptPath: null,
  model: null,
});

describe('what the conversations of a process say', () => {
  it('the first is the one of an agent that names it, before any hook', () => {
    const s = testSession({ providerId: null });
    s.answer(launched);
    expect(told(s.state.session, [])).toEqual([]);
    expect(told(s.state.session, ['c1', 'c2'])).toEqual(['agent-started c1']);
  });

  it('the one that was resumed is there: the agent is ready', () => {
    const s = testSession();
    s.answer(launched);
    expect(told(s.state.session, ['c1'])).toEqual(['agent-started c1']);
    expect(told(idleSession().state.session, ['c1'])).toEqual([]);
  });

  it('tells where the transcript is, if no hook did', () => {
    const { session } = idleSession().state;
    const [fact] = newsOf(session, [{ providerId: 'c1', transcriptPath: '/rollout' }]);
    expect(fact).toMatchObject({ is: 'agent-started', providerId: 'c1', transcriptPath: '/rollout' });
  });

  it('a newer one ends the old one, but not during a turn: then it is of an agent inside', () => {
    const news = ['context-ended c1', 'agent-started c2'];
    expect(told(idleSession().state.session, ['c1', 'c2'])).toEqual(news);
    expect(told(workingSession().state.session, ['c1', 'c2'])).toEqual([]);
  });

  it('one that is open in its place ends it: some agents let go of what was cleared', () => {
    const news = ['context-ended c1', 'agent-started c2'];
    expect(told(idleSession().state.session, ['c2'])).toEqual(news);
    expect(told(workingSession().state.session, ['c2'])).toEqual([]);
    expect(told(idleSession().state.session, [])).toEqual([]);
  });

  it('an older one is believed only when the agent itself speaks of it', () => {
    const { session } = idleSession().state;
    expect(told(session, ['c0', 'c1'])).toEqual([]);
    const heard = started('c0', 'resume');
    expect(newsOf(session, open('c0', 'c1'), heard)[1]).toEqual(heard);
    expect(told(session, ['c1'], heard)).toEqual([]);
  });

  it('the end of the old one is not told again when a hook did', () => {
    const s = idleSession();
    s.hear({ is: 'context-ended', reason: 'clear' });
    expect(told(s.state.session, ['c1', 'c2'])).toEqual(['agent-started c2']);
  });
});
