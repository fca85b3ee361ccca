import { describe, expect, it } from 'vitest';
import { idleSession, screens, sent, typedSession, workingSession } from '../../../test/support/session.ts';
import { person } from '../core/names.ts';
import { effectOf } from '../core/parts.ts';

const interrupt = { type: 'interrupt', by: person } as const;
const boss = { kind: 'session', id: 'boss' } as const;
const works = screens.composer('', 'working');
const scrolled = { ...works, copyMode: true };

/** Escape went out at the turn `p1`. */
function pressedSession(s = workingSession()) {
  s.take(interrupt);
  s.see(works);
  s.answer({ of: 'escape', outcome: 'typed' });
  return s;
}

/** The turn `p1` has the message m1, from the parent. */
function withMessage() {
  const s = idleSession();
  s.take(
    sent({
      id: 'aaaaaaaa',
      from: { ...boss, name: 'lead' },
      notify: { turnEnd: true, accepted: false, afterSeconds: null },
    }),
  );
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({
    is: 'prompt-submitted',
    turnId: 'p1',
    text: '[sm] from lead (boss) #aaaaaaaa:\ntext of aaaaaaaa',
  });
  return s;
}

describe('an interrupt that somebody asks for', () => {
  it('is proven by the end of the turn, which says whose it was', () => {
    const s = pressedSession();
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.phase).toBe('idle');
    expect(s.state.session.turn).toBeNull();
    expect(s.eventsOf('turn ended')).toMatchObject([
      { turn: 'p1', end: 'interrupted', evidence: { source: 'transcript' } },
    ]);
    expect(s.owed).toEqual([]);
  });

  it('ends the messages of the turn, and their senders hear of it; nothing goes on by itself', () => {
    const s = withMessage();
    pressedSession(s);
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'interrupted', why: 'by the user' });
    expect(s.owed.map(({ effect }) => effect)).toMatchObject([
      { do: 'post', to: 'boss', text: expect.stringContaining('was interrupted by the user before') },
    ]);
    expect(s.state.session).toMatchObject({ carried: [], attempt: null });
  });

  it('is not told to the session that asked for it', () => {
    const s = withMessage();
    s.take({ type: 'interrupt', by: boss });
    s.see(works);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'interrupted', why: 'by boss' });
    expect(s.owed).toEqual([]);
  });

  it('is over when the turn ends by itself before Escape, and nothing is pressed', () => {
    const s = workingSession();
    s.take(interrupt);
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'done' });
    s.see(screens.composer());
    expect(s.state.session.turn).toBeNull();
    expect(s.eventsOf('turn ended')).toMatchObject([{ end: 'ended' }]);
    expect(s.owed).toEqual([]);
  });

  it('leaves a prompt that comes back to the human, instead of sending it again', () => {
    const s = withMessage();
    pressedSession(s);
    const back = screens.composer('[sm] from lead (boss) #aaaaaaaa:\ntext of aaaaaaaa', 'idle');
    for (const ms of [60, 40, 50, 70, 240]) {
      s.wait(ms);
      s.see(back);
    }
    expect(s.phase).toBe('idle');
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    expect(s.state.session.attempt).toBeNull();
    expect(s.owed.filter(({ effect }) => effect.do !== 'post')).toEqual([]);
  });

  it('takes over the Escape of an urgent message, which goes when the turn is over', () => {
    const s = workingSession();
    s.send('m1', 'now', 'urgent');
    s.take(interrupt);
    s.see(works);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.eventsOf('turn ended')).toMatchObject([{ end: 'interrupted' }]);
    expect(s.state.session.attempt?.messages).toEqual(['m1']);
  });

  it('waits for what is being typed, and keeps what is only about to be', () => {
    const s = workingSession();
    s.send('m1', 'hint', 'important');
    expect(s.state.session.attempt?.step).toBe('looking');
    s.take(interrupt);
    expect(s.state.session).toMatchObject({ attempt: null, turn: { interrupt: { for: { halt: person } } } });
    expect(s.message('m1').state.is).toBe('queued');
  });

  it('fails with the reason when the terminal does not allow it in time', () => {
    const s = workingSession();
    s.take(interrupt);
    s.see(scrolled);
    while (s.state.session.turn?.halt) {
      s.wait(500);
      if (effectOf(s.state.session.turn?.interrupt)) s.see(scrolled);
    }
    expect(s.eventsOf('interrupt failed')).toEqual([
      { type: 'interrupt', step: 'failed', why: 'a human is scrolling in the pane' },
    ]);
    expect(s.state.session.turn?.interrupt).toBeNull();
    expect(s.phase).toBe('working');
  });

  it('fails at once when a question stands there: Escape would answer it', () => {
    const s = workingSession();
    s.take(interrupt);
    s.see(screens.dialog('Allow rm?'));
    expect(s.phase).toBe('blocked');
    expect(s.eventsOf('interrupt failed')).toMatchObject([{ why: 'it asks: Allow rm?' }]);
  });

  it('is refused where no turn runs, and says why', () => {
    expect(idleSession().refusal(interrupt)).toEqual({
      code: 'conflict',
      message: 'scripted-s1 (s1) is idle: no turn runs.',
      data: { is: 'no-turn', session: { id: 's1', name: 'scripted-s1' }, phase: 'idle' },
    });
    const s = workingSession();
    s.hear({ is: 'permission-asked', turnId: 'p1', text: 'Bash: rm' });
    expect(s.refusal(interrupt)).toMatchObject({
      message: 'scripted-s1 (s1) waits for an answer: Bash: rm.',
      data: { is: 'asks', question: 'Bash: rm' },
    });
    expect(typedSession('m1').refusal(interrupt).message).toContain('is idle: no turn runs');
  });

  it('that is asked for twice is one', () => {
    const s = workingSession();
    s.take(interrupt);
    s.take(interrupt);
    expect(s.eventsOf('interrupt asked')).toHaveLength(1);
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['look']);
  });
});
