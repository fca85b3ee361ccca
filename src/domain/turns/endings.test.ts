// How a message ended: told in one word, to the one it happened to, and never as more than is known.

import { describe, expect, it } from 'vitest';
import { fromBoss, posts, urgent, working, workingForBoss } from '../../../test/support/mid-turn.ts';
import { idleSession, killIt, screens, sent, type TestSession } from '../../../test/support/session.ts';
import type { Input } from '../core/input.ts';
import { quietly } from '../core/message.ts';
import { type Mode, person } from '../core/names.ts';

const told = (s: TestSession) => posts(s).map(({ to, text }) => [to, text]);
const stateOf = (s: TestSession, id = 'aaaaaaaa') => s.message(id).state;

const inASecond: Input = {
  type: 'remind-once',
  id: 'r1',
  from: { kind: 'person' },
  seconds: 1,
  every: null,
  text: 'report',
};
const promptOf = (id: string, from = 'the user') => `[sm] from ${from} #${id}:\ntext of ${id}`;
const fromEve = (id: string, mode: Mode = 'urgent') =>
  sent({
    id,
    mode,
    from: { kind: 'session', id: 'eve', name: 'eve' },
    notify: { ...quietly, turnEnd: true },
  });

/** Boss's message `aaaaaaaa` is being worked on in `p1`, and this urgent one cuts it off: its turn is `p2`. */
function cutOffBy(send: (s: TestSession) => void, text: string): TestSession {
  const s = workingForBoss();
  send(s);
  s.see(working);
  s.answer({ of: 'escape', outcome: 'typed' });
  s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p2', text });
  return s;
}
const cutOffByEve = () =>
  cutOffBy((s) => void s.take(fromEve('bbbbbbbb')), promptOf('bbbbbbbb', 'eve (eve)'));

describe('a message whose turn ended by itself', () => {
  it('is answered', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'done' });
    expect(stateOf(s)).toMatchObject({ is: 'answered', turn: 'p1' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\ndone']]);
  });
});

describe("a message whose turn another sender's urgent message cut", () => {
  it('is open until the turn that followed has ended, and then cut off, by which and whose', () => {
    const s = cutOffByEve();
    expect(stateOf(s).is).toBe('accepted');
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'for eve' });
    expect(stateOf(s)).toMatchObject({
      is: 'cut-off',
      turn: 'p2',
      why: 'by message #bbbbbbbb from eve (eve)',
    });
    expect(stateOf(s, 'bbbbbbbb').is).toBe('answered');
    expect(s.eventsOf('message cut-off')).toMatchObject([{ message: 'aaaaaaaa', turn: 'p2' }]);
    expect(told(s)).toEqual([
      [
        'boss',
        '[sm] scripted-s1 (s1) was cut off before it finished your message #aaaaaaaa, by message #bbbbbbbb from eve (eve). Its next turn ended with:\nfor eve',
      ],
      ['eve', '[sm] scripted-s1 stopped:\nfor eve'],
    ]);
  });

  it('stays cut off when a reminder of ours cuts the turn that followed', () => {
    const s = cutOffByEve();
    s.take(inASecond);
    s.wait(1_000);
    s.see(working);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p2' }, { source: 'transcript' });
    s.see(screens.composer());
    s.submitted('typed');
    const reminder = s.eventsOf('one-shot sent').at(-1)?.message as string;
    s.hear({ is: 'prompt-submitted', turnId: 'p3', text: s.message(reminder).text });
    s.hear({ is: 'turn-ended', turnId: 'p3', lastWords: 'reported' });
    expect(stateOf(s).is).toBe('cut-off');
    expect(stateOf(s, 'bbbbbbbb')).toMatchObject({ is: 'answered', turn: 'p3' });
  });

  it('is cut off also when the agent dies in the turn that followed', () => {
    const s = cutOffByEve();
    s.hear({ is: 'process-exited', code: 1 }, { source: 'pane' });
    expect(stateOf(s).is).toBe('cut-off');
    expect(stateOf(s, 'bbbbbbbb')).toMatchObject({ is: 'died', why: 'exit code 1' });
    expect(told(s)[0]?.[1]).toMatch(/by message #bbbbbbbb from eve \(eve\)\. Then it died\.$/);
  });

  it('is cut off also when that message is taken back before it was typed', () => {
    const s = workingForBoss();
    s.take(fromEve('bbbbbbbb'));
    s.see(working);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.take({ type: 'withdraw', id: 'bbbbbbbb', by: person });
    s.wait(60);
    s.see(screens.composer());
    expect(stateOf(s)).toMatchObject({ is: 'cut-off', why: 'by message #bbbbbbbb from eve (eve)' });
  });

  it('is not told to a sender who cut it off himself, but its state says so', () => {
    const s = cutOffBy(
      (s) => void s.take(fromBoss('bbbbbbbb', 'urgent')),
      promptOf('bbbbbbbb', 'boss (boss)'),
    );
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'the second' });
    expect(stateOf(s).is).toBe('cut-off');
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\nthe second']]);
  });

  it('is nobody’s answer, whatever else waits for the same moment', () => {
    const s = workingForBoss();
    s.send('cccccccc');
    s.take(fromEve('bbbbbbbb'));
    s.see(working);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    s.see(screens.composer());
    s.submitted('typed');
    const text = `${promptOf('bbbbbbbb', 'eve (eve)')}\n\n${promptOf('cccccccc')}`;
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].map((id) => stateOf(s, id).is)).toEqual([
      'cut-off',
      'answered',
      'answered',
    ]);
  });
});

describe('a message whose turn a reminder of ours cut', () => {
  it('goes on in the turn which that text begins, and that turn is for nothing else', () => {
    const s = workingForBoss();
    s.send('cccccccc');
    s.take(inASecond);
    s.wait(1_000);
    s.see(working);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    s.see(screens.composer());
    const reminder = s.eventsOf('one-shot sent').at(-1)?.message as string;
    expect(s.state.session.attempt?.messages).toEqual([reminder]);
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: s.message(reminder).text });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'all of it' });
    expect(stateOf(s)).toMatchObject({ is: 'answered', turn: 'p2' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\nall of it']]);
  });
});

describe('an urgent message that is taken back before our Escape', () => {
  it('cuts nothing', () => {
    const s = workingForBoss();
    s.send('bbbbbbbb', undefined, 'urgent');
    s.take({ type: 'withdraw', id: 'bbbbbbbb', by: person });
    s.see(working);
    expect(s.owed).toEqual([]);
    expect(s.phase).toBe('working');
  });
});

describe('a turn that was over when its agent took another prompt, and nothing told its end', () => {
  const overTaken = (outcome: 'owed' | 'typed') => {
    const s = workingForBoss();
    s.take(fromEve('bbbbbbbb'));
    s.see(working);
    if (outcome === 'typed') s.answer({ of: 'escape', outcome });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'of the human' });
    return s;
  };

  it('is not put down to an Escape of ours that is only owed', () => {
    const s = overTaken('owed');
    expect(stateOf(s)).toMatchObject({ is: 'unknown', turn: 'p1' });
  });

  it('was cut off when our Escape went out', () => {
    const s = overTaken('typed');
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'for the human' });
    expect(stateOf(s)).toMatchObject({ is: 'accepted' });
    expect(s.state.session.lastTurn?.end).toBe('ended');
    expect(s.state.session.carried).toEqual(['aaaaaaaa']);
  });
});

describe('a message whose agent died', () => {
  it.each([
    ['exited', { is: 'process-exited', code: 3 } as const, 'exit code 3'],
    ['was killed by a signal', { is: 'process-exited', code: null, signal: 9 } as const, /signal 9/],
    [
      'lost its tmux server',
      { is: 'process-gone', why: 'the tmux server is gone' } as const,
      'the tmux server is gone',
    ],
  ])('died with it when it %s', (_, fact, why) => {
    const s = workingForBoss();
    s.hear(fact, { source: 'pane' });
    const state = stateOf(s);
    expect(state).toMatchObject({ is: 'died', turn: 'p1' });
    expect('why' in state && state.why).toMatch(why);
    expect(told(s)).toEqual([
      ['boss', expect.stringMatching(/^\[sm\] scripted-s1 \(s1\) died before it was done: /)],
    ]);
  });

  it('died with it when it was killed', () => {
    const s = workingForBoss();
    s.take(killIt);
    s.answer({ of: 'kill' });
    expect(stateOf(s)).toMatchObject({ is: 'died', why: 'it was killed' });
  });

  it('is answered when it had said its last words before', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-closing', turnId: 'p1', lastWords: 'all done' }, { source: 'transcript' });
    s.hear({ is: 'process-exited', code: 1 }, { source: 'pane' });
    expect(stateOf(s)).toMatchObject({ is: 'answered', turn: 'p1' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\nall done']]);
  });
});

describe('a message whose turn', () => {
  it('failed has the error', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-ended', end: 'failed', turnId: 'p1', lastWords: 'no credit' });
    expect(stateOf(s)).toMatchObject({ is: 'failed', turn: 'p1', why: 'no credit' });
  });

  it('a human interrupted says so, because there is evidence of it', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(stateOf(s)).toMatchObject({ is: 'interrupted', why: 'by a human' });
  });

  it('a clear cut is cleared, and by whom', () => {
    const s = workingForBoss();
    s.take({ type: 'clear', by: person, prompt: null });
    s.see(working);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    s.hear({ is: 'context-ended' });
    s.hear({ is: 'agent-started', source: 'clear', providerId: 'c2' });
    expect(stateOf(s)).toMatchObject({ is: 'cleared', why: 'by the user' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 (s1) was cleared by the user before it was done.']]);
  });

  it('was cut for a clear that then failed is cut off', () => {
    const s = workingForBoss();
    s.take({ type: 'clear', by: person, prompt: null });
    s.see(working);
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    for (let looks = 0; looks < 40 && s.state.session.clear; looks += 1) {
      if (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer('a draft'));
      s.wait(1_000);
    }
    expect(stateOf(s)).toMatchObject({ is: 'cut-off', why: 'by the user, for a clear that failed' });
  });
});

describe('an end that nobody told', () => {
  const twoLooks = (s: TestSession, look = screens.composer(), apart = 2_000) => {
    s.wait(10_000);
    s.see(look);
    s.wait(apart);
    s.see(look);
  };

  it('is unknown when only the screen shows it, and told as such', () => {
    const s = workingForBoss();
    twoLooks(s);
    expect(stateOf(s)).toMatchObject({ is: 'unknown', turn: 'p1' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 (s1) is idle; how its turn ended is unknown.']]);
  });

  it('is an interrupt when the screen says so', () => {
    const s = workingForBoss();
    const { reading, ...look } = screens.composer();
    twoLooks(s, { ...look, reading: { ...reading, interrupted: true } as typeof reading });
    expect(stateOf(s)).toMatchObject({ is: 'interrupted', why: 'by a human' });
  });

  it.each(['idle', 'unclear'] as const)(
    'is the turn’s own when it had said its last words, within five seconds (the screen is %s)',
    (activity) => {
      const s = workingForBoss();
      s.hear(
        { is: 'turn-closing', turnId: 'p1', lastWords: 'all done' },
        { source: 'transcript', id: 'line' },
      );
      s.send('cccccccc');
      const began = s.now;
      const look = screens.composer('', activity);
      for (let looks = 0; looks < 2; looks += 1) {
        s.wait(1_500);
        s.see(look);
      }
      expect(s.now - began).toBeLessThan(5_000);
      expect(stateOf(s).is).toBe('answered');
      expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\nall done']]);
      expect(s.eventsOf('turn ended')).toMatchObject([
        { end: 'ended', lastWords: 'all done', evidence: { source: 'transcript', id: 'line' } },
      ]);
      expect(s.state.session.attempt?.messages).toEqual(['cccccccc']);
    },
  );

  it('is not believed while the agent works on after its last words: a hook made it go on', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-closing', turnId: 'p1', lastWords: 'not yet' }, { source: 'transcript' });
    for (let looks = 0; looks < 4; looks += 1) {
      s.wait(1_500);
      s.see(working);
    }
    expect(s.phase).toBe('working');
    s.wait(100);
    s.hear({ is: 'activity', turnId: 'p1' });
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    expect(stateOf(s).is).toBe('died');
  });

  it('is unknown when the next prompt is taken, and its own when it had said its last words', () => {
    const silent = workingForBoss();
    silent.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'a human’s' });
    expect(stateOf(silent).is).toBe('unknown');
    const closed = workingForBoss();
    closed.hear({ is: 'turn-closing', turnId: 'p1', lastWords: 'all done' }, { source: 'transcript' });
    closed.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'a human’s' }, { source: 'transcript' });
    expect(stateOf(closed).is).toBe('answered');
    expect(told(closed)).toEqual([['boss', '[sm] scripted-s1 stopped:\nall done']]);
  });

  it('is the turn’s own though another turn is heard at work first', () => {
    const s = workingForBoss();
    s.hear({ is: 'turn-closing', turnId: 'p1', lastWords: 'all done' }, { source: 'transcript' });
    s.wait(100);
    s.hear({ is: 'activity', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'a human’s' });
    expect(stateOf(s).is).toBe('answered');
  });

  it('of a turn before the last is told late without its words, but truly', () => {
    const s = idleSession({ parentId: null });
    s.take(fromBoss('aaaaaaaa'));
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'activity', turnId: 'p1' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    s.hear({ is: 'activity', turnId: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'other' });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: promptOf('aaaaaaaa', 'boss (boss)') });
    expect(stateOf(s)).toMatchObject({ is: 'interrupted', turn: 'p1' });
  });
});

it('a sender with one message that was answered and one that was cut off hears of both', () => {
  const s = cutOffBy(
    (s) => {
      s.take(fromBoss('cccccccc'));
      s.take(fromEve('bbbbbbbb'));
    },
    `${promptOf('bbbbbbbb', 'eve (eve)')}\n\n${promptOf('cccccccc', 'boss (boss)')}`,
  );
  s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'both' });
  expect(told(s).filter(([to]) => to === 'boss')).toHaveLength(2);
});

it('an urgent message that finds the turn over by itself has cut nothing', () => {
  const s = workingForBoss();
  urgent(s, 'bbbbbbbb');
  s.answer({ of: 'escape', outcome: 'typed' });
  s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'just done' });
  expect(stateOf(s).is).toBe('answered');
});
