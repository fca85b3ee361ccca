// An agent without a screen: it says what it does when it is asked, and there is no composer that could hold a draft.
import { describe, expect, it } from 'vitest';
import { afterEscape, owedKinds } from '../../../test/support/mid-turn.ts';
import { aloneWith, idleSession, type TestSession } from '../../../test/support/session.ts';
import type { Activity, Look } from '../core/fact.ts';

const says = (activity: Activity): Look => ({ says: 'activity', activity });
const asks: Look = { says: 'question', text: 'May I?' };
const silent: Look = { says: 'nothing', why: 'it does not answer' };

const session = () => idleSession({}, aloneWith({ midTurn: 'in-tools', handoff: false }));

function working(): TestSession {
  const s = session();
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  return s;
}

const submits = (s: TestSession) => s.owed.flatMap(({ effect }) => (effect.do === 'submit' ? [effect] : []));

describe('a message to an agent without a screen', () => {
  it('is told at once when it is idle, at no cursor', () => {
    const s = session();
    s.send('aaaaaaaa');
    s.see(says('idle'));
    expect(submits(s)).toMatchObject([{ cursor: null, stash: false, erase: 0 }]);
  });

  it('is held while it does not answer, with its reason, and nobody is told of a screen', () => {
    const s = session();
    s.send('aaaaaaaa');
    for (let looks = 0; looks < 20; looks += 1) {
      s.see(silent);
      s.wait(2_000);
    }
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'it does not answer' });
    expect(s.eventsOf('screen unrecognised')).toEqual([]);
  });

  it('waits until its question is answered', () => {
    const s = session();
    s.send('aaaaaaaa');
    s.see(asks);
    expect(s.phase).toBe('blocked');
    expect(s.state.session.question).toMatchObject({ text: 'May I?' });
  });

  it('waits while it says that a turn runs which nobody has told of', () => {
    const s = session();
    s.send('aaaaaaaa');
    s.see(says('working'));
    expect(submits(s)).toEqual([]);
  });

  it('that left no trace is told again after two words that it is idle, and never while it works', () => {
    const s = session();
    s.send('aaaaaaaa');
    s.see(says('idle'));
    s.submitted('typed');
    for (const activity of ['working', 'working', 'idle'] as const) {
      s.wait(1_500);
      s.see(says(activity));
      expect(submits(s)).toEqual([]);
    }
    s.wait(1_500);
    s.see(says('idle'));
    expect(submits(s)).toMatchObject([{ cursor: null }]);
  });

  it('is not told a second time in a turn, since nothing is drawn that would prove that it has read it', () => {
    const s = working();
    s.hear({ is: 'activity', turnId: 'p1', step: 'tool-began' });
    s.send('aaaaaaaa', undefined, 'important');
    s.see(says('working'));
    s.submitted('unknown');
    for (let looks = 0; looks < 5; looks += 1) {
      s.wait(300);
      s.see(says('working'));
    }
    expect(submits(s)).toEqual([]);
  });
});

describe('an interrupt of an agent without a screen', () => {
  const urgent = () => {
    const s = working();
    s.send('aaaaaaaa', undefined, 'urgent');
    s.see(says('working'));
    return s;
  };

  it('is proven by its word that it is idle', () => {
    const s = urgent();
    expect(s.owed.at(-1)?.effect).toEqual({ do: 'escape', cursor: null });
    s.answer({ of: 'escape', outcome: 'typed' });
    s.wait(60);
    s.see(says('idle'));
    expect(s.eventsOf('turn ended')).toMatchObject([{ turn: 'p1', end: 'cut-off' }]);
    s.see(says('idle'));
    expect(submits(s)).toMatchObject([{ cursor: null }]);
  });

  it('is not while it is unclear', () => {
    const s = urgent();
    s.answer({ of: 'escape', outcome: 'typed' });
    afterEscape(s, says('unclear'));
    expect(s.phase).toBe('working');
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'the interrupt is not proven yet' });
  });
});

describe('a silent agent without a screen', () => {
  it('has ended its turn when it says for long enough that it is idle', () => {
    const s = working();
    s.wait(10_000);
    s.see(says('idle'));
    s.wait(2_000);
    s.see(says('idle'));
    expect(s.eventsOf('turn ended')).toMatchObject([{ turn: 'p1', end: 'unknown' }]);
  });

  it('works on while it says so, and is not judged while it says nothing', () => {
    const s = working();
    for (const look of [says('working'), silent, says('working'), null]) {
      s.wait(10_000);
      if (owedKinds(s).includes('look')) s.see(look);
    }
    expect(s.phase).toBe('working');
  });
});
