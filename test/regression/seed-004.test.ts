// A Stop that belongs to a `/clear` must not pass for the end of the task that came after it. In virtual time; the
// tests are named after the acceptance criteria of that report.
import { describe, expect, it } from 'vitest';
import type { Input } from '../../src/domain/core/input.ts';
import { quietly } from '../../src/domain/core/message.ts';
import { idleSession, screens, sent, type TestSession } from '../support/session.ts';

const em = { kind: 'session', id: 'em', name: 'em' } as const;
const boss = { kind: 'session', id: 'boss', name: 'boss' } as const;
/** What `invalidate-cache` does: a client is about to type `/clear` itself. */
const invalidate: Input = { type: 'expect-clear', by: null };
const invalidateByParent: Input = { type: 'expect-clear', by: boss };

/** `sm send` with a notice on stop, up to the prompt that proves that the agent has it. */
function sendAccepted(
  s: TestSession,
  id: string,
  turnId: string,
  from: typeof em | typeof boss = em,
  c = 'c1',
): void {
  s.take(sent({ id, from, notify: { ...quietly, turnEnd: true } }));
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({
    is: 'prompt-submitted',
    turnId,
    providerId: c,
    text: `[sm] from ${from.name} (${from.id}) #${id}:\ntext of ${id}`,
  });
}

const told = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [`${effect.to}: ${effect.text}`] : []));

/** One that has done task A for the EM. */
function afterTaskA(): TestSession {
  const s = idleSession();
  sendAccepted(s, 'aaaaaaaa', 'p1');
  s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'X' });
  expect(told(s)).toEqual(['em: [sm] scripted-s1 stopped:\nX']);
  return s;
}

const clearHooks = (s: TestSession, from = 'c1', to = 'c2') => {
  s.hear({ is: 'context-ended', providerId: from });
  s.hear({ is: 'agent-started', providerId: to, source: 'clear' });
};

const noticeOfB = 'em: [sm] scripted-s1 stopped:\nY';

describe('1. Repro scenario fixed: the notice has the response to the new task, not a message from before the clear', () => {
  it('when the clear has no Stop', () => {
    const s = afterTaskA();
    s.take(invalidate);
    clearHooks(s);
    expect(s.state.session.expectedClears).toEqual([]);
    sendAccepted(s, 'bbbbbbbb', 'p2', em, 'c2');
    s.hear({ is: 'turn-ended', turnId: 'p2', providerId: 'c2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
  });

  it.each([
    ['early, before the new conversation', ['stop', 'hooks', 'send']],
    ['between', ['hooks', 'stop', 'send']],
    ['late, when the new task runs', ['hooks', 'send', 'stop']],
  ])('when the clear has a Stop of the old conversation, and that comes %s', (_, order) => {
    const s = afterTaskA();
    s.take(invalidate);
    for (const step of order) {
      if (step === 'stop') s.hear({ is: 'turn-ended', providerId: 'c1', lastWords: 'X' });
      else if (step === 'hooks') clearHooks(s);
      else sendAccepted(s, 'bbbbbbbb', 'p2', em, 'c2');
    }
    expect(told(s)).toHaveLength(1);
    s.hear({ is: 'turn-ended', turnId: 'p2', providerId: 'c2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
  });

  it('or the generic message, when the new task ends without words', () => {
    const s = afterTaskA();
    s.take(invalidate);
    s.hear({ is: 'turn-ended', lastWords: 'X' });
    sendAccepted(s, 'bbbbbbbb', 'p2');
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(told(s).slice(1)).toEqual(['em: [sm] scripted-s1 (s1) completed (Stop hook fired)']);
  });
});

describe('2. Regression: a clear withdraws the notices of what it cut', () => {
  it('who cleared hears nothing; others hear that it was cleared, and by whom', () => {
    const s = idleSession();
    sendAccepted(s, 'aaaaaaaa', 'p1', em);
    sendMidTurn(s, 'bbbbbbbb');
    s.take(invalidateByParent);
    s.hear({ is: 'context-ended', providerId: 'c1' });
    expect(told(s)).toEqual(['em: [sm] scripted-s1 (s1) was cleared by boss (boss) before it was done.']);
    clearHooks(s);
    s.hear({ is: 'turn-ended', turnId: 'p1', providerId: 'c1', lastWords: 'X' });
    expect(told(s)).toHaveLength(1);
  });

  it.each([
    [
      'the Stop of the turn itself',
      (s: TestSession) => s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'X' }),
    ],
    ['a Stop without identity', (s: TestSession) => s.hear({ is: 'turn-ended', lastWords: 'X' })],
    [
      'the interrupt that comes first',
      (s: TestSession) =>
        s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' }),
    ],
  ])('what was asked for before is not fulfilled by %s', (_, end) => {
    const s = idleSession();
    sendAccepted(s, 'aaaaaaaa', 'p1');
    s.take(invalidate);
    end(s);
    expect(s.phase).toBe('idle');
    expect(told(s)).toEqual(['em: [sm] scripted-s1 (s1) was cleared before it was done.']);
    expect(s.state.session.lastTurn?.lastWords).toBeNull();
  });

  it('what waits in the queue stays there', () => {
    const s = idleSession();
    s.hear({ is: 'prompt-submitted', turnId: 'p1' });
    s.send('aaaaaaaa');
    s.take(invalidate);
    clearHooks(s);
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
  });
});

/** A prompt of the parent's that joins the turn that runs. */
function sendMidTurn(s: TestSession, id: string): void {
  s.take(sent({ id, from: boss, notify: { ...quietly, turnEnd: true } }));
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: `[sm] from boss (boss) #${id}:\ntext of ${id}` });
}

describe('3. New regression test: the exact race scenario', () => {
  it('a late Stop of the clear is absorbed though a new message is armed, and the next Stop is told', () => {
    const s = afterTaskA();
    s.take(invalidate);
    expect(s.state.session.expectedClears).toHaveLength(1);
    sendAccepted(s, 'bbbbbbbb', 'p2');

    s.hear({ is: 'turn-ended', lastWords: 'stale X' });
    expect(told(s)).toHaveLength(1);
    expect(s.message('bbbbbbbb').state.is).toBe('accepted');
    expect(s.phase).toBe('working');
    expect(s.state.session.expectedClears).toEqual([]);

    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
    expect(s.message('bbbbbbbb').state.is).toBe('answered');
  });

  it('also when that Stop names the task before', () => {
    const s = afterTaskA();
    s.take(invalidate);
    sendAccepted(s, 'bbbbbbbb', 'p2');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'stale X' });
    expect(told(s)).toHaveLength(1);
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
  });

  it('a Stop that comes twice fulfils nothing twice', () => {
    const s = afterTaskA();
    s.take(invalidate);
    sendAccepted(s, 'bbbbbbbb', 'p2');
    s.hear({ is: 'turn-ended', lastWords: 'stale X' });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'Y' });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
  });

  it('two clears are two expectations', () => {
    const s = afterTaskA();
    s.take(invalidate);
    s.take(invalidate);
    sendAccepted(s, 'bbbbbbbb', 'p2');
    s.hear({ is: 'turn-ended', lastWords: 'stale X' });
    s.hear({ is: 'turn-ended', lastWords: 'stale X' });
    expect(told(s)).toHaveLength(1);
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
  });

  it('a clear that never happens costs no notice: the end of the next task is told', () => {
    const s = afterTaskA();
    s.take(invalidate);
    sendAccepted(s, 'bbbbbbbb', 'p2');
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
    expect(s.state.session.expectedClears).toEqual([]);
  });

  it('an agent that dies instead leaves no expectation behind', () => {
    const s = afterTaskA();
    s.take(invalidate);
    s.hear({ is: 'process-exited', code: 1 });
    expect(s.state.session.expectedClears).toEqual([]);
    expect(s.refusal(invalidate).code).toBe('conflict');
  });
});

describe('4. Sessions with no pending notice are not affected', () => {
  it('the Stop of the clear is used up, and no spurious notice is sent', () => {
    const s = idleSession();
    s.take(invalidate);
    s.hear({ is: 'turn-ended', lastWords: 'X' });
    expect(s.state.session.expectedClears).toEqual([]);
    expect(told(s)).toEqual([]);
    expect(s.phase).toBe('idle');
    expect(s.eventsOf('fact-set-aside')).toMatchObject([{ why: 'it is of a clear' }]);
  });
});

describe('5. Path isolation: only an announced clear absorbs a Stop', () => {
  it('a clear that nobody announced opens no expectation, and the next Stop is told', () => {
    const s = afterTaskA();
    clearHooks(s);
    expect(s.state.session.expectedClears).toEqual([]);
    sendAccepted(s, 'bbbbbbbb', 'p2', em, 'c2');
    s.hear({ is: 'turn-ended', providerId: 'c2', lastWords: 'Y' });
    expect(told(s).slice(1)).toEqual([noticeOfB]);
  });

  it('an announced one does, also in a session that has never done anything', () => {
    const s = idleSession();
    s.take(invalidate);
    expect(s.state.session.expectedClears).toHaveLength(1);
  });

  it('a parent, or a person, may announce one; a stranger may not', () => {
    expect(idleSession().refusal({ type: 'expect-clear', by: em }).code).toBe('forbidden');
  });
});
