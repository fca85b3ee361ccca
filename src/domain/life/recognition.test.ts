import { describe, expect, it } from 'vitest';
import { fromBoss, posts } from '../../../test/support/mid-turn.ts';
import {
  attemptingSession,
  idleSession,
  killIt,
  restoreIt,
  screens,
  sent,
  type TestSession,
  testSession,
  workingSession,
} from '../../../test/support/session.ts';
import type { Look } from '../core/fact.ts';

const unknown = screens.unknown();
const from = (sender: string, id: string, more = {}) =>
  sent({ id, from: { kind: 'session', id: sender, name: sender }, ...more });

/** Every look that is asked for shows this, for so long. */
function shows(s: TestSession, look: Look | null, ms: number): void {
  for (const end = s.now + ms; ; ) {
    while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(look);
    if (s.now >= end) return;
    s.wait(Math.min(50, end - s.now));
  }
}

const isTold = (s: TestSession): boolean => Boolean(s.state.session.unrecognised?.told);
const notices = (s: TestSession) => posts(s).map(({ to, text }) => [to, text]);
const waits = (id: string) =>
  `[sm] Your message #${id} waits: the screen of scripted-s1 (s1) is not recognised (scripted 1). sm types nothing into it. See: sm doctor`;

/** A message of `peer` is held, and has been for long enough that it was told. */
function held(): TestSession {
  const s = idleSession({ parentId: null });
  s.take(from('peer', 'aaaaaaaa'));
  shows(s, unknown, 12_000);
  return s;
}

describe('a screen that is not recognised', () => {
  it('is told when looks so far apart as 10 s show it, and not before', () => {
    const s = idleSession({ parentId: null });
    s.take(from('peer', 'aaaaaaaa'));
    shows(s, unknown, 9_999);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'the screen is not recognised' });
    expect([isTold(s), s.eventsOf('screen unrecognised'), notices(s)]).toEqual([false, [], []]);
    shows(s, unknown, 2_000);
    expect(isTold(s)).toBe(true);
    expect(s.eventsOf('screen unrecognised')).toEqual([
      { type: 'screen', step: 'unrecognised', provider: 'scripted', agentVersion: '1' },
    ]);
    expect(notices(s)).toEqual([['peer', waits('aaaaaaaa')]]);
  });

  it('is told once, however long it lasts, and nothing is typed', () => {
    const s = held();
    shows(s, unknown, 600_000);
    expect(s.eventsOf('screen unrecognised')).toHaveLength(1);
    expect(notices(s)).toHaveLength(1);
    expect(s.eventsOf('message typed')).toEqual([]);
  });

  it('is not told again after a restart of the daemon', () => {
    const s = held();
    s.take({ type: 'adopted' });
    shows(s, unknown, 30_000);
    expect(notices(s)).toHaveLength(1);
  });

  it('is over with the first look that shows what is known, and the message goes', () => {
    const s = held();
    shows(s, screens.composer(), 3_000);
    expect(s.eventsOf('screen recognised')).toHaveLength(1);
    expect(s.state.session.unrecognised).toBeNull();
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
  });

  it('is told again when it comes back', () => {
    const s = held();
    shows(s, screens.composer('a draft'), 3_000);
    shows(s, unknown, 13_000);
    expect(s.eventsOf('screen unrecognised')).toHaveLength(2);
    expect(notices(s)).toHaveLength(2);
  });

  it('is not told when one look between shows what is known', () => {
    const s = attemptingSession('aaaaaaaa');
    shows(s, unknown, 9_000);
    shows(s, screens.composer('a draft'), 2_000);
    shows(s, unknown, 9_000);
    expect([isTold(s), s.eventsOf('screen recognised'), notices(s)]).toEqual([false, [], []]);
  });

  it('is told of an agent that works, that starts, and that asks', () => {
    const working = workingSession();
    shows(working, unknown, 21_000);
    expect(isTold(working)).toBe(true);
    const starting = testSession();
    starting.answer({ of: 'launch', outcome: 'launched', pid: 1, startedAt: null, agentVersion: null });
    starting.take(from('peer', 'aaaaaaaa'));
    shows(starting, unknown, 12_000);
    expect(notices(starting)).toEqual([
      ['peer', waits('aaaaaaaa').replace('scripted 1', 'scripted, version unknown')],
      ['boss', expect.stringMatching(/^\[sm\] The screen of scripted-s1 \(s1\) is not recognised/)],
    ]);
    const asking = workingSession();
    asking.hear({ is: 'permission-asked', turnId: 'p1', text: 'May I?' });
    shows(asking, unknown, 16_000);
    expect(isTold(asking)).toBe(true);
  });

  it('is not told of what has a reason of its own', () => {
    const reason: Look = { says: 'nothing', why: 'no answer' };
    const scrolled: Look = { ...unknown, copyMode: true };
    for (const look of [reason, scrolled, null]) {
      const s = attemptingSession('aaaaaaaa');
      shows(s, look, 60_000);
      expect([isTold(s), s.eventsOf('screen unrecognised')]).toEqual([false, []]);
    }
  });

  it('is not told while a human is at the keys, but once he is not', () => {
    const s = attemptingSession('aaaaaaaa');
    for (let i = 0; i < 20; i += 1) shows(s, { ...unknown, humanActiveAt: s.now - 5_000 }, 1_000);
    expect(isTold(s)).toBe(false);
    shows(s, { ...unknown, humanActiveAt: s.now - 5_000 }, 20_000);
    expect(isTold(s)).toBe(true);
  });

  it('is not told of an agent that has not drawn anything yet', () => {
    const s = testSession();
    s.answer({ of: 'launch', outcome: 'launched', pid: 1, startedAt: null, agentVersion: null });
    shows(s, { ...unknown, text: '\n\n' }, 60_000);
    expect(s.eventsOf('screen unrecognised')).toEqual([]);
  });

  it('is not told for a glimpse of long ago', () => {
    const s = attemptingSession('aaaaaaaa');
    s.see(unknown);
    s.take({ type: 'withdraw', id: 'aaaaaaaa', by: { kind: 'person' } });
    s.wait(3_600_000);
    s.send('bbbbbbbb');
    shows(s, unknown, 5_000);
    expect(isTold(s)).toBe(false);
  });

  it('is forgotten with the agent', () => {
    const s = held();
    s.hear({ is: 'process-exited', code: 1 });
    expect(s.state.session.unrecognised).toBeNull();
    s.take(restoreIt);
    expect(s.state.session.unrecognised).toBeNull();
    const killed = held();
    killed.take(killIt);
    expect(killed.state.session.unrecognised).toBeNull();
  });
});

describe('who hears of it', () => {
  it('is every sender of what waits then, once, and the parent', () => {
    const s = idleSession();
    s.take(from('one', 'aaaaaaaa'));
    s.take(from('one', 'bbbbbbbb', { mode: 'important' }));
    s.take(from('two', 'cccccccc'));
    s.send('dddddddd');
    s.take(from('s1', 'eeeeeeee'));
    shows(s, unknown, 12_000);
    expect(notices(s)).toEqual([
      ['one', waits('aaaaaaaa').replace('waits', 'and 1 more wait')],
      ['two', waits('cccccccc')],
      ['boss', waits('').replace('Your message # waits: the', 'The')],
    ]);
    expect(s.eventsOf('notice-posted').map(({ about, message }) => [about, message])).toEqual([
      ['screen', 'aaaaaaaa'],
      ['screen', 'cccccccc'],
      ['screen', null],
    ]);
  });

  it('is the parent once, if it is a sender', () => {
    const s = idleSession();
    s.take(fromBoss('aaaaaaaa'));
    shows(s, unknown, 12_000);
    expect(notices(s)).toEqual([['boss', waits('aaaaaaaa')]]);
  });

  it('is who sends while it lasts, once', () => {
    const s = held();
    s.take(from('late', 'bbbbbbbb'));
    shows(s, unknown, 3_000);
    s.take(from('late', 'cccccccc'));
    s.take(from('peer', 'dddddddd'));
    shows(s, unknown, 30_000);
    expect(notices(s)).toEqual([
      ['peer', waits('aaaaaaaa')],
      ['late', waits('bbbbbbbb')],
    ]);
  });

  it('is who wants to cut a turn, and not who waits for its end', () => {
    const s = workingSession();
    s.take(from('patient', 'aaaaaaaa'));
    s.take(from('hasty', 'bbbbbbbb', { mode: 'urgent' }));
    shows(s, unknown, 12_000);
    expect(notices(s).map(([to]) => to)).toEqual(['hasty', 'boss']);
  });

  it('is not who has it back in a composer', () => {
    const s = idleSession({ parentId: null });
    s.take(from('peer', 'aaaaaaaa'));
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({
      is: 'prompt-submitted',
      turnId: 'p1',
      text: '[sm] from peer (peer) #aaaaaaaa:\ntext of aaaaaaaa',
    });
    expect(s.message('aaaaaaaa').state.is).toBe('accepted');
    shows(s, screens.composer('[sm] from peer (peer) #aaaaaaaa:\ntext of aaaaaaaa'), 70_000);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    s.send('bbbbbbbb');
    const before = notices(s).length;
    shows(s, unknown, 13_000);
    expect(isTold(s)).toBe(true);
    expect(notices(s)).toHaveLength(before);
  });

  it('is who waits for the session to be idle, with the rest', () => {
    const s = held();
    s.take({ type: 'watch', id: 'w1', by: 'watcher', seconds: 60 });
    expect(notices(s).at(-1)).toEqual([
      'watcher',
      '[sm] scripted-s1 (s1) is idle, but its screen is not recognised (scripted 1).',
    ]);
  });
});
