import { describe, expect, it } from 'vitest';
import {
  important,
  owedKinds,
  prompt,
  urgent,
  working,
  workingForBoss,
} from '../../../test/support/mid-turn.ts';
import {
  aloneWith,
  idleSession,
  screens,
  sent,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import type { Look } from '../core/fact.ts';
import type { Composer } from './verdict.ts';

describe('an important message to an agent that works', () => {
  it('is typed at once, and the agent has it before any turn has taken it', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'accepted', turn: null });
    expect(s.state.session.enqueued).toEqual(['aaaaaaaa']);
  });

  it('waits again when the agent drops it with the turn, while what we cut goes on', () => {
    const s = workingForBoss();
    important(s, 'bbbbbbbb');
    urgent(s, 'cccccccc');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' });
    s.hear({ is: 'prompts-dropped' });
    s.see(screens.composer());
    expect(s.owed[0]?.effect).toMatchObject({
      do: 'submit',
      text: `${prompt('cccccccc')}\n\n${prompt('bbbbbbbb')}`,
    });
    expect(s.state.session.carried).toEqual(['aaaaaaaa']);
  });

  it('is answered by the turn that took it up in its tool loop', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    s.hear({ is: 'prompt-absorbed', turnId: 'p1', text: prompt('aaaaaaaa') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p1' });
    expect(s.phase).toBe('idle');
  });

  it('without a header is known by its words: it is taken up once, and never typed again', () => {
    const s = workingSession();
    const text = '[sm] boss stopped:\ndone';
    s.take(sent({ id: 's1n1', mode: 'important', headed: false, text, from: { kind: 'sm' } }));
    s.see(working);
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text });
    expect(s.state.session.enqueued).toEqual(['s1n1']);
    s.hear({ is: 'prompt-absorbed', turnId: 'p1', text }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.phase).toBe('idle');
    expect(s.message('s1n1').state).toMatchObject({ is: 'answered', turn: 'p1' });
  });

  it('without a header, when the turn ends first, is answered by the next one', () => {
    const s = workingSession();
    for (const id of ['s1n1', 's1n2']) {
      s.take(sent({ id, mode: 'important', headed: false, text: 'the same words', from: { kind: 'sm' } }));
      s.see(working);
      s.submitted('typed');
      s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'the same words' });
    }
    s.hear({ is: 'prompt-absorbed', turnId: 'p1', text: 'the same words' }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.enqueued).toEqual(['s1n2']);
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'the same words' }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.message('s1n2').state).toMatchObject({ is: 'answered', turn: 'p2' });
  });

  it('keeps the session working when the turn ends first, and is answered by the next one', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.phase).toBe('working');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('aaaaaaaa') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'done' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p2' });
  });

  it('is of the turn after, when an earlier one has just been taken up and only the transcript will tell', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    s.send('bbbbbbbb', undefined, 'important');
    s.see(working);
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('bbbbbbbb') });
    expect(s.state.session.enqueued).toEqual(['aaaaaaaa', 'bbbbbbbb']);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('aaaaaaaa') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p3', text: prompt('bbbbbbbb') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p3' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p2' });
    expect(s.message('bbbbbbbb').state).toMatchObject({ is: 'answered', turn: 'p3' });
  });

  it('waits again when the agent dies before it took it up', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
  });

  describe('of several that are taken up together', () => {
    const ids = ['aaaaaaaa', 'bbbbbbbb'];
    const together = (): TestSession => {
      const s = workingSession();
      for (const id of ids) important(s, id);
      s.hear({ is: 'turn-ended', turnId: 'p1' });
      for (const [n, id] of ids.entries())
        s.hear({ is: 'prompt-submitted', turnId: `p${n + 2}`, text: prompt(id) }, { source: 'transcript' });
      return s;
    };
    const allAre = (s: TestSession, is: 'answered' | 'interrupted') => {
      for (const id of ids) expect(s.message(id).state).toMatchObject({ is, turn: 'p3' });
    };

    it('all are answered by the end of the last', () => {
      const s = together();
      s.hear({ is: 'turn-ended', turnId: 'p3' });
      allAre(s, 'answered');
    });

    it('all are cut with the last, though the next turn is told first', () => {
      const s = together();
      s.hear({ is: 'prompt-submitted', turnId: 'p4', text: 'a human’s' }, { source: 'transcript' });
      s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p3' }, { source: 'transcript' });
      allAre(s, 'interrupted');
      expect(s.state.session.turn).toMatchObject({ id: 'p4', earlier: [] });
    });
  });

  it('is not pasted a second time while the agent works, however long the evidence takes', () => {
    const s = workingSession();
    s.send('aaaaaaaa', undefined, 'important');
    s.see(working);
    s.submitted('typed');
    for (let i = 0; i < 10; i += 1) {
      s.wait(2_000);
      if (owedKinds(s).includes('look')) s.see(screens.composer('', 'unclear'));
    }
    expect(s.eventsOf('message typed')).toHaveLength(1);
    expect(owedKinds(s)).not.toContain('submit');
  });

  it('says to an urgent one why it waits, when there is no evidence of what was typed before it', () => {
    const s = workingSession();
    s.send('aaaaaaaa', undefined, 'important');
    s.see(working);
    s.submitted('typed');
    s.send('bbbbbbbb', undefined, 'urgent');
    for (let i = 0; i < 3; i += 1) {
      s.wait(2_000);
      s.see(working);
    }
    expect(s.eventsOf('message held')).toMatchObject([
      { message: 'bbbbbbbb', why: 'the message before it is not proven yet' },
    ]);
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: prompt('aaaaaaaa') });
    s.see(working);
    expect(owedKinds(s)).toContain('escape');
  });
});

describe('an important message over whose typing we died', () => {
  const inDoubt = (): TestSession => {
    const s = workingSession();
    s.send('aaaaaaaa', undefined, 'important');
    s.see(working);
    s.submitted('unknown');
    return s;
  };
  const looked = (s: TestSession, screen: string) => {
    s.wait(1_500);
    s.see(screens.composer('', 'working', screen));
  };

  it('is typed again in the same turn, once the agent has redrawn its screen and told nothing of it', () => {
    const s = inDoubt();
    looked(s, 'for 12 s');
    looked(s, 'for 12 s');
    expect(owedKinds(s), 'an agent that draws nothing may have read nothing').toEqual([]);
    looked(s, 'for 15 s');
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text: prompt('aaaaaaaa') });
  });

  it('is still in doubt, and typed once more, when the composer changed before it went out again', () => {
    const s = inDoubt();
    looked(s, 'for 12 s');
    looked(s, 'for 14 s');
    s.submitted('changed');
    looked(s, 'for 16 s');
    expect(owedKinds(s)).toEqual([]);
    looked(s, 'for 18 s');
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text: prompt('aaaaaaaa') });
  });

  it('is not, when the transcript tells that the agent has it', () => {
    const s = inDoubt();
    s.hear({ is: 'prompt-enqueued', text: prompt('aaaaaaaa') }, { source: 'transcript' });
    expect(s.message('aaaaaaaa').state).toMatchObject({
      is: 'accepted',
      turn: null,
      evidence: { source: 'transcript' },
    });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: prompt('aaaaaaaa') });
    expect(s.state.session.enqueued).toEqual(['aaaaaaaa']);
    expect(s.eventsOf('message accepted')).toHaveLength(1);
  });

  it('is not, when its turn is over and the screen shows another that nobody told of', () => {
    const s = inDoubt();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    for (const screen of ['for 12 s', 'for 14 s', 'for 16 s']) looked(s, screen);
    expect(owedKinds(s)).not.toContain('submit');
  });
});

describe('an agent whose speech is cut by text, unless a tool of its runs', () => {
  const speaking = (): TestSession => {
    const s = idleSession({}, aloneWith({ midTurn: 'in-tools' }));
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    return s;
  };
  const tool = (s: TestSession, step: 'tool-began' | 'tool-ended') =>
    s.hear({ is: 'activity', turnId: 'p1', step }, { source: 'transcript' });
  const shows = (pending: string): Look => ({
    ...working,
    reading: { ...(working.reading as Composer), pending },
  });

  it('is not given an important message while it speaks, but as soon as a tool runs', () => {
    const s = speaking();
    s.send('aaaaaaaa', undefined, 'important');
    expect(owedKinds(s)).toEqual([]);
    tool(s, 'tool-began');
    s.see(working);
    expect(owedKinds(s)).toEqual(['submit']);
  });

  it('is not given it either when the tool is done before it could be typed', () => {
    const s = speaking();
    tool(s, 'tool-began');
    s.send('aaaaaaaa', undefined, 'important');
    tool(s, 'tool-ended');
    s.see(working);
    expect(owedKinds(s)).toEqual([]);
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(owedKinds(s)).toEqual(['look']);
  });

  it('is not given it a second time while it speaks, though it may never have got it', () => {
    const s = speaking();
    tool(s, 'tool-began');
    s.send('aaaaaaaa', undefined, 'important');
    s.see(working);
    s.submitted('unknown');
    tool(s, 'tool-ended');
    for (const screen of ['for 12 s', 'for 13 s', 'for 14 s']) {
      s.wait(300);
      s.see(screens.composer('', 'working', screen));
      expect(owedKinds(s)).toEqual([]);
    }
    tool(s, 'tool-began');
    s.wait(300);
    s.see(screens.composer('', 'working', 'for 15 s'));
    expect(owedKinds(s)).toEqual(['submit']);
  });

  it('is given nothing while its screen still shows the last turn that is over', () => {
    const s = speaking();
    s.send('aaaaaaaa');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    for (const wait of [50, 100, 200]) {
      s.see(working);
      expect(owedKinds(s)).toEqual([]);
      s.wait(wait);
    }
    s.see(working);
    expect(s.message('aaaaaaaa').state).toMatchObject({
      is: 'held',
      why: 'its screen still shows the last turn',
    });
    s.wait(500);
    s.see(screens.composer());
    expect(owedKinds(s)).toEqual(['submit']);
  });

  it('is not given an important message either, once the turn that it was for is over', () => {
    const s = speaking();
    tool(s, 'tool-began');
    s.send('aaaaaaaa', undefined, 'important');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(working);
    expect(owedKinds(s)).toEqual([]);
    s.wait(50);
    s.see(screens.composer());
    expect(owedKinds(s)).toEqual(['submit']);
  });

  it('has what it shows as still to be taken up, and an urgent message need not wait for the tool', () => {
    const s = speaking();
    tool(s, 'tool-began');
    s.send('aaaaaaaa', undefined, 'important');
    s.see(working);
    s.submitted('typed');
    s.wait(300);
    s.see(shows('[sm] from the user #aaaaaaaa:\ntext of'));
    expect(s.message('aaaaaaaa').state).toMatchObject({
      is: 'accepted',
      turn: null,
      evidence: { source: 'screen' },
    });
    urgent(s, 'bbbbbbbb');
    expect(owedKinds(s)).toContain('escape');
  });

  it('is told to have it once, though its hook comes when the tool is done', () => {
    const s = speaking();
    tool(s, 'tool-began');
    s.send('aaaaaaaa', undefined, 'important');
    s.see(working);
    s.submitted('typed');
    s.wait(300);
    s.see(shows('[sm] from the user #aaaaaaaa:'));
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: prompt('aaaaaaaa') });
    s.hear({ is: 'prompt-absorbed', turnId: 'p1', text: prompt('aaaaaaaa') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p1' }, { source: 'transcript' });
    expect(s.eventsOf('message accepted')).toHaveLength(1);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p1' });
  });
});

describe('an agent that takes no text while a turn runs', () => {
  it('has an important message when the turn is over, whatever runs in it', () => {
    const s = idleSession({}, aloneWith({ midTurn: 'never' }));
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    s.send('aaaaaaaa', undefined, 'important');
    expect(owedKinds(s)).toEqual([]);
    s.hear({ is: 'activity', turnId: 'p1', step: 'tool-began' }, { source: 'transcript' });
    expect(owedKinds(s)).toEqual([]);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(owedKinds(s)).toEqual(['look']);
    // A turn that its screen still shows may be one of a human's.
    s.see(working);
    expect(owedKinds(s)).toEqual([]);
    s.wait(1_000);
    s.see(screens.composer('', 'idle'));
    expect(owedKinds(s)).toEqual(['submit']);
  });
});
