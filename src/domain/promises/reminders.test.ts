// What the plans of the seeds (test/regression) leave open: refusals, questions, silence, one-shots that recur.

import { describe, expect, it } from 'vitest';
import {
  alone,
  idleSession,
  screens,
  sent,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import { person } from '../core/names.ts';

const posts = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [`${effect.to}: ${effect.text}`] : []));
const reminders = (s: TestSession) => s.eventsOf('reminder sent').map(({ kind }) => kind);

function reminded(soft = 10, hard = 20): TestSession {
  const s = workingSession();
  s.take({ type: 'remind', by: person, soft, hard });
  return s;
}

describe('thresholds', () => {
  it.each([
    [0, 10],
    [-1, 10],
    [10, 10],
    [20, 10],
    [Number.NaN, 10],
    [10, Number.POSITIVE_INFINITY],
    [10, 31_536_000_000_000],
  ])('of %d and %d seconds make no sense and are refused', (soft, hard) => {
    const s = workingSession();
    expect(s.refusal({ type: 'remind', by: person, soft, hard }).code).toBe('invalid');
    expect(s.refusal(sent({ id: 'aaaaaaaa', remind: { soft, hard } })).code).toBe('invalid');
    expect(s.state.session.reminder).toBeNull();
  });

  it('are refused for a session that is gone', () => {
    const s = idleSession();
    s.hear({ is: 'process-exited' });
    expect(s.refusal({ type: 'remind', by: person, soft: 10, hard: 20 }).code).toBe('conflict');
  });
});

describe('a reminder', () => {
  it('that was typed and then replaced does not wait for the next agent when this one dies', () => {
    const s = reminded();
    s.wait(10_000);
    s.see(screens.composer('', 'working'));
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    s.wait(10_000);
    expect(reminders(s)).toEqual(['soft', 'hard']);
    s.hear({ is: 'process-exited' });
    expect([...s.state.queue.important.values(), ...s.state.queue.urgent.values()]).toEqual([]);
  });

  it('does not end with a prompt of an earlier turn that is told late', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.take({ type: 'remind', by: person, soft: 10, hard: 20 });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' }, { source: 'transcript' });
    expect(s.state.session.reminder).not.toBeNull();
  });

  it('ends with its turn, though the message that asked for it is told late', () => {
    const s = workingSession();
    s.take(sent({ id: 'aaaaaaaa', mode: 'important', remind: { soft: 10, hard: 20 } }));
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    const text = '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa';
    s.hear({ is: 'prompt-absorbed', turnId: 'p1', text }, { source: 'transcript' });
    expect(s.eventsOf('reminder started')).toHaveLength(1);
    expect(s.state.session.reminder).toBeNull();
  });
});

describe('a session that is blocked on a human', () => {
  const ask = (s: TestSession) =>
    s.hear({ is: 'permission-asked', turnId: 'p1', text: 'run it?', subject: 'x' });

  it('is not reminded; its parent is told instead, once', () => {
    const s = reminded();
    ask(s);
    s.wait(100_000);
    expect(reminders(s)).toEqual([]);
    expect(posts(s).filter((text) => text.includes('should report its status'))).toEqual([
      'boss: [sm] scripted-s1 (s1) should report its status, but is blocked until a human answers:\nrun it?',
    ]);
  });

  it('has the rest of its window when it is answered', () => {
    const s = reminded();
    s.wait(4_000);
    ask(s);
    s.wait(100_000);
    s.hear({ is: 'activity', turnId: 'p1', subject: 'x' });
    s.wait(5_999);
    expect(reminders(s)).toEqual([]);
    s.wait(1);
    expect(reminders(s)).toEqual(['soft']);
  });

  it('for longer than the configured time is told to its parent again, once per question', () => {
    const s = idleSession({}, { ...alone, settings: { ...alone.settings, blockedBound: 60_000 } });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    const late = () => posts(s).filter((text) => text.includes('has been blocked for 60 seconds'));
    ask(s);
    s.wait(59_999);
    expect(late()).toEqual([]);
    s.wait(200_000);
    expect(late()).toHaveLength(1);
    s.hear({ is: 'activity', turnId: 'p1', subject: 'x' });
    ask(s);
    s.wait(200_000);
    expect(late()).toHaveLength(2);
  });
});

describe('an agent that stays silent', () => {
  it('through two hard reminders is told to its parent, once, and again only after it has reported', () => {
    const s = reminded();
    const told = () => posts(s).filter((text) => text.includes('did not respond to 2 urgent reminders'));
    s.wait(39_999);
    expect(told()).toEqual([]);
    s.wait(1);
    expect(told()).toHaveLength(1);
    s.wait(200_000);
    expect(told()).toHaveLength(1);
    s.take({ type: 'report', by: person, text: 'sorry' });
    s.wait(40_000);
    expect(told()).toHaveLength(2);
    expect(s.eventsOf('reminder unheeded')).toEqual([expect.anything(), expect.anything()]);
  });

  it('has one reminder in its queue, never a heap of them', () => {
    const s = reminded();
    s.wait(200_000);
    const waiting = s
      .eventsOf('reminder sent')
      .filter(({ message }) => s.message(message).state.is !== 'withdrawn');
    expect(waiting).toHaveLength(1);
  });
});

describe('a reminder that was typed and left no trace', () => {
  /** It is typed while the turn runs, and nothing is heard of it. */
  function typedInVain(): { s: TestSession; soft: string } {
    const s = reminded();
    s.wait(10_000);
    while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer('', 'working'));
    s.submitted('unknown');
    return { s, soft: s.eventsOf('reminder sent')[0]?.message as string };
  }

  function looksAreEmpty(s: TestSession): void {
    for (let i = 0; i < 5; i += 1) {
      s.wait(2_000);
      while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer());
    }
  }

  it('is not typed again when its turn is over: its reason is gone', () => {
    const { s, soft } = typedInVain();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.message(soft).state.is).toBe('typed');
    looksAreEmpty(s);
    expect(s.message(soft).state).toMatchObject({
      is: 'withdrawn',
      why: 'it was no longer needed when it arrived',
    });
    expect(s.state.session.attempt).toBeNull();
    expect(s.owed.filter(({ effect }) => effect.do === 'submit')).toEqual([]);
  });

  it('counts when the agent has it after all', () => {
    const { s, soft } = typedInVain();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: s.message(soft).text });
    expect(s.message(soft).state).toMatchObject({ is: 'accepted', turn: 'p2' });
  });
});

describe('one-shot reminders', () => {
  const set = (s: TestSession, part: object = {}) =>
    s.take({
      type: 'remind-once',
      id: 'r1',
      from: { kind: 'person' },
      seconds: 10,
      every: null,
      text: 'look',
      ...part,
    });

  it.each([0, -5, Number.NaN, 31_536_000_000_000])('in %d seconds are refused', (seconds) => {
    const s = idleSession();
    const input = {
      type: 'remind-once',
      id: 'r1',
      from: { kind: 'person' },
      every: null,
      text: 'x',
      seconds,
    } as const;
    expect(s.refusal(input).code).toBe('invalid');
    expect(s.refusal({ ...input, seconds: 10, every: seconds }).code).toBe('invalid');
  });

  it('do not recur more often than every 10 seconds', () => {
    const s = idleSession();
    const input = { type: 'remind-once', id: 'r1', from: { kind: 'person' }, seconds: 9, text: 'x' } as const;
    expect(s.refusal({ ...input, every: 9 })).toEqual({
      code: 'invalid',
      message: 'A reminder may repeat every 10 seconds at most, not every 9: each one interrupts the agent.',
    });
    set(s, { seconds: 9, every: 10 });
  });

  it('are for the family: a stranger may not set one', () => {
    const from = { kind: 'session', id: 'aunt', name: 'aunt' } as const;
    const s = idleSession();
    const input = { type: 'remind-once', id: 'r1', from, seconds: 10, every: null, text: 'look' } as const;
    expect(s.refusal(input).code).toBe('forbidden');
    const related = idleSession({}, { ...alone, isFamily: () => true });
    related.take(input);
    related.wait(10_000);
    const { message } = related.eventsOf('one-shot sent')[0] ?? { message: '' };
    expect(related.message(message).text).toBe('[sm remind] from aunt (aunt): look');
  });

  it('are at most 200 for a session', () => {
    const s = idleSession();
    for (let i = 0; i < 200; i += 1) set(s, { id: `r${i}`, seconds: 100 });
    const more = {
      type: 'remind-once',
      id: 'more',
      from: { kind: 'person' },
      seconds: 1,
      every: null,
    } as const;
    expect(s.refusal({ ...more, text: 'look' }).code).toBe('conflict');
    s.take({ type: 'cancel-reminder', by: person, id: 'r7' });
    set(s, { id: 'more', seconds: 100 });
  });

  it('can be cancelled, and what they put into the queue is taken back', () => {
    const s = workingSession();
    set(s, { every: 10 });
    s.wait(10_000);
    s.take({ type: 'cancel-reminder', by: person, id: 'r1' });
    expect(s.message(s.eventsOf('one-shot sent')[0]?.message as string).state.is).toBe('withdrawn');
    s.wait(60_000);
    expect(s.eventsOf('one-shot sent')).toHaveLength(1);
    expect(s.refusal({ type: 'cancel-reminder', by: person, id: 'r1' }).code).toBe('not-found');
  });

  it('recur at their times, and only the newest waits', () => {
    const s = workingSession();
    s.hear({ is: 'compaction-began' });
    s.hear({ is: 'compaction-ended' });
    set(s, { every: 10 });
    s.wait(35_000);
    expect(s.eventsOf('one-shot sent')).toHaveLength(3);
    const states = s.eventsOf('one-shot sent').map(({ message }) => s.message(message).state.is);
    expect(states.filter((state) => state !== 'withdrawn')).toHaveLength(1);
  });

  it('that were missed while nobody was there are not made up for', () => {
    const s = idleSession();
    set(s, { every: 10 });
    const { oneShots } = s.state.session;
    s.hear({ is: 'process-gone' });
    expect(s.state.session.oneShots).toEqual(oneShots);
    s.wait(10_000);
    expect(s.state.session.oneShots[0]?.at).toBe(s.now + 10_000);
  });

  it('are delivered to an agent that works, by an interrupt', () => {
    const s = workingSession();
    set(s);
    s.wait(10_000);
    // One look is for the silence, one for the interrupt.
    for (const _ of [1, 2]) s.see(screens.composer('', 'working'));
    expect(s.owed.some(({ effect }) => effect.do === 'escape')).toBe(true);
  });
});
