import { describe, expect, it } from 'vitest';
import { posts, prompt } from '../../../test/support/mid-turn.ts';
import { idleSession, killIt, screens, sent, type TestSession } from '../../../test/support/session.ts';
import { type Notify, quietly } from '../core/message.ts';

/** A message of `from`, which the agent has taken. */
function accepted(from: string, notify: Partial<Notify>): TestSession {
  const s = idleSession({ parentId: null });
  s.take(
    sent({
      id: 'aaaaaaaa',
      from: { kind: 'session', id: from, name: from },
      notify: { ...quietly, ...notify },
    }),
  );
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: prompt('aaaaaaaa') });
  return s;
}
const told = (s: TestSession) => posts(s).map(({ to, text }) => [to, text]);

describe('the sender of a message', () => {
  it('hears that nobody knows whether a session had it that was killed just then', () => {
    const s = idleSession({ parentId: null });
    const from = { kind: 'session', id: 'boss', name: 'boss' } as const;
    const send = (id: string) => s.take(sent({ id, from, notify: { ...quietly, turnEnd: true } }));
    send('aaaaaaaa');
    s.see(screens.composer());
    s.submitted('typed');
    send('bbbbbbbb');
    s.take(killIt);
    expect(told(s)).toEqual([
      [
        'boss',
        '[sm] It is not known whether your message #aaaaaaaa reached scripted-s1 (s1): the session was killed.',
      ],
      ['boss', '[sm] Your message #bbbbbbbb did not reach scripted-s1 (s1): the session was killed.'],
    ]);
  });

  it('hears when it is accepted, if he wants to', () => {
    const s = accepted('boss', { accepted: true });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 (s1) has your message #aaaaaaaa.']]);
    expect(told(accepted('boss', {}))).toEqual([]);
  });

  it('hears that it is not done so many seconds after it was accepted, once', () => {
    const s = accepted('boss', { afterSeconds: 30 });
    s.wait(29_999);
    expect(told(s)).toEqual([]);
    s.wait(1);
    const late = [
      'boss',
      '[sm] scripted-s1 (s1) has had your message #aaaaaaaa for 30 seconds and is not done yet.',
    ];
    expect(told(s)).toEqual([late]);
    s.wait(60_000);
    expect(told(s)).toEqual([late]);
  });

  it('does not hear so of one that is done by then', () => {
    const s = accepted('boss', { afterSeconds: 30 });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.wait(60_000);
    expect(told(s)).toEqual([]);
  });

  it('hears nothing when it is the session itself', () => {
    const s = accepted('s1', { turnEnd: true, accepted: true, afterSeconds: 30 });
    s.wait(30_000);
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'done' });
    expect(s.message('aaaaaaaa').state.is).toBe('answered');
    expect(told(s)).toEqual([]);
  });
});
