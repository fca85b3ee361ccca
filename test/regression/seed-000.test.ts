// Periodic reminders for a status, in virtual time; the tests are named after the items of that plan. Those that need
// a command line, a restart or a real pane are in test/e2e/reminders.test.ts, under the same numbers.
import { describe, expect, it } from 'vitest';
import { idleSession, killIt, screens, sent, type TestSession, workingSession } from '../support/session.ts';

const softFirstLine = '[sm remind] Update your status: sm status "your current progress"';
const hardFirstLine = '[sm remind] Status overdue. Run: sm status "your current progress"';

/** The reminders so far: how many seconds after the beginning each was put into the queue, and its kind. */
const reminders = (s: TestSession) => s.eventsOf('reminder sent').map(({ kind }) => kind);

function sendWithReminder(s: TestSession, id = 'aaaaaaaa', soft = 10, hard = 20): void {
  s.take(sent({ id, remind: { soft, hard } }));
}

/** The agent takes what is offered to it. */
function takes(s: TestSession, turnId: string): void {
  const activity = s.phase === 'working' ? 'working' : 'idle';
  // One of the looks may be for the silence.
  while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer('', activity));
  s.submitted('typed');
  const { attempt } = s.state.session;
  if (!attempt) throw new Error('nothing was typed');
  s.hear({ is: 'prompt-submitted', turnId, text: attempt.text });
  if (activity === 'working')
    s.hear({ is: 'prompt-absorbed', turnId, text: attempt.text }, { source: 'transcript' });
}

/** Our own Escape has ended the turn. */
function isCut(s: TestSession, turnId: string): void {
  for (let looks = 0; looks < 9 && !s.owed.some(({ effect }) => effect.do === 'escape'); looks += 1)
    s.see(screens.composer('', 'working'));
  s.answer({ of: 'escape', outcome: 'typed' });
  s.hear({ is: 'turn-ended', end: 'interrupted', turnId }, { source: 'transcript' });
}

/** It has the message, whose reminder is soft after 10 s and hard after 20 s. */
function reminded(): TestSession {
  const s = idleSession();
  sendWithReminder(s);
  takes(s, 'p1');
  return s;
}

const seconds = (n: number) => n * 1_000;

describe('1. Delivery-triggered start', () => {
  it('no reminder fires while the message waits; once it is accepted, the soft one fires 10 s later', () => {
    const s = workingSession();
    sendWithReminder(s);
    s.wait(seconds(60));
    expect(reminders(s)).toEqual([]);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    takes(s, 'p2');
    s.wait(seconds(10) - 1);
    expect(reminders(s)).toEqual([]);
    s.wait(1);
    expect(reminders(s)).toEqual(['soft']);
  });
});

describe('2. Immediate-start when idle', () => {
  it('the soft one fires 10 s after an idle agent took the message', () => {
    const s = reminded();
    s.wait(seconds(10));
    expect(reminders(s)).toEqual(['soft']);
  });
});

describe('3. Basic remind lifecycle', () => {
  it('after 10 s an important one is received, after 20 s an urgent one, and a new cycle begins', () => {
    const s = reminded();
    s.wait(seconds(10));
    const soft = s.eventsOf('reminder sent')[0]?.message as string;
    expect(s.message(soft)).toMatchObject({ mode: 'important', headed: false });
    expect(s.message(soft).text.split('\n')[0]).toBe(softFirstLine);
    takes(s, 'p1');
    expect(s.message(soft).state.is).toBe('accepted');
    s.wait(seconds(10));
    const hard = s.eventsOf('reminder sent')[1]?.message as string;
    expect(s.message(hard).mode).toBe('urgent');
    expect(s.message(hard).text.split('\n')[0]).toBe(hardFirstLine);
    isCut(s, 'p1');
    takes(s, 'p2');
    s.wait(seconds(9.9));
    expect(reminders(s)).toEqual(['soft', 'hard']);
    s.wait(seconds(0.1));
    expect(reminders(s)).toEqual(['soft', 'hard', 'soft']);
  });

  it('a hard one interrupts the turn, which goes on in the turn of the reminder, and so does the reminder', () => {
    const s = reminded();
    s.wait(seconds(10));
    takes(s, 'p1');
    s.wait(seconds(10));
    isCut(s, 'p1');
    expect(s.state.session.reminder).not.toBeNull();
    takes(s, 'p2');
    expect(s.state.session.turn?.messages).toContain('aaaaaaaa');
    s.wait(seconds(10));
    expect(reminders(s)).toEqual(['soft', 'hard', 'soft']);
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.state.session.reminder).toBeNull();
  });

  it('a soft one that still waits when the hard one fires is withdrawn', () => {
    const s = reminded();
    s.wait(seconds(20));
    const [soft, hard] = s.eventsOf('reminder sent').map(({ message }) => s.message(message).state.is);
    expect([soft, hard]).toEqual(['withdrawn', 'queued']);
  });
});

describe('4. Status reset', () => {
  it('a status at 5 s: no reminder at 10 s, and one at 15 s', () => {
    const s = reminded();
    s.wait(seconds(5));
    s.take({ type: 'report', by: { kind: 'person' }, text: 'working on it' });
    s.wait(seconds(9.9));
    expect(reminders(s)).toEqual([]);
    s.wait(seconds(0.1));
    expect(reminders(s)).toEqual(['soft']);
  });

  it('takes back a reminder that still waits', () => {
    const s = reminded();
    s.wait(seconds(10));
    s.take({ type: 'report', by: { kind: 'person' }, text: 'working on it' });
    const soft = s.eventsOf('reminder sent')[0]?.message as string;
    expect(s.message(soft).state).toMatchObject({ is: 'withdrawn', why: 'the agent has reported' });
  });
});

/** Half way to the first reminder this happens, and none ever comes. */
function endsIt(happens: (s: TestSession) => void): void {
  const s = reminded();
  s.wait(seconds(5));
  happens(s);
  s.wait(seconds(60));
  expect(s.state.session.reminder).toBeNull();
  expect(reminders(s)).toEqual([]);
}

describe('5. Idle cancels remind', () => {
  it('the turn ends: no reminder at 10 s', () => {
    endsIt((s) => s.hear({ is: 'turn-ended', turnId: 'p1' }));
  });

  it('what waits in the queue is withdrawn', () => {
    const s = reminded();
    s.wait(seconds(10));
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.message(s.eventsOf('reminder sent')[0]?.message as string).state.is).toBe('withdrawn');
    expect(s.state.session.attempt).toBeNull();
  });

  it('but not while the agent still has a text of ours that it has not taken up', () => {
    const s = workingSession();
    const text = '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa';
    s.take(sent({ id: 'aaaaaaaa', mode: 'important', remind: { soft: 10, hard: 20 } }));
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.reminder).not.toBeNull();
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.state.session.reminder).toBeNull();
  });

  it('a Stop with background tasks does not end it, one without them does, and it does not live on for ever', () => {
    const s = reminded();
    s.hear({ is: 'turn-ended', turnId: 'p1', stillRuns: 1 });
    s.wait(seconds(10));
    expect(reminders(s)).toEqual(['soft']);
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: '<task-notification>' });
    s.hear({ is: 'turn-ended', turnId: 'p2', stillRuns: 0 });
    expect(s.state.session.reminder).toBeNull();
    const other = reminded();
    other.hear({ is: 'turn-ended', turnId: 'p1', stillRuns: 1 });
    other.wait(seconds(1_800));
    expect(other.state.session.reminder).toBeNull();
  });

  it('an interrupt by a human ends it', () => {
    endsIt((s) => s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' }));
  });
});

describe('6. Clear cancels remind', () => {
  it('no reminder after a clear', () => {
    endsIt((s) => {
      s.hear({ is: 'context-ended', reason: 'clear' });
      s.hear({ is: 'agent-started', source: 'clear', providerId: 'c2' });
    });
  });
});

describe('7. Kill cancels remind', () => {
  it('no reminder after a kill', () => endsIt((s) => s.take(killIt)));
  it('nor after the agent has exited', () => endsIt((s) => s.hear({ is: 'process-exited' })));
});

describe('8. Manual stop', () => {
  it('stopped at 5 s: no reminder at 10 s', () =>
    endsIt((s) => s.take({ type: 'stop-reminding', by: { kind: 'person' } })));
});

describe('9. Replacement policy', () => {
  it('a second one at 5 s with 60 s: nothing at 10 s, and the reminder at 65 s', () => {
    const s = reminded();
    s.wait(seconds(5));
    s.take(sent({ id: 'bbbbbbbb', mode: 'important', remind: { soft: 60, hard: 180 } }));
    takes(s, 'p1');
    s.wait(seconds(59.9));
    expect(reminders(s)).toEqual([]);
    s.wait(seconds(0.1));
    expect(reminders(s)).toEqual(['soft']);
  });
});

describe('12. Config override', () => {
  it('soft at 120 s, hard at 240 s', () => {
    const s = idleSession();
    sendWithReminder(s, 'aaaaaaaa', 120, 240);
    takes(s, 'p1');
    s.wait(seconds(119.9));
    expect(reminders(s)).toEqual([]);
    s.wait(seconds(0.1));
    expect(reminders(s)).toEqual(['soft']);
    s.wait(seconds(119.9));
    expect(reminders(s)).toEqual(['soft']);
    s.wait(seconds(0.1));
    expect(reminders(s)).toEqual(['soft', 'hard']);
  });
});

describe('16. One-shot remind', () => {
  it('is an urgent message at its time, once', () => {
    const s = idleSession();
    s.take({
      type: 'remind-once',
      id: 'r1',
      from: { kind: 'person' },
      seconds: 5,
      every: null,
      text: 'hello',
    });
    s.wait(seconds(5) - 1);
    expect(s.eventsOf('one-shot sent')).toEqual([]);
    s.wait(1);
    const message = s.eventsOf('one-shot sent')[0]?.message as string;
    expect(s.message(message)).toMatchObject({ mode: 'urgent', text: '[sm remind] hello' });
    takes(s, 'p1');
    expect(s.message(message).state.is).toBe('accepted');
    s.wait(seconds(60));
    expect(s.eventsOf('one-shot sent')).toHaveLength(1);
  });
});
