import { expect, test } from 'vitest';
import { event as anEvent } from '../../../test/support/stand-in-daemon.ts';
import type { EventBody, EventName, EventNamed } from '../../domain/core/event.ts';
import { person } from '../../domain/core/names.ts';
import { eventView as eventSchema } from '../../protocol/event.ts';
import { eventView } from '../../server/view.ts';
import { eventText, saidLines } from './event.ts';

const event = (name: string, details = {}) => eventText(anEvent(1, name, details));

test('events are told in words', () => {
  expect(event('session killed', { by: { kind: 'session', id: 'aaaa' } })).toBe('killed by aaaa');
  expect(event('session restored', { by: { kind: 'person' }, resumed: true })).toBe(
    'restored by the user, with its conversation',
  );
  expect(
    event('message queued', {
      message: 'm1',
      from: { kind: 'session', id: 'aaaa', name: 'lead' },
      mode: 'urgent',
    }),
  ).toBe('message m1 queued, from lead (aaaa) (urgent)');
  const again = { message: 'm1', from: { kind: 'person' }, mode: 'urgent', why: 'the agent gave it back' };
  expect(event('message queued', again)).toBe('message m1 requeued: the agent gave it back');
  expect(event('message held', { message: 'm1', why: 'draft' })).toBe(
    'message m1 held: a draft is in its composer',
  );
  expect(event('message withdrawn', { message: 'm1', why: 'its sender took it back' })).toBe(
    'message m1 withdrawn: its sender took it back',
  );
  expect(event('notice-posted', { message: 'm1', to: 'aaaa', about: 'turn-end', notice: 'n1' })).toBe(
    'told aaaa that the turn ended (message m1, notice n1)',
  );
  expect(event('notice-posted', { message: null, to: 'aaaa', about: 'news', notice: 'n2' })).toBe(
    'told aaaa about news (notice n2)',
  );
  expect(event('lock taken', { workspace: '/repo', reason: 'mine', enforced: true })).toBe(
    'locked /repo for edits: mine',
  );
  expect(event('lock released', { workspace: '/repo', by: null, how: 'was killed' })).toBe(
    'lock on /repo released with its owner',
  );
  expect(event('lock released', { workspace: '/repo', by: { kind: 'person' }, how: 'x' })).toBe(
    'lock on /repo released by the user',
  );
  expect(event('lock awaited', { workspace: '/repo', by: 'aaaa', seconds: 60, wait: 'w' })).toBe(
    'aaaa waits 60 s for the lock on /repo',
  );
  expect(event('tagged', { by: { kind: 'person' }, added: ['a', 'b'], removed: ['c'] })).toBe(
    'tags +a +b -c, by the user',
  );
  expect(event('turn ended', { end: 'interrupted', last_words: null })).toBe('turn interrupted');
});

/** One of each kind: a kind without words, or a new one, does not pass. */
const evidence = { source: 'hook', id: 'f1', at: 0 } as const;
type Details<Body> = Body extends EventBody ? Omit<Body, 'type' | 'step' | 'state'> : never;
const bodies: { [Name in EventName]: Details<EventNamed<Name>> } = {
  'comment added': { comments: ['c1'], path: 'a.ts', line: 1, by: person },
  'comment deleted': { comments: ['c1'], by: person },
  'comment sent': { comments: ['c1'], message: 'm1' },
  'session created': { provider: 'claude', name: 'worker', workingDir: '/repo', parentId: null },
  'session launched': { pid: 7, agentVersion: null },
  'worktree set-up': {},
  'worktree finished': { how: 'merge', branch: 'x', into: 'main', commit: 'c0ffee' },
  'worktree not-finished': { why: 'no' },
  'worktree removing': { path: '/repo.worktrees/x', by: person },
  'worktree removed': { path: '/repo.worktrees/x', ref: 'refs/sm/archive/s1' },
  'worktree kept': { path: '/repo.worktrees/x', why: '1 file is changed: a' },
  'worktree restored': { path: '/repo.worktrees/x', branch: 'x' },
  'worktree not-restored': { why: 'no' },
  'worktree output': { text: 'Making it' },
  'worktree made': { path: '/repo.worktrees/x', branch: 'x', base: 'main', commit: 'c0ffee' },
  said: { turn: 't1', text: 'words' },
  'session moved': { by: person, provider: 'claude', resumed: true },
  'session not-moved': { why: 'a dialog is open' },
  'session ready': { providerId: 'c1', evidence },
  'session renamed': { name: 'worker' },
  'task-set': { task: 'port it' },
  tagged: { by: person, added: ['night'], removed: ['old'] },
  'status-reported': { text: 'half way' },
  'session adopted': {},
  'session exited': { code: null, signal: 9, reason: 'killed by signal 9', screen: 'rows', killed: false },
  'checked-out': { repository: '/repo', branch: 'main', commit: null },
  'agent-model': { model: 'Opus' },
  'agent-version': { version: '2.1.325' },
  'screen unrecognised': { provider: 'claude', agentVersion: '2.1.999' },
  'screen recognised': {},
  'session lost': { reason: 'its pane is gone' },
  'session killed': { by: person },
  'session restored': { by: person, resumed: true },
  'context began': { context: 2, providerId: 'c2', by: 'clear' },
  'context ended': { context: 1, reason: 'clear' },
  'turn began': { turn: 't1', messages: ['m1'], evidence },
  'turn ended': { turn: 't1', end: 'ended', lastWords: 'done', evidence },
  'question asked': { kind: 'dialog', text: 'Trust it?' },
  'question closed': { why: 'it was answered' },
  'question answered': { answer: 'a1', by: person, decision: 'allow', text: null, question: 'rm?' },
  'question ruled': {
    answer: 'a1',
    decision: 'allow',
    rule: '9f3a01c2',
    says: 'allow Bash(npm test)',
    question: 'Bash: npm test',
  },
  'question answer-taken': { answer: 'a1' },
  'question answer-lost': { answer: 'a1', why: 'nobody waits' },
  watched: { watch: 'w1', by: 's2', seconds: 5 },
  'reminder started': { soft: 180, hard: 300 },
  'reminder restarted': { why: 'a status came' },
  'reminder ended': { why: 'its turn has ended' },
  'reminder unheeded': { times: 2 },
  'reminder sent': { kind: 'soft', message: 'm1' },
  'one-shot sent': { message: 'm1', reminder: 'r1' },
  'one-shot set': { reminder: 'r1', due: 0, every: 60 },
  'one-shot cancelled': { reminder: 'r1' },
  'one-shot forced': { reminder: 'r1', seconds: 300 },
  'limit told': { account: '/home/me/.agent', window: '5h', used: 62, resetsAt: 0 },
  'limit reached': { text: 'You hit your limit', until: null, evidence },
  'limit resumed': { message: 'm1' },
  'budget set': { family: false, usd: 5, tokens: null, by: person },
  'budget off': { family: true, by: person },
  'budget near': { family: false, text: '80 % of its budget of $5.00 is used ($4.00)' },
  'budget used-up': { family: false, text: 'budget of $5.00 is used up ($5.02)' },
  'budget unknown': { family: false, text: 'what it costs is only partly known' },
  'budget held': { why: 'budget of $5.00 is used up ($5.02)' },
  'budget free': {},
  'limit over': { why: 'the agent goes on' },
  'lock taken': { workspace: '/repo', reason: 'mine', enforced: false },
  'lock released': { workspace: '/repo', by: null, how: 'was killed' },
  'lock awaited': { workspace: '/repo', wait: 'w1', by: 's2', seconds: 5 },
  'monitor-set': { enabled: true, notify: null },
  'usage sampled': { context: 1, percentage: 40, tokens: null, costUsd: null },
  'usage marked': { mark: 'warning', percentage: 50 },
  'handoff prepared': { path: '/notes.md' },
  'handoff scheduled': { path: '/notes.md', auto: false },
  'handoff clearing': { path: '/notes.md' },
  'handoff cleared': { message: 'm1' },
  'handoff done': { path: '/notes.md', context: 2 },
  'handoff failed': { path: '/notes.md', why: 'it is gone' },
  'clear expected': { by: null },
  'compaction began': { trigger: 'auto' },
  'compaction ended': { why: 'the agent said so', overdue: false },
  'message queued': { message: 'm1', from: { kind: 'person' }, mode: 'urgent' },
  'message held': { message: 'm1', why: 'draft' },
  'message typed': { message: 'm1', attempt: 'a1' },
  'message accepted': { message: 'm1', turn: 't1', evidence },
  'message answered': { message: 'm1', turn: 't1' },
  'message failed': { message: 'm1', why: 'no trace' },
  'message cut-off': { message: 'm1', turn: 't1', why: 'by message #m2 from the user' },
  'message interrupted': { message: 'm1', turn: 't1', why: 'by a human' },
  'message died': { message: 'm1', turn: 't1', why: 'exit code 1' },
  'message cleared': { message: 'm1', turn: 't1', why: 'by the user' },
  'message unknown': { message: 'm1', turn: 't1', why: 'how its turn ended is unknown' },
  'message withdrawn': { message: 'm1', why: 'its sender took it back' },
  'message expired': { message: 'm1', why: 'its time is over' },
  'clear asked': { by: person },
  'clear done': { by: person, context: 2 },
  'clear failed': { why: 'the session is working' },
  'interrupt asked': { by: person },
  'interrupt failed': { why: 'a human is typing' },
  'key-pressed': { press: 'p1', key: 'Enter', outcome: 'typed' },
  'command queued': { id: 'c1', command: '/model opus', by: person },
  'command typed': { id: 'c1', command: '/model opus' },
  'command failed': { command: '/model opus', why: 'the agent is gone' },
  'notice-posted': { message: 'm1', to: 's2', about: 'turn-end', notice: 'n1' },
  'fact-set-aside': { fact: 'turn-ended', why: 'of another conversation' },
};

test.each(Object.entries(bodies))('%s has words of its own', (name, details) => {
  const { type, state, step } = anEvent(1, name);
  const body = { type, ...(state ? { state } : {}), ...(step ? { step } : {}), ...details } as EventBody;
  const view = eventView({ number: 1, sessionId: 's1', at: 0, body });
  // The protocol has all of it.
  expect(eventSchema.parse(view)).toEqual(view);
  const words = eventText(view);
  expect(words).not.toMatch(/[{}]|undefined|\[object/);
  // One that has none is shown by its name and its details.
  if (Object.keys(details).length === 0) expect(words).not.toBe(name);
});

test('reminders are called what they are', () => {
  expect(event('reminder sent', { kind: 'soft', message: 'm1' })).toBe('soft reminder: message m1');
  expect(event('one-shot sent', { message: 'm1', reminder: 'r1' })).toBe('reminder r1 is due: message m1');
});

test('commands and clears are told in words', () => {
  const by = { kind: 'session', id: 'aaaa' };
  expect(event('clear asked', { by })).toBe('clear requested by aaaa');
  expect(event('clear done', { by, context: 2 })).toBe('cleared by aaaa: context 2 begins');
  expect(event('clear failed', { why: 'the session is working' })).toBe(
    'not cleared: the session is working',
  );
  expect(event('command typed', { command: '/compact' })).toBe('command typed: /compact');
  expect(event('command failed', { command: '/compact', why: 'x' })).toBe('command /compact failed: x');
});

test('an event of a newer daemon is shown as it is, and made safe', () => {
  expect(event('moon-rose', { phase: 'full\u001b' })).toBe('moon-rose { "phase": "full\\u001b" }');
  expect(event('moon-set')).toBe('moon-set');
});

test('words are whole, and cannot move the cursor', () => {
  const at = '2025-01-02T12:00:00.000Z';
  const [first = '', second = ''] = saidLines(
    { number: 1, session_id: 's', at, type: 'said', turn: null, text: 'one\n\u001b[2Jtwo' },
    Date.parse(at),
  );
  expect(first).toMatch(/^\d\d:\d\d:\d\d {2}says: one$/);
  expect(second.trim()).not.toContain('\u001b');
  expect(second).toMatch(/^ {10}.*two$/);
});
