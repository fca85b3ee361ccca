import { expect, test } from 'vitest';
import { eventText, saidLines } from './event-text.ts';

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
    'told aaaa that the turn has ended (message m1, notice n1)',
  );
  expect(event('notice-posted', { message: null, to: 'aaaa', about: 'news', notice: 'n2' })).toBe(
    'told aaaa of: news (notice n2)',
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
  expect(event('turn-ended', { end: 'interrupted', last_words: null })).toBe('turn interrupted');
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
