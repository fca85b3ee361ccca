// What reaches an agent while a turn runs: important messages, urgent ones with their interrupt, and what a human's
// or our own Escape gives back.
import { describe, expect, it } from 'vitest';
import type { Look } from './fact.ts';
import { type Mode, quietly } from './message.ts';
import { idleSession, screens, sent, type TestSession, workingSession } from './test-session.ts';

const working = screens.composer('', 'working');
const prompt = (id: string) => `[sm] from the user #${id}:\ntext of ${id}`;
const owedKinds = (s: TestSession) => s.owed.map(({ effect }) => effect.do);
const posts = (s: TestSession) => s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [effect] : []));
const fromBoss = (id: string, mode: 'sequential' | 'important' | 'urgent' = 'sequential') =>
  sent({
    id,
    mode,
    from: { kind: 'session', id: 'boss', name: 'boss' },
    notify: { ...quietly, onStop: true },
  });

/** Accepted by the turn `p1`, from a session that wants to hear of its end. */
function workingForBoss(mode: Mode = 'sequential'): TestSession {
  const s = idleSession({ parentId: null });
  s.take(fromBoss('aaaaaaaa', mode));
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({
    is: 'prompt-submitted',
    turnId: 'p1',
    text: '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa',
  });
  return s;
}

function important(s: TestSession, id: string): void {
  s.send(id, undefined, 'important');
  s.see(working);
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: prompt(id) });
}

function urgent(s: TestSession, id: string, look: Look | null = working): void {
  s.send(id, undefined, 'urgent');
  s.see(look);
}

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
    s.hear({ is: 'turn-interrupted', turnId: 'p1' });
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

  it('waits again when the agent dies before it took it up', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
  });

  it('of several that are taken up together, all are answered by the end of the last', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    important(s, 'bbbbbbbb');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('aaaaaaaa') }, { source: 'transcript' });
    s.hear({ is: 'prompt-submitted', turnId: 'p3', text: prompt('bbbbbbbb') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p3' });
    expect([s.message('aaaaaaaa').state.is, s.message('bbbbbbbb').state.is]).toEqual([
      'answered',
      'answered',
    ]);
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
    expect(s.eventsOf('message-typed')).toHaveLength(1);
    expect(owedKinds(s)).not.toContain('submit');
  });
});

describe('an urgent message to an agent that works', () => {
  it('presses Escape once, and waits for the proof before it types', () => {
    const s = workingSession();
    urgent(s, 'aaaaaaaa');
    expect(owedKinds(s)).toEqual(['escape']);
    s.answer({ of: 'escape', outcome: 'typed' });
    expect(owedKinds(s)).toEqual([]);
    s.hear({ is: 'turn-interrupted', turnId: 'p1' }, { source: 'transcript' });
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
    expect(s.eventsOf('turn-ended')).toMatchObject([{ end: 'interrupted', evidence: { source: 'screen' } }]);
  });

  it('takes a turn that ended by itself meanwhile for as good a proof', () => {
    const s = workingForBoss();
    urgent(s, 'bbbbbbbb');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'just done' });
    expect(posts(s).map(({ text }) => text)).toEqual(['[sm] scripted-s1 stopped:\njust done']);
  });

  it('moves the notice of the turn that it cut to the turn that it starts', () => {
    const s = workingForBoss();
    urgent(s, 'bbbbbbbb');
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(posts(s)).toEqual([]);
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('bbbbbbbb') });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'all of it' });
    expect(posts(s).map(({ to, text }) => [to, text])).toEqual([
      ['boss', '[sm] scripted-s1 stopped:\nall of it'],
    ]);
  });

  it('tells of an interrupt that was a human’s, at once', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-interrupted', turnId: 'p1' }, { source: 'transcript' });
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
      s.wait(60);
      s.see(screens.composer(draft));
      s.wait(400);
      s.see(screens.composer(draft));
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
    s.wait(60);
    s.see(screens.composer(draft));
    s.wait(400);
    s.see(screens.composer(draft));
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
    s.wait(60);
    s.see(screens.composer(draft));
    s.wait(400);
    s.see(screens.composer(draft));
    s.see(screens.composer(`${draft} and my own words`));
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    expect(posts(s).at(-1)?.text).toContain('is back in its composer');
    expect(s.message('bbbbbbbb').state.is).toBe('queued');
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
      s.wait(60);
      s.see(working);
      s.wait(400);
      s.see(working);
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
    s.wait(60);
    s.see(screens.composer(draft));
    s.wait(400);
    s.see(screens.composer(draft));
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa', 'bbbbbbbb']);
  });
});

describe('a human at the pane', () => {
  it('who took a prompt back has it in his composer: it is held, its sender is told, and it is not typed again', () => {
    const s = workingForBoss();
    const back = screens.composer('[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa');
    s.wait(10_000);
    s.see(back);
    expect(s.phase, 'it stands there also while the agent takes it').toBe('working');
    s.wait(2_000);
    s.see(back);
    expect(s.phase).toBe('idle');
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    expect(posts(s)[0]?.text).toContain('#aaaaaaaa is back in its composer');
    expect(s.state.session.attempt).toBeNull();
  });

  it('has his draft put aside where the agent can, and is waited for where it cannot', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see({ ...screens.composer('a thought'), canStash: true });
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'submit', stash: true });

    const other = idleSession();
    other.send('aaaaaaaa');
    const both = screens.composer('a thought');
    other.see({ ...both, canStash: true, reading: { ...both.reading, stash: true } as never });
    expect(other.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'draft' });
  });

  it('who typed within the last two seconds is waited for', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see({ ...screens.composer(), humanActiveAt: s.now - 500 });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'a human is typing' });
  });

  it('who scrolls has ten seconds; then the mode is left and the message typed', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    for (let i = 0; i < 30 && !owedKinds(s).includes('leave-copy-mode'); i += 1) {
      if (owedKinds(s).includes('look')) s.see(screens.scrolled());
      s.wait(500);
    }
    expect(s.now - 1_000_000).toBeGreaterThanOrEqual(10_000);
    expect(s.now - 1_000_000).toBeLessThan(14_000);
    s.answer({ of: 'leave-copy-mode' });
    s.see(screens.composer());
    expect(owedKinds(s)).toEqual(['submit']);
  });
});

describe('an agent whose speech is cut by text, unless a tool of its runs', () => {
  const speaking = (): TestSession => {
    const s = idleSession({ midTurn: 'in-tools' });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    return s;
  };
  const tool = (s: TestSession, step: 'tool-began' | 'tool-ended') =>
    s.hear({ is: 'activity', turnId: 'p1', step }, { source: 'transcript' });
  const shows = (pending: string): Look => ({
    ...working,
    reading: { ...(working.reading as Extract<Look['reading'], { shows: 'composer' }>), pending },
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

  it('is given nothing while its screen still shows a turn that is over', () => {
    const s = speaking();
    s.send('aaaaaaaa');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(working);
    expect(owedKinds(s)).toEqual([]);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'its screen still shows a turn' });
    s.wait(50);
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
    expect(s.eventsOf('message-accepted')).toHaveLength(1);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p1' });
  });
});
