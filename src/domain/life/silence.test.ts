import { describe, expect, it } from 'vitest';
import { launched, screens, testSession, workingSession } from '../../../test/support/session.ts';

const looks = (s: ReturnType<typeof testSession>) =>
  s.owed.filter(({ effect }) => effect.do === 'look').length;

describe('silence', () => {
  it('makes a working session be looked at after ten seconds', () => {
    const s = workingSession();
    s.wait(9_999);
    expect(looks(s)).toBe(0);
    s.wait(1);
    expect(looks(s)).toBe(1);
  });

  it('starts again with every word from the agent', () => {
    const s = workingSession();
    for (let i = 0; i < 5; i += 1) {
      s.wait(9_000);
      s.hear({ is: 'activity', turnId: 'p1' });
    }
    expect(looks(s)).toBe(0);
  });

  it('owes one look at a time, however long that takes', () => {
    const s = workingSession();
    s.wait(300_000);
    expect(looks(s)).toBe(1);
  });

  it('is no reason to look at an idle session', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.wait(3_600_000);
    expect(looks(s)).toBe(0);
  });
});

describe('a turn that nobody ended', () => {
  it('is over when two looks two seconds apart show the same idle screen', () => {
    const s = workingSession();
    s.wait(10_000);
    s.see(screens.composer());
    expect(s.phase).toBe('working');
    s.wait(2_000);
    s.see(screens.composer());
    expect(s.phase).toBe('idle');
    expect(s.state.session.lastTurn).toMatchObject({ id: 'p1', end: 'unknown' });
    expect(s.eventsOf('turn ended')).toMatchObject([{ evidence: { source: 'screen' } }]);
  });

  it('must look the same for a minute when the screen does not say that it is idle', () => {
    const s = workingSession();
    s.wait(10_000);
    s.see(screens.composer('', 'unclear'));
    s.wait(59_999);
    expect(looks(s)).toBe(0);
    s.wait(1);
    s.see(screens.composer('', 'unclear'));
    expect(s.phase).toBe('idle');
  });

  it('goes on when the screen changes or shows work between the looks', () => {
    const s = workingSession();
    const screensSeen = [
      screens.composer('', 'idle', 'one'),
      screens.composer('', 'idle', 'two'),
      screens.composer('', 'working'),
      screens.composer('', 'idle', 'two'),
    ];
    for (const screen of screensSeen) {
      s.wait(10_000);
      s.see(screen);
    }
    expect(s.phase).toBe('working');
  });

  it('goes on when the agent is talking between the looks', () => {
    const s = workingSession();
    s.wait(10_000);
    s.see(screens.composer());
    s.hear({ is: 'activity', turnId: 'p1' });
    s.wait(10_000);
    s.see(screens.composer());
    expect(s.phase).toBe('working');
  });

  it('is not begun again by a look that was under way when its end was told', () => {
    const s = workingSession();
    s.wait(10_000);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(screens.composer('', 'working'));
    expect(s.phase).toBe('idle');
  });

  it('is told nothing by a screen that is not recognised or not there', () => {
    const s = workingSession();
    s.wait(10_000);
    s.see(screens.unknown());
    s.wait(10_000);
    s.see(null);
    expect(s.phase).toBe('working');
    s.wait(10_000);
    expect(looks(s)).toBe(1);
  });
});

describe('a start that hangs', () => {
  it('is blocked with the text of the dialog that stands in the way', () => {
    const s = testSession();
    s.answer(launched);
    s.wait(1_000);
    s.see(screens.dialog('Do you trust this folder?'));
    expect(s.phase).toBe('blocked');
    expect(s.eventsOf('question asked')).toMatchObject([
      { kind: 'dialog', text: 'Do you trust this folder?' },
    ]);
    s.hear({ is: 'agent-started' });
    expect(s.phase).toBe('idle');
  });

  it('is idle when the composer is there though no hook said so', () => {
    const s = testSession();
    s.answer(launched);
    s.wait(1_000);
    s.see(screens.composer());
    expect(s.phase).toBe('idle');
  });
});

describe('a question', () => {
  const asked = () => {
    const s = workingSession();
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'Bash rm', text: 'Bash: rm' });
    return s;
  };

  it('is answered when the very tool runs that it asked for, and not by one that runs beside it', () => {
    const s = asked();
    s.hear({ is: 'activity', turnId: 'p1', subject: 'Bash ls' });
    expect(s.phase).toBe('blocked');
    s.hear({ is: 'activity', turnId: 'p1', subject: 'Bash rm' });
    expect(s.phase).toBe('working');
  });

  it('is answered when the dialog closed from the screen', () => {
    const s = asked();
    s.wait(3_000);
    s.see(screens.dialog('rm?'));
    expect(s.phase).toBe('blocked');
    s.wait(3_000);
    s.see(screens.composer('', 'working'));
    expect(s.phase).toBe('working');
    expect(s.eventsOf('question asked')).toHaveLength(1);
  });

  it('is not answered by a look from before it was asked', () => {
    const s = workingSession();
    s.wait(10_000);
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'Bash rm', text: 'Bash: rm' });
    s.see(screens.composer('', 'working'));
    expect(s.phase).toBe('blocked');
  });

  it('is answered by the end of its turn', () => {
    const s = asked();
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.phase).toBe('idle');
  });

  it('is not asked by a turn whose end was told before', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'permission-asked', turnId: 'p2', subject: 'x', text: 'x' });
    expect(s.phase).toBe('idle');
  });
});

describe('an agent that names its conversation', () => {
  const composer = screens.composer();

  it('is not ready by its composer alone, but when the name is told', () => {
    const s = testSession({ providerId: null });
    s.answer(launched);
    s.wait(1_000);
    s.see(composer);
    expect(s.phase).toBe('starting');
    s.hear({ is: 'agent-started', providerId: 'named' }, { source: 'pane' });
    expect(s.phase).toBe('idle');
  });

  it('is used all the same when nobody tells it', () => {
    const s = testSession({ providerId: null });
    s.answer(launched);
    for (let seconds = 0; s.phase === 'starting' && seconds < 20; seconds += 1) {
      s.wait(1_000);
      s.see(composer);
    }
    expect(s.phase).toBe('idle');
  });
});
