import { expect, test } from 'vitest';
import type { EventBody } from '../../domain/core/event.ts';
import { person } from '../../domain/core/names.ts';
import { eventView } from '../../server/view.ts';
import { eventText, saidLines } from './event.ts';

const event = (type: string, details = {}) =>
  eventText({ number: 1, session_id: 's', at: '2025-01-02T12:00:00.000Z', type, ...details });

test('events are told in words', () => {
  expect(event('session-killed', { by: { kind: 'session', id: 'aaaa' } })).toBe('killed by aaaa');
  expect(event('session-restored', { by: { kind: 'person' }, resumed: true })).toBe(
    'restored by the user, with its conversation',
  );
  expect(
    event('message-queued', {
      message: 'm1',
      from: { kind: 'session', id: 'aaaa', name: 'lead' },
      mode: 'urgent',
    }),
  ).toBe('message m1 queued, from lead (aaaa) (urgent)');
  expect(event('message-held', { message: 'm1', why: 'draft' })).toBe(
    'message m1 held: a draft is in its composer',
  );
  expect(event('message-withdrawn', { message: 'm1', why: 'its sender took it back' })).toBe(
    'message m1 withdrawn: its sender took it back',
  );
  expect(event('notice-posted', { message: 'm1', to: 'aaaa', about: 'turn-end', notice: 'n1' })).toBe(
    'told aaaa that the turn ended (message m1, notice n1)',
  );
  expect(event('notice-posted', { message: null, to: 'aaaa', about: 'news', notice: 'n2' })).toBe(
    'told aaaa about news (notice n2)',
  );
  expect(event('lock-taken', { workspace: '/repo', reason: 'mine', enforced: true })).toBe(
    'locked /repo for edits: mine',
  );
  expect(event('lock-released', { workspace: '/repo', by: null, how: 'was killed' })).toBe(
    'lock on /repo released with its owner',
  );
  expect(event('lock-released', { workspace: '/repo', by: { kind: 'person' }, how: 'x' })).toBe(
    'lock on /repo released by the user',
  );
  expect(event('lock-awaited', { workspace: '/repo', by: 'aaaa', seconds: 60, wait: 'w' })).toBe(
    'aaaa waits 60 s for the lock on /repo',
  );
  expect(event('tagged', { by: { kind: 'person' }, added: ['a', 'b'], removed: ['c'] })).toBe(
    'tags +a +b -c, by the user',
  );
  expect(event('turn-ended', { end: 'interrupted', last_words: null })).toBe('turn interrupted');
});

/** One of each kind: a kind without words, or a new one, does not pass. */
const evidence = { source: 'hook', id: 'f1', at: 0 } as const;
type BodyOf<Type, Body = EventBody> = Body extends { type: infer Types }
  ? Type extends Types
    ? Omit<Body, 'type'>
    : never
  : never;
const bodies: { [Type in EventBody['type']]: BodyOf<Type> } = {
  'session-created': { provider: 'claude', name: 'worker', workingDir: '/repo', parentId: null },
  'session-launched': { pid: 7, agentVersion: null },
  'worktree-set-up': {},
  'worktree-output': { text: 'Making it' },
  'worktree-made': { path: '/repo.worktrees/x', branch: 'x', base: 'main', commit: 'c0ffee' },
  said: { turn: 't1', text: 'words' },
  'session-ready': { providerId: 'c1', evidence },
  'session-renamed': { name: 'worker' },
  'task-set': { task: 'port it' },
  tagged: { by: person, added: ['night'], removed: ['old'] },
  'status-reported': { text: 'half way' },
  'session-adopted': {},
  'session-exited': { code: null, signal: 9, reason: 'killed by signal 9', screen: 'rows' },
  'agent-model': { model: 'Opus' },
  'checked-out': { repository: '/repo', branch: 'main', commit: null },
  'agent-version': { version: '2.1.325' },
  'screen-unrecognised': { provider: 'claude', agentVersion: '2.1.999' },
  'screen-recognised': {},
  'session-lost': { reason: 'its pane is gone' },
  'session-killed': { by: person },
  'session-restored': { by: person, resumed: true },
  'context-began': { context: 2, providerId: 'c2', by: 'clear' },
  'context-ended': { context: 1, reason: 'clear' },
  'turn-began': { turn: 't1', messages: ['m1'], evidence },
  'turn-ended': { turn: 't1', end: 'ended', lastWords: 'done', evidence },
  blocked: { kind: 'dialog', text: 'Trust it?' },
  unblocked: { why: 'it was answered' },
  'question-answered': { answer: 'a1', by: person, decision: 'allow', text: null, question: 'rm?' },
  'rule-answered': {
    answer: 'a1',
    decision: 'allow',
    rule: '9f3a01c2',
    says: 'allow Bash(npm test)',
    question: 'Bash: npm test',
  },
  'answer-taken': { answer: 'a1' },
  'answer-lost': { answer: 'a1', why: 'nobody waits' },
  watched: { watch: 'w1', by: 's2', seconds: 5 },
  'reminder-started': { soft: 180, hard: 300 },
  'reminder-restarted': { why: 'a status came' },
  'reminder-ended': { why: 'its turn has ended' },
  'reminder-sent': { kind: 'recurring', message: 'm1', reminder: 'r1' },
  'reminder-set': { reminder: 'r1', at: 0, every: 60 },
  'reminder-cancelled': { reminder: 'r1' },
  'reminder-forced': { reminder: 'r1', seconds: 300 },
  'lock-taken': { workspace: '/repo', reason: 'mine', enforced: false },
  'lock-released': { workspace: '/repo', by: null, how: 'was killed' },
  'lock-awaited': { workspace: '/repo', wait: 'w1', by: 's2', seconds: 5 },
  'monitor-set': { enabled: true, notify: null },
  'usage-sampled': { context: 1, percentage: 40, tokens: null, costUsd: null },
  'context-marked': { mark: 'warning', percentage: 50 },
  'handoff-prepared': { path: '/notes.md' },
  'handoff-scheduled': { path: '/notes.md', auto: false },
  'handoff-clearing': { path: '/notes.md' },
  'handoff-cleared': { message: 'm1' },
  'handoff-done': { path: '/notes.md', context: 2 },
  'handoff-failed': { path: '/notes.md', why: 'it is gone' },
  'clear-expected': { by: null },
  'compaction-began': { trigger: 'auto' },
  'compaction-ended': { why: 'the agent said so', overdue: false },
  'message-queued': { message: 'm1', from: { kind: 'person' }, mode: 'urgent' },
  'message-held': { message: 'm1', why: 'draft' },
  'message-typed': { message: 'm1', attempt: 'a1' },
  'message-requeued': { message: 'm1', why: 'it came back' },
  'message-accepted': { message: 'm1', turn: 't1', evidence },
  'message-answered': { message: 'm1', turn: 't1' },
  'message-failed': { message: 'm1', why: 'no trace' },
  'message-cut-off': { message: 'm1', turn: 't1', why: 'by message #m2 from the user' },
  'message-interrupted': { message: 'm1', turn: 't1', why: 'by a human' },
  'message-died': { message: 'm1', turn: 't1', why: 'exit code 1' },
  'message-cleared': { message: 'm1', turn: 't1', why: 'by the user' },
  'message-unknown': { message: 'm1', turn: 't1', why: 'how its turn ended is unknown' },
  'message-withdrawn': { message: 'm1', why: 'its sender took it back' },
  'message-expired': { message: 'm1', why: 'its time is over' },
  'clear-asked': { by: person },
  'session-cleared': { by: person, context: 2 },
  'clear-failed': { why: 'the session is working' },
  'interrupt-asked': { by: person },
  'interrupt-failed': { why: 'a human is typing' },
  'key-pressed': { press: 'p1', key: 'Enter', outcome: 'typed' },
  'command-queued': { id: 'c1', command: '/model opus', by: person },
  'command-typed': { id: 'c1', command: '/model opus' },
  'command-failed': { command: '/model opus', why: 'the agent is gone' },
  'notice-posted': { message: 'm1', to: 's2', about: 'turn-end', notice: 'n1' },
  'fact-set-aside': { fact: 'turn-ended', why: 'of another conversation' },
};

test.each(Object.entries(bodies))('%s has words of its own', (type, details) => {
  const view = eventView({ number: 1, sessionId: 's1', at: 0, body: { type, ...details } as EventBody });
  const words = eventText(view);
  expect(words).not.toMatch(/[{}]|undefined|\[object/);
  // One that has none is shown by its kind.
  expect(words).not.toBe(type);
});

test('reminders are called what they are', () => {
  const sent = (kind: string) => event('reminder-sent', { kind, message: 'm1', reminder: 'r1' });
  expect([sent('soft'), sent('one-shot'), sent('recurring')]).toEqual([
    'soft reminder: message m1',
    'reminder r1 is due: message m1',
    'reminder r1 is due: message m1',
  ]);
});

test('commands and clears are told in words', () => {
  const by = { kind: 'session', id: 'aaaa' };
  expect(event('clear-asked', { by })).toBe('clear requested by aaaa');
  expect(event('session-cleared', { by, context: 2 })).toBe('cleared by aaaa: context 2 begins');
  expect(event('clear-failed', { why: 'the session is working' })).toBe(
    'not cleared: the session is working',
  );
  expect(event('command-typed', { command: '/compact' })).toBe('command typed: /compact');
  expect(event('command-failed', { command: '/compact', why: 'x' })).toBe('command /compact failed: x');
});

test('an event of a newer daemon is shown as it is, and made safe', () => {
  expect(event('moon-rose', { phase: 'full\u001b' })).toBe('moon-rose { "phase": "full\\u001b" }');
  expect(event('moon-set')).toBe('moon-set');
});

test('words are whole, and cannot move the cursor', () => {
  const at = '2025-01-02T12:00:00.000Z';
  const [first = '', second = ''] = saidLines(
    { number: 1, session_id: 's', at, type: 'said', text: 'one\n\u001b[2Jtwo' },
    Date.parse(at),
  );
  expect(first).toMatch(/^\d\d:\d\d:\d\d {2}says: one$/);
  expect(second.trim()).not.toContain('\u001b');
  expect(second).toMatch(/^ {10}.*two$/);
});
