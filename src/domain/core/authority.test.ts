// The table of authority, written down a second time by hand: a test for each of its cells.

import { describe, expect, it } from 'vitest';
import {
  alone,
  idleSession,
  killIt,
  restoreIt,
  sent,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import { decide } from '../decide.ts';
import type { Act, Command } from './authority.ts';
import { type Actor, person } from './names.ts';

const session = (id: string): Actor => ({ kind: 'session', id });
/** The session is `s1`, a child of `boss`; `sister` has the same eldest ancestor. */
const actors = {
  person,
  self: session('s1'),
  parent: session('boss'),
  family: session('sister'),
  stranger: session('stranger'),
} as const;
type Who = keyof typeof actors;
const everybody = Object.keys(actors) as Who[];
const family = ['s1', 'boss', 'sister'];
const others = {
  ...alone,
  isFamily: (id: string, other: string) => [id, other].every((each) => family.includes(each)),
};

const idOf = (by: Actor): string => (by.kind === 'session' ? by.id : 'nobody');
const nameOf = (by: Actor) => (by.kind === 'session' ? { ...by, name: by.id } : by);
const aPath = { path: '/doc.md', auto: false };
const aComment = { id: 'c1', path: 'a.ts', side: 'new', line: 1, quote: 'a', text: 'no' } as const;
const noMonitor = { enabled: false, notify: null };

const inputs: Record<Act, (by: Actor) => Command> = {
  send: (by) => sent({ id: 'm1', from: nameOf(by) }),
  watch: (by) => ({ type: 'watch', by: idOf(by), id: 'w1', seconds: 5 }),
  'await-lock': (by) => ({ type: 'await-lock', by: idOf(by), id: 'w1', seconds: 5, workspace: '/repo' }),
  rename: (by) => ({ type: 'rename', by, name: 'other' }),
  'set-task': (by) => ({ type: 'set-task', by, task: 'another' }),
  'set-budget': (by) => ({ type: 'set-budget', by, family: false, amount: null }),
  tag: (by) => ({ type: 'tag', by, add: ['night'], remove: [] }),
  report: (by) => ({ type: 'report', by, text: 'on my way' }),
  kill: (by) => ({ type: 'kill', by }),
  restore: (by) => ({ ...(restoreIt as Extract<Command, { type: 'restore' }>), by }),
  'take-over': (by) => ({
    type: 'take-over',
    by,
    to: 'other',
    resumable: true,
    forkable: false,
    providerId: null,
    env: {},
  }),
  clear: (by) => ({ type: 'clear', by, prompt: null }),
  interrupt: (by) => ({ type: 'interrupt', by }),
  'expect-clear': (by) => ({
    type: 'expect-clear',
    by: by.kind === 'person' ? null : { ...by, name: by.id },
  }),
  slash: (by) => ({ type: 'slash', by, id: 'c1', command: '/model opus' }),
  answer: (by) => ({ type: 'answer', by, decision: 'allow', text: null }),
  press: (by) => ({ type: 'press', by, id: 'k1', key: 'Enter' }),
  handoff: (by) => ({ type: 'handoff', by, ...aPath }),
  lock: (by) => ({ type: 'lock', by, workspace: '/repo', reason: 'mine', enforced: false }),
  unlock: (by) => ({ type: 'unlock', by }),
  'monitor-context': (by) => ({ type: 'monitor-context', by, ...noMonitor }),
  remind: (by) => ({ type: 'remind', by, soft: 10, hard: 20 }),
  'stop-reminding': (by) => ({ type: 'stop-reminding', by }),
  'remind-once': (by) => ({
    type: 'remind-once',
    from: nameOf(by),
    id: 'r2',
    seconds: 5,
    every: null,
    text: 'look',
  }),
  'cancel-reminder': (by) => ({ type: 'cancel-reminder', by, id: 'r1' }),
  'remove-worktree': (by) => ({ type: 'remove-worktree', by, giveUp: [] }),
  'finish-worktree': (by) => ({
    type: 'finish-worktree',
    by,
    order: { how: 'merge', into: 'main', tip: 'a', target: 'b' },
  }),
  'restore-worktree': (by) => ({ type: 'restore-worktree', by }),
  withdraw: (by) => ({ type: 'withdraw', by, id: 'waiting' }),
  comment: (by) => ({ type: 'comment', by, comment: { ...aComment, id: 'c2' } }),
  'drop-comment': (by) => ({ type: 'drop-comment', by, id: 'c1' }),
  'send-comments': (by) => ({
    type: 'send-comments',
    by,
    comments: ['c1'],
    sending: sent({ id: 'm1', from: nameOf(by) }),
  }),
};

/** Who may. What a parent may only where `questions.parents_may_answer` says so is below. */
const expected: Record<Act, readonly Who[]> = {
  send: ['person', 'self', 'parent', 'family', 'stranger'],
  watch: ['person', 'self', 'parent', 'family', 'stranger'],
  'await-lock': ['person', 'self', 'parent', 'family', 'stranger'],
  rename: ['person', 'self', 'parent'],
  'set-task': ['person', 'self', 'parent'],
  'set-budget': ['person', 'parent'],
  tag: ['person', 'self', 'parent'],
  report: ['person', 'self'],
  kill: ['person', 'parent'],
  restore: ['person', 'parent'],
  'take-over': ['person', 'parent'],
  clear: ['person', 'parent'],
  interrupt: ['person', 'parent'],
  'expect-clear': ['person', 'parent'],
  slash: ['person', 'parent'],
  answer: ['person'],
  press: ['person'],
  handoff: ['self'],
  lock: ['person', 'self'],
  unlock: ['person', 'self', 'parent'],
  'monitor-context': ['person', 'self', 'parent'],
  remind: ['person', 'self', 'parent', 'family'],
  'stop-reminding': ['person', 'self', 'parent', 'family'],
  'remind-once': ['person', 'self', 'parent', 'family'],
  'cancel-reminder': ['person', 'self', 'parent'],
  'remove-worktree': ['person', 'parent'],
  'finish-worktree': ['person', 'parent'],
  'restore-worktree': ['person', 'parent'],
  withdraw: ['person'],
  comment: ['person', 'parent'],
  'drop-comment': ['person', 'parent'],
  'send-comments': ['person', 'parent'],
};

/** One that works, with a message of the user's that waits and a reminder that he has set. */
function busySession(more: Partial<typeof alone> = {}): TestSession {
  const s = idleSession({ friendlyName: 'login' }, { ...others, ...more });
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  s.take(sent({ id: 'waiting' }));
  s.take({ type: 'comment', by: { kind: 'person' }, comment: aComment });
  s.take({ type: 'remind-once', id: 'r1', from: { kind: 'person' }, seconds: 60, every: null, text: 'look' });
  return s;
}

const isForbidden = (s: TestSession, input: Command): boolean => {
  const outcome = decide(s.state, input, s.now, others);
  return !outcome.ok && outcome.refusal.code === 'forbidden';
};

const cells = (Object.keys(expected) as Act[]).flatMap((act) =>
  everybody.map((who) => [act, who, expected[act].includes(who)] as const),
);

describe('the table of authority', () => {
  it.each(cells)('%s by the %s: %s', (act, who, may) => {
    const s = busySession();
    expect(isForbidden(s, inputs[act](actors[who]))).toBe(!may);
  });

  it.each(['answer', 'press'] as const)(
    '%s by the parent, where parents may answer; by nobody else',
    (act) => {
      const s = busySession();
      const settings = { ...alone.settings, parentsMayAnswer: true };
      const allowed = everybody.filter((who) => {
        const outcome = decide(s.state, inputs[act](actors[who]), s.now, { ...others, settings });
        return outcome.ok || outcome.refusal.code !== 'forbidden';
      });
      expect(allowed).toEqual(['person', 'parent']);
    },
  );

  it('lets the sender take his message back, and whoever set a reminder cancel it: also a stranger', () => {
    const s = busySession();
    const from = { kind: 'session', id: 'stranger', name: 'stranger' } as const;
    s.take(sent({ id: 'm2', from }));
    expect(isForbidden(s, { type: 'withdraw', by: actors.stranger, id: 'm2' })).toBe(false);
    expect(isForbidden(s, { type: 'withdraw', by: actors.parent, id: 'm2' })).toBe(true);
    const related = busySession({ isFamily: () => true });
    related.take({ type: 'remind-once', id: 'r3', from, seconds: 60, every: null, text: 'look' });
    expect(isForbidden(related, { type: 'cancel-reminder', by: actors.stranger, id: 'r3' })).toBe(false);
    expect(isForbidden(related, { type: 'cancel-reminder', by: actors.family, id: 'r3' })).toBe(true);
  });

  it('lets a session that was killed be restored by its parent, and by no sister', () => {
    const s = idleSession({}, others);
    s.take(killIt);
    s.answer({ of: 'kill' });
    expect(isForbidden(s, inputs.restore(actors.family))).toBe(true);
    s.take(inputs.restore(actors.parent));
    expect(s.phase).toBe('starting');
  });

  it('tells anybody that a message or a reminder is not there any more', () => {
    const s = workingSession();
    expect(s.refusal({ type: 'withdraw', by: actors.stranger, id: 'gone' }).code).toBe('conflict');
    expect(s.refusal({ type: 'cancel-reminder', by: actors.stranger, id: 'gone' }).code).toBe('not-found');
  });
});

describe('a refusal says who may', () => {
  it.each([
    ['kill', 'stranger', 'Only the parent of login (s1), or a person, may kill it.'],
    ['press', 'parent', "Only a person may press keys in login (s1)'s terminal."],
    ['answer', 'self', 'Only a person may answer what login (s1) asks.'],
    ['report', 'parent', 'Only login (s1) itself, or a person, may report its status.'],
    ['rename', 'family', 'Only login (s1) itself, its parent, or a person may rename it.'],
    ['remind', 'stranger', 'Only a session in the family of login (s1), or a person, may remind it.'],
    [
      'cancel-reminder',
      'family',
      'Only login (s1) itself, its parent, the session that set it, or a person may cancel this reminder.',
    ],
    ['withdraw', 'parent', 'Only its sender, or a person, may withdraw a message.'],
    ['handoff', 'person', 'sm handoff is self-directed only — requester must equal target session'],
  ] as const)('%s by the %s', (act, who, message) => {
    expect(busySession().refusal(inputs[act](actors[who]))).toMatchObject({
      code: 'forbidden',
      message,
      data: { is: 'not-allowed', act, session: { id: 's1', name: 'login' } },
    });
  });
});
