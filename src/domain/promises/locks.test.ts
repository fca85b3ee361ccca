import { describe, expect, it } from 'vitest';
import {
  alone,
  idleSession,
  killIt,
  restoreIt,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import type { Input } from '../core/input.ts';
import { person, type SessionId } from '../core/names.ts';
import type { Holder } from '../core/session.ts';
import { editDenied } from './locks.ts';

const lockIt = (reason = 'migrating', more: object = {}): Input => ({
  type: 'lock',
  by: person,
  workspace: '/repo',
  reason,
  enforced: false,
  ...more,
});
const unlockBy = (id: SessionId | null): Input => ({
  type: 'unlock',
  by: id === null ? person : { kind: 'session', id },
});
const awaitedBy = (by: string, seconds = 60, workspace = '/repo'): Input => ({
  type: 'await-lock',
  id: `wait-${by}`,
  by,
  seconds,
  workspace,
});
const locked = (): TestSession => {
  const s = idleSession();
  s.take(lockIt());
  return s;
};

/** What was told of the lock, to whom. */
const told = (s: TestSession) =>
  s.owed.flatMap(({ effect }) =>
    effect.do === 'post' && effect.text.includes('lock') ? [[effect.to, effect.text]] : [],
  );
const free = (how: string) =>
  `[sm] The lock on /repo is free: scripted-s1 (s1) ${how}. Take it with: sm lock "REASON"`;

describe('a lock', () => {
  it('is taken with its reason and its time', () => {
    const s = locked();
    expect(s.state.session.lock).toEqual({
      workspace: '/repo',
      reason: 'migrating',
      since: s.now,
      enforced: false,
      waiters: [],
    });
    expect(s.eventsOf('lock taken')).toEqual([
      { type: 'lock', step: 'taken', workspace: '/repo', reason: 'migrating', enforced: false },
    ]);
  });

  it('taken again has the new reason, the old age, and those who wait', () => {
    const s = locked();
    const since = s.now;
    s.take(awaitedBy('w1', 3_600));
    s.wait(5_000);
    s.take(lockIt('still migrating', { enforced: true }));
    expect(s.state.session.lock).toMatchObject({
      reason: 'still migrating',
      since,
      enforced: true,
      waiters: [{ by: 'w1' }],
    });
  });

  it('is refused while another session holds it, with who, why, since when, and what to do', () => {
    const holder = locked();
    const others = { ...alone, lockOn: () => holder.state.session as Holder };
    const s = idleSession({ id: 's2' });
    s.wait(125_000);
    expect(s.refusal(lockIt(), others)).toMatchObject({
      code: 'conflict',
      message: 'scripted-s1 (s1) has held the lock on /repo for 2 minutes: "migrating".',
    });
  });

  it('is one per session', () => {
    expect(locked().refusal(lockIt('x', { workspace: '/other' })).message).toBe(
      'You already hold the lock on /repo, and a session holds one at a time.',
    );
  });

  it('is not for a session that has ended, or is about to', () => {
    const s = idleSession();
    s.take(killIt);
    expect(s.refusal(lockIt())).toMatchObject({ code: 'conflict' });
    s.answer({ of: 'kill' });
    expect(s.refusal(lockIt())).toMatchObject({ code: 'conflict' });
  });

  it('outlives turns, questions and clears of its owner', () => {
    const s = workingSession();
    s.take(lockIt());
    s.hear({ is: 'permission-asked', turnId: 'p1', text: 'May I?' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'context-ended' });
    s.hear({ is: 'agent-started', source: 'clear', providerId: 'c2' });
    expect(s.state.session.context.number).toBe(2);
    expect(s.state.session.lock).not.toBeNull();
  });
});

describe('a lock is released', () => {
  it('by its owner, who is told nothing', () => {
    const s = locked();
    s.take(unlockBy('s1'));
    expect(s.state.session.lock).toBeNull();
    expect(s.eventsOf('lock released')).toMatchObject([{ by: { kind: 'session', id: 's1' } }]);
    expect(told(s)).toEqual([]);
  });

  it.each([
    [null, 'the user'],
    ['boss', 'your parent (boss)'],
  ])('by %s, which its owner is told', (by, who) => {
    const s = locked();
    s.take(unlockBy(by));
    expect(told(s)).toEqual([
      ['s1', `[sm] Your lock on /repo was released by ${who}. You no longer hold it.`],
    ]);
  });

  it('by no stranger', () => {
    const s = locked();
    expect(s.refusal(unlockBy('s9'))).toMatchObject({
      code: 'forbidden',
      message: 'Only scripted-s1 (s1) itself, its parent, or a person may release its lock.',
    });
  });

  it('only once', () => {
    expect(idleSession().refusal(unlockBy('s1'))).toEqual({
      code: 'conflict',
      message: 'scripted-s1 (s1) holds no lock.',
      data: { is: 'no-lock', session: { id: 's1', name: 'scripted-s1' } },
    });
  });

  it.each([
    ['exits', (s: TestSession) => s.hear({ is: 'process-exited', code: 1 }), 'exited (exit code 1)'],
    ['is lost', (s: TestSession) => s.hear({ is: 'process-gone' }), 'was lost (its pane is gone)'],
    [
      'is killed',
      (s: TestSession) => {
        s.take(killIt);
        expect(s.state.session.lock).not.toBeNull();
        s.answer({ of: 'kill' });
      },
      'was killed',
    ],
  ])('when its owner %s, and does not come back with it', (_, end, how) => {
    const s = locked();
    s.take(awaitedBy('w1'));
    end(s);
    expect(s.state.session.lock).toBeNull();
    expect(told(s)).toEqual([['w1', free(how)]]);
    expect(s.eventsOf('lock released')).toEqual([
      { type: 'lock', step: 'released', workspace: '/repo', by: null, how },
    ]);
    s.take(restoreIt);
    expect(s.state.session.lock).toBeNull();
  });
});

describe('whoever waits for a lock', () => {
  it('is told once when it is free, each of them', () => {
    const s = locked();
    for (const by of ['w1', 'w2']) s.take(awaitedBy(by));
    s.take(unlockBy('s1'));
    s.wait(3_600_000);
    expect(told(s)).toEqual([
      ['w1', free('released it')],
      ['w2', free('released it')],
    ]);
    expect(s.eventsOf('lock awaited')).toMatchObject([{ by: 'w1', seconds: 60 }, { by: 'w2' }]);
  });

  it('is told when it is not free in time, and then no more', () => {
    const s = locked();
    s.take(awaitedBy('w1', 10));
    s.take(awaitedBy('w2', 3_600));
    s.wait(9_999);
    expect(told(s)).toEqual([]);
    s.wait(1);
    s.take(unlockBy('s1'));
    expect(told(s)).toEqual([
      ['w1', '[sm] The lock on /repo is not free after 10 seconds: scripted-s1 (s1) holds it: "migrating"'],
      ['w2', free('released it')],
    ]);
  });

  it('starts to wait again when it asks again', () => {
    const s = locked();
    s.take(awaitedBy('w1', 10));
    s.take({ ...awaitedBy('w1', 100), id: 'again' } as Input);
    s.wait(50_000);
    expect(told(s)).toEqual([]);
    s.wait(50_000);
    expect(told(s)).toHaveLength(1);
  });

  it('hears at once that there is nothing to wait for', () => {
    expect(idleSession().refusal(awaitedBy('w1'))).toMatchObject({ code: 'conflict' });
    expect(locked().refusal(awaitedBy('w1', 1, '/other'))).toMatchObject({ code: 'conflict' });
    expect(locked().refusal(awaitedBy('s1'))).toMatchObject({ message: 'You already hold this lock.' });
  });
});

it('who may not edit is told who holds the lock, why, and what to do', () => {
  const s = locked();
  expect(editDenied(s.state.session as Holder, s.now + 3_700_000)).toBe(
    'scripted-s1 (s1) has held the lock on /repo for 1 hour: "migrating". Nobody else may edit files there until the lock is released. To get a notice when it is free: sm lock "REASON" --wait SECONDS. To ask its owner: sm send s1 "TEXT"',
  );
});
