import { describe, expect, it } from 'vitest';
import {
  afterEscape,
  owedKinds,
  posts,
  prompt,
  urgent,
  working,
  workingForBoss,
} from '../../../test/support/mid-turn.ts';
import {
  aloneWith,
  idleSession,
  screens,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';

describe('an urgent message to an agent that works', () => {
  it('presses Escape once, and waits for the proof before it types', () => {
    const s = workingSession();
    urgent(s, 'aaaaaaaa');
    expect(owedKinds(s)).toEqual(['escape']);
    s.answer({ of: 'escape', outcome: 'typed' });
    expect(owedKinds(s)).toEqual([]);
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(owedKinds(s)).toEqual(['look']);
    s.see(screens.composer());
    expect(owedKinds(s)).toEqual(['submit']);
  });

  it('believes the screen that says so before the transcript does', () => {
    const s = workingSession();
    urgent(s, 'aaaaaaaa');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.wait(60);
    s.see(screens.composer('', 'idle'));
    expect(s.eventsOf('turn ended')).toMatchObject([{ end: 'cut-off', evidence: { source: 'screen' } }]);
  });

  it('takes a turn that ended by itself meanwhile for as good a proof', () => {
    const s = workingForBoss();
    urgent(s, 'bbbbbbbb');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'just done' });
    expect(posts(s).map(({ text }) => text)).toEqual(['[sm] scripted-s1 stopped:\njust done']);
  });

  it('presses no second Escape soon after one that may have gone to an idle agent: both would open its history', () => {
    const s = workingSession();
    urgent(s, 'aaaaaaaa');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('aaaaaaaa') });
    urgent(s, 'bbbbbbbb');
    expect(owedKinds(s)).toEqual([]);
    expect(s.message('bbbbbbbb').state).toMatchObject({ is: 'held' });
    s.wait(1_000);
    s.see(working);
    expect(owedKinds(s)).toEqual(['escape']);
  });

  it('is what cut off the turn before, whose sender hears so at the end of the turn that followed', () => {
    const s = workingForBoss();
    urgent(s, 'bbbbbbbb');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(posts(s)).toEqual([]);
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('bbbbbbbb') });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'all of it' });
    expect(posts(s).map(({ to, text }) => [to, text])).toEqual([
      [
        'boss',
        '[sm] scripted-s1 (s1) was cut off before it finished your message #aaaaaaaa, by message #bbbbbbbb from the user. Its next turn ended with:\nall of it',
      ],
    ]);
  });

  it('tells of an interrupt that was a human’s, at once', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(posts(s).map(({ text }) => text)).toEqual([
      '[sm] scripted-s1 (s1) was interrupted by a human before it was done.',
    ]);
  });

  it.each(['sequential', 'urgent'] as const)(
    'goes on top of a prompt that came back, a %s one, and both are of the turn that follows',
    (mode) => {
      const s = workingForBoss(mode);
      urgent(s, 'bbbbbbbb');
      s.answer({ of: 'escape', outcome: 'typed' });
      const draft = '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa';
      afterEscape(s, screens.composer(draft));
      s.see(screens.composer(draft));
      expect(s.owed.at(-1)?.effect).toMatchObject({
        do: 'submit',
        text: `\n\n${prompt('bbbbbbbb')}`,
        stash: false,
      });
      s.submitted('typed');
      s.hear({ is: 'prompt-submitted', turnId: 'p2', text: `${draft}\n\n${prompt('bbbbbbbb')}` });
      expect(s.state.session.turn?.messages).toEqual(['aaaaaaaa', 'bbbbbbbb']);
      expect(posts(s)).toEqual([]);
    },
  );

  it('is typed again on top of a prompt that came back and still stands there alone', () => {
    const s = workingForBoss();
    urgent(s, 'bbbbbbbb');
    s.answer({ of: 'escape', outcome: 'typed' });
    const draft = '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa';
    afterEscape(s, screens.composer(draft));
    s.see(screens.composer(draft));
    s.submitted('unknown');
    s.wait(1_500);
    s.see(screens.composer(draft));
    expect(owedKinds(s)).not.toContain('submit');
    s.wait(1_500);
    s.see(screens.composer(draft));
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'submit', text: `\n\n${prompt('bbbbbbbb')}` });
  });

  it('leaves a prompt that came back to a human who changed it', () => {
    const s = workingForBoss();
    urgent(s, 'bbbbbbbb');
    s.answer({ of: 'escape', outcome: 'typed' });
    const draft = '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa';
    afterEscape(s, screens.composer(draft));
    s.see(screens.composer(`${draft} and my own words`));
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    expect(posts(s).at(-1)?.text).toContain('is back in its composer');
    expect(s.message('bbbbbbbb').state.is).toBe('queued');
  });

  describe('on its way on top of a prompt that came back', () => {
    const draft = '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa';
    const cameBack = (): TestSession => {
      const s = workingForBoss();
      urgent(s, 'bbbbbbbb');
      s.answer({ of: 'escape', outcome: 'typed' });
      afterEscape(s, screens.composer(draft));
      return s;
    };
    const goesOnTop = (s: TestSession) => {
      s.see(screens.composer(draft));
      expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'submit', text: `\n\n${prompt('bbbbbbbb')}` });
    };

    it('waits for an agent that draws: the prompt is no human’s for that', () => {
      const s = cameBack();
      s.see(screens.unknown());
      expect(posts(s)).toEqual([]);
      s.wait(50);
      goesOnTop(s);
    });

    it('looks again when nothing went out: the prompt may stand there as it did', () => {
      const s = cameBack();
      goesOnTop(s);
      s.submitted('changed');
      expect(posts(s)).toEqual([]);
      s.wait(50);
      goesOnTop(s);
    });

    it('is not kept from it by a transcript that tells late what the hook had told', () => {
      const s = cameBack();
      s.hear({ is: 'prompt-submitted', turnId: 'p1', text: draft }, { source: 'transcript' });
      expect(s.message('aaaaaaaa').state.is).toBe('queued');
      expect(posts(s)).toEqual([]);
      goesOnTop(s);
    });

    it('leaves nothing to anybody in the composer of an agent that dies', () => {
      const s = cameBack();
      s.hear({ is: 'process-gone' }, { source: 'pane' });
      expect(posts(s).map(({ text }) => text)).not.toContainEqual(expect.stringContaining('composer'));
      expect(s.message('aaaaaaaa').state.is).toBe('queued');
    });
  });

  it('never presses Escape at a dialog, a screen that is not recognised, or while a human types', () => {
    const human = { ...working, humanActiveAt: 1_000_000 };
    for (const look of [screens.dialog('May I?'), screens.unknown(), screens.scrolled(), human, null]) {
      const s = workingSession();
      urgent(s, 'aaaaaaaa', look);
      expect(owedKinds(s)).not.toContain('escape');
    }
  });

  it('gives up pressing after three times without effect, and says so', () => {
    const s = workingSession();
    urgent(s, 'aaaaaaaa');
    for (let i = 0; i < 3; i += 1) {
      s.answer({ of: 'escape', outcome: 'typed' });
      afterEscape(s, working);
    }
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'Escape had no effect 3 times' });
  });
});

describe('an urgent message right behind another', () => {
  it('waits while the agent is just taking that prompt, and takes what comes back for it', () => {
    const s = workingForBoss();
    const draft = '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa';
    urgent(s, 'bbbbbbbb', screens.composer(draft));
    expect(owedKinds(s)).not.toContain('escape');
    s.wait(50);
    s.see(screens.composer(draft, 'unclear'));
    expect(owedKinds(s)).toContain('escape');
    s.answer({ of: 'escape', outcome: 'typed' });
    afterEscape(s, screens.composer(draft));
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa', 'bbbbbbbb']);
  });
});

describe('an urgent message to an agent that ends when it is interrupted twice', () => {
  const workingOnce = (): TestSession => {
    const s = idleSession({}, aloneWith({ interruptedOnce: true }));
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    return s;
  };

  it('interrupts it once, and then only looks', () => {
    const s = workingOnce();
    urgent(s, 'aaaaaaaa');
    expect(owedKinds(s)).toEqual(['escape']);
    s.answer({ of: 'escape', outcome: 'typed' });
    afterEscape(s, working);
    expect(owedKinds(s)).toEqual([]);
    expect(s.message('aaaaaaaa').state).toMatchObject({
      ...{ is: 'held', why: 'the interrupt had no effect yet' },
    });
    s.wait(10_000);
    s.see(working);
    expect(owedKinds(s)).not.toContain('escape');
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    while (owedKinds(s).includes('look')) s.see(screens.composer());
    expect(owedKinds(s)).toEqual(['submit']);
  });

  it('waits longer after one that may have gone to an idle agent', () => {
    const s = workingOnce();
    urgent(s, 'aaaaaaaa');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('aaaaaaaa') });
    urgent(s, 'bbbbbbbb');
    s.wait(2_500);
    s.see(working);
    expect(owedKinds(s)).toEqual([]);
    s.wait(1_000);
    s.see(working);
    expect(owedKinds(s)).toEqual(['escape']);
  });
});
