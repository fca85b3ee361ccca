import { describe, expect, it } from 'vitest';
import {
  attemptingSession,
  idleSession,
  killIt,
  screens,
  type TestSession,
  typedSession,
  workingSession,
} from '../../../test/support/session.ts';
import type { Input } from '../core/input.ts';
import { person } from '../core/names.ts';

const watchedBy = (by: string, seconds = 60, id = `w-${by}`): Input => ({ type: 'watch', id, by, seconds });

/** What watchers were told so far. */
const told = (s: TestSession) =>
  s.owed.flatMap(({ effect }) =>
    effect.do === 'post' && effect.to.startsWith('w') ? [[effect.to, effect.text, effect.mode]] : [],
  );

describe('a watcher', () => {
  it('is told at once of a session that is idle', () => {
    const s = idleSession();
    s.take(watchedBy('w1'));
    expect(told(s)).toEqual([['w1', '[sm] scripted-s1 (s1) is idle.', 'important']]);
    expect(s.state.session.watchers).toEqual([]);
  });

  it('is told once when the turn has ended', () => {
    const s = workingSession();
    s.take(watchedBy('w1'));
    expect(told(s)).toEqual([]);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(told(s)).toHaveLength(1);
  });

  it('is not told while a message is on its way', () => {
    const s = attemptingSession('aaaaaaaa');
    s.take(watchedBy('w1', 3_600));
    s.see(screens.composer());
    s.submitted('typed');
    expect(told(s)).toEqual([]);
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: '[sm] from the user #aaaaaaaa:\ntext' });
    expect(told(s)).toEqual([]);
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(told(s)).toEqual([['w1', '[sm] scripted-s1 (s1) is idle.', 'important']]);
  });

  it('is told though a message waits that the pane holds back', () => {
    const s = attemptingSession('aaaaaaaa');
    s.take(watchedBy('w1'));
    s.see(screens.composer('a human thinks'));
    expect(told(s)).toHaveLength(1);
  });

  it('is told when the time is over, and why it is not idle', () => {
    const s = workingSession();
    s.take(watchedBy('w1', 30));
    s.wait(29_999);
    expect(told(s)).toEqual([]);
    s.wait(1);
    expect(told(s)).toEqual([
      ['w1', '[sm] scripted-s1 (s1) is not idle after 30 seconds: it is working.', 'important'],
    ]);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(told(s)).toHaveLength(1);
  });

  it('hears that something is being typed, if that is all that it waits for', () => {
    const s = typedSession('aaaaaaaa');
    s.take(watchedBy('w1', 1));
    s.wait(1_000);
    expect(told(s)).toEqual([
      ['w1', '[sm] scripted-s1 (s1) is not idle after 1 second: sm is typing into it.', 'important'],
    ]);
  });

  it.each([
    ['exits', { is: 'process-exited', code: 3 } as const, 'exited (exit code 3).'],
    ['is lost', { is: 'process-gone', why: 'its pane is gone' } as const, 'was lost (its pane is gone).'],
  ])('is told when the session %s, and at once if it has', (_, fact, text) => {
    const s = workingSession();
    s.take(watchedBy('w1'));
    s.hear(fact);
    s.take(watchedBy('w2'));
    expect(told(s)).toEqual([
      ['w1', `[sm] scripted-s1 (s1) ${text}`, 'important'],
      ['w2', `[sm] scripted-s1 (s1) ${text}`, 'important'],
    ]);
  });

  it('is told of a kill when it is done, not before', () => {
    const s = idleSession();
    s.take(killIt);
    s.take(watchedBy('w1'));
    expect(told(s)).toEqual([]);
    s.answer({ of: 'kill' });
    expect(told(s)).toEqual([['w1', '[sm] scripted-s1 (s1) was killed.', 'important']]);
  });

  it('is one of several, each with its own time', () => {
    const s = workingSession();
    s.take(watchedBy('w1', 10));
    s.take(watchedBy('w2', 5));
    s.take(watchedBy('w1', 60, 'again'));
    s.wait(10_000);
    expect(told(s).map(([to]) => to)).toEqual(['w2', 'w1']);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(told(s).map(([to]) => to)).toEqual(['w2', 'w1', 'w1']);
  });

  it('is not told while the session is being cleared', () => {
    const s = idleSession();
    s.take({ type: 'clear', by: person, prompt: null });
    s.take(watchedBy('w1'));
    expect(told(s)).toEqual([]);
    s.hear({ is: 'context-ended', providerId: 'c1' });
    s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
    expect(told(s)).toHaveLength(1);
  });

  it('is not the session itself', () => {
    expect(workingSession().refusal(watchedBy('s1')).code).toBe('invalid');
  });
});
