// Records of contexts, from the events of real decisions.
import { expect, test } from 'vitest';
import type { EventBody } from '../core/event.ts';
import { type ContextRecord, recordsAfter } from './record.ts';

/** What a store would hold after these. */
function after(...events: EventBody[]): ContextRecord[] {
  const records: ContextRecord[] = [];
  events.forEach((body, at) => {
    const [newest, previous] = records.toReversed();
    for (const record of recordsAfter(newest, previous, { sessionId: 's1', at, body }))
      records[record.number - 1] = record;
  });
  return records.filter(Boolean);
}

const began = (context: number, by = 'clear', providerId: string | null = `c${context}`): EventBody => ({
  type: 'context',
  step: 'began',
  context,
  providerId,
  by,
});
const sampled = (context: number, percentage: number, costUsd: number | null = null): EventBody => ({
  type: 'usage',
  step: 'sampled',
  context,
  percentage,
  tokens: percentage * 1_000,
  costUsd,
});
const ended = (context: number, reason = 'clear'): EventBody => ({
  type: 'context',
  step: 'ended',
  context,
  reason,
});
const exited = (reason: string, killed = false): EventBody => ({
  type: 'session',
  step: 'exited',
  code: 0,
  signal: null,
  reason,
  screen: null,
  killed,
});
const boss = { kind: 'session', id: 'boss' } as const;

test('a context that was cleared says when, and by whom if we did it', () => {
  const [first, second] = after(
    began(1, 'launch'),
    ended(1),
    began(2),
    { type: 'clear', step: 'done', by: boss, context: 2 },
    began(3),
  );
  expect(first).toMatchObject({
    providerId: 'c1',
    began: { at: 0, how: 'launch' },
    ended: { at: 1, how: 'clear', by: boss },
  });
  expect(second).toMatchObject({ began: { at: 2, how: 'clear' }, ended: { at: 4, how: 'clear', by: null } });
});

test('a handoff is told from a clear', () => {
  const [first, second] = after(
    began(1, 'launch'),
    ended(1),
    began(2),
    { type: 'clear', step: 'done', by: { kind: 'session', id: 's1' }, context: 2 },
    { type: 'handoff', step: 'cleared', message: 'm1' },
  );
  expect(first?.ended?.how).toBe('handoff');
  expect(second?.began?.how).toBe('handoff');
});

test('the process tells how an agent ended, and a conversation that is resumed goes on', () => {
  const start = [began(1, 'launch'), ended(1, 'other'), exited('exit code 3')] as const;
  expect(after(...start)[0]?.ended).toMatchObject({ at: 2, how: 'exited', why: 'exit code 3' });
  expect(after(began(1), exited('killed', true))[0]?.ended).toMatchObject({ how: 'killed', why: null });
  expect(after(began(1), { type: 'session', step: 'lost', reason: 'tmux ended' })[0]?.ended?.how).toBe(
    'lost',
  );
  const restored: EventBody = { type: 'session', step: 'restored', by: { kind: 'person' }, resumed: true };
  expect(after(...start, restored)[0]?.ended).toBeNull();
  const anew = after(...start, { ...restored, resumed: false }, began(2, 'launch'));
  expect(anew.map((record) => record.ended?.how)).toEqual(['exited', undefined]);
});

test('one in which nothing was said begins again under its number', () => {
  expect(after(began(1, 'launch', 'c1'), exited('exit code 1'), began(1, 'launch', 'c9'))).toMatchObject([
    { number: 1, providerId: 'c9', began: { at: 2 }, ended: null },
  ]);
});

test('the peak is the fullest that it was, the cost that of the last sample', () => {
  const [first] = after(
    began(1),
    sampled(1, 40, 1),
    sampled(1, 80, 2),
    { type: 'compaction', step: 'began', trigger: 'auto' },
    { type: 'compaction', step: 'ended', why: 'told', overdue: false },
    sampled(1, 12, 3),
    sampled(1, 13),
  );
  expect(first).toMatchObject({
    peak: { percentage: 80, tokens: 80_000 },
    costUsd: 3,
    compactions: 1,
    ended: null,
  });
});

test('the id that an agent gives its conversation itself is known when it is ready', () => {
  const evidence = { source: 'hook', id: 'f1', at: 1 } as const;
  const ready: EventBody = { type: 'session', step: 'ready', providerId: 'own', evidence };
  expect(after(began(1, 'launch', null), ready)[0]?.providerId).toBe('own');
  expect(after(began(1, 'launch', 'c1'), ready)[0]?.providerId).toBe('c1');
});

test('a context from before there were records has no beginning, and nothing is made up', () => {
  expect(after(ended(7), exited('killed', true))).toEqual([]);
  expect(after(sampled(7, 30))).toMatchObject([{ number: 7, began: null, peak: { percentage: 30 } }]);
});
