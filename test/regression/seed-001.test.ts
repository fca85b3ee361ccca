// No reminder during a compaction, in virtual time; the tests are named after the items of that plan. What needs the
// posts of the hooks is in test/e2e/compaction.test.ts, under the same numbers.
import { describe, expect, it } from 'vitest';
import { idleSession, screens, sent, type TestSession } from '../support/session.ts';

const reminders = (s: TestSession) => s.eventsOf('reminder sent').map(({ kind }) => kind);
const begins = (s: TestSession) => s.hear({ is: 'compaction-began' });
const ends = (s: TestSession) => s.hear({ is: 'compaction-ended' });

/** At work, and to be reminded softly after 10 s and hard after 20 s. */
function reminded(): TestSession {
  const s = idleSession();
  s.take(sent({ id: 'aaaaaaaa', remind: { soft: 10, hard: 20 } }));
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa' });
  return s;
}

function oneShotIn(s: TestSession, seconds: number, every: number | null = null): void {
  s.take({ type: 'remind-once', id: 'r1', from: { kind: 'person' }, seconds, every, text: 'look' });
}

describe('TestCompactionStateTracking', () => {
  it('Test 1: a compaction is known from its beginning', () => {
    const s = reminded();
    begins(s);
    expect(s.phase).toBe('compacting');
  });

  it('Test 2: its end clears the state and gives the reminder a fresh window', () => {
    const s = reminded();
    s.wait(9_000);
    begins(s);
    s.wait(200_000);
    ends(s);
    expect(s.phase).toBe('working');
    expect(s.state.session.reminder).toMatchObject({ since: s.now, next: 'soft' });
    s.wait(9_999);
    expect(reminders(s)).toEqual([]);
    s.wait(1);
    expect(reminders(s)).toEqual(['soft']);
  });

  it('Test 3: a new session does not compact', () => {
    expect(idleSession().state.session.compaction).toBeNull();
  });

  it('the parent is told once, in the words that it knows', () => {
    const s = reminded();
    begins(s);
    begins(s);
    const posts = s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [effect] : []));
    expect(posts).toMatchObject([
      {
        to: 'boss',
        mode: 'sequential',
        text: '[sm context] Compaction fired for scripted-s1. Context was lost.',
      },
    ]);
  });
});

describe('TestCompactionSuppression', () => {
  it('Test 4: a periodic reminder is skipped while the session compacts', () => {
    const s = reminded();
    begins(s);
    s.wait(600_000);
    expect(reminders(s)).toEqual([]);
  });

  it('Test 5: a periodic reminder fires when it does not', () => {
    const s = reminded();
    s.wait(10_000);
    expect(reminders(s)).toEqual(['soft']);
  });

  it('Test 6: a one-shot waits while the session compacts, and fires when that is over', () => {
    const s = idleSession();
    oneShotIn(s, 5);
    begins(s);
    s.wait(60_000);
    expect(s.eventsOf('one-shot sent')).toEqual([]);
    ends(s);
    expect(s.eventsOf('one-shot sent')).toHaveLength(1);
    expect(s.eventsOf('one-shot forced')).toEqual([]);
  });

  it('Test 7: a one-shot is delivered after the longest wait though the session still compacts, with a warning', () => {
    const s = idleSession();
    oneShotIn(s, 5);
    begins(s);
    for (let passed = 0; passed < 304; passed += 1) {
      s.wait(1_000);
      if (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer('', 'working'));
    }
    expect(s.eventsOf('one-shot sent')).toEqual([]);
    s.wait(1_000);
    expect(s.eventsOf('one-shot forced')).toMatchObject([{ reminder: 'r1', seconds: 300 }]);
    const message = s.eventsOf('one-shot sent')[0]?.message as string;
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    expect(s.phase).toBe('compacting');
    expect(s.message(message).state.is).toBe('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p9', text: '[sm remind] look' });
    expect(s.message(message).state).toMatchObject({ is: 'accepted', turn: 'p9' });
  });

  it('nothing else is typed into a session that compacts, urgent messages neither', () => {
    const s = reminded();
    begins(s);
    s.send('bbbbbbbb', 'now', 'urgent');
    expect(s.owed.some(({ effect }) => effect.do === 'look' || effect.do === 'escape')).toBe(false);
    expect(s.message('bbbbbbbb').state.is).toBe('queued');
  });
});
