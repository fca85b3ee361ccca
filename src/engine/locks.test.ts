// Locks between sessions: who holds one is decided in one place, and survives everything but its owner's end.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { settled, type TestEngine, testEngine } from '../../test/support/engine.ts';
import { factOf } from '../../test/support/session.ts';
import type { Input } from '../domain/core/input.ts';
import { person } from '../domain/core/names.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';

let store: Store;
let engine: TestEngine;

beforeEach(async () => {
  store = openSqliteStore(':memory:');
  engine = await started();
  for (const id of ['a1', 'b1']) await engine.createIdle(id);
});
afterEach(() => store.close());

async function started(): Promise<TestEngine> {
  const next = testEngine(store);
  await next.load();
  next.resume();
  await settled();
  return next;
}

const lockIt: Input = { type: 'lock', by: person, workspace: '/repo', reason: 'mine', enforced: true };
const unlockIt: Input = { type: 'unlock', by: person };
const awaited = (by: string, seconds = 60): Input => ({
  type: 'await-lock',
  id: 'w',
  by,
  seconds,
  workspace: '/repo',
});
const holders = (of = engine) => [...of.all()].flatMap(({ session: { id, lock } }) => (lock ? [id] : []));
/** Texts that wait for a session. */
const waitingFor = (id: string, of = engine) =>
  [...(of.get(id)?.queue.important.values() ?? [])].map(({ text }) => text);

it('of two that want it at once, one has it and the other hears who', async () => {
  const [first, second] = await Promise.all([engine.submit('a1', lockIt), engine.submit('b1', lockIt)]);
  expect(first).toMatchObject({ ok: true });
  expect(second).toMatchObject({
    ok: false,
    refusal: { message: expect.stringContaining('scripted-a1 (a1)') },
  });
  expect(holders()).toEqual(['a1']);
});

it('one that could not be stored is nobody’s', async () => {
  engine.broken = new StoreError('full', 'full');
  await expect(engine.submit('a1', lockIt)).rejects.toThrow('full');
  engine.broken = null;
  expect(await engine.submit('b1', lockIt)).toMatchObject({ ok: true });
});

it.each([
  ['exits', factOf({ is: 'process-exited', code: 1 })],
  ['is lost', factOf({ is: 'process-gone' })],
])('when its holder %s, whoever waits is told and can take it', async (_, end) => {
  await engine.submit('a1', lockIt);
  await engine.submit('a1', awaited('b1'));
  await engine.hear('a1', end);
  // The lane of one that is gone has its effects run like any other.
  await settled();
  while (engine.running.some(({ owed }) => owed.sessionId === 'a1')) {
    await engine.runningOf('a1').finish({ of: 'bury' });
  }
  expect(waitingFor('b1')).toEqual([
    expect.stringContaining('[sm] The lock on /repo is free: scripted-a1 (a1)'),
  ]);
  expect(await engine.submit('b1', lockIt)).toMatchObject({ ok: true });
});

it('is held, and waited for, after a restart', async () => {
  await engine.submit('a1', lockIt);
  await engine.submit('a1', awaited('b1', 10));
  const next = await started();
  expect(holders(next)).toEqual(['a1']);
  expect(await next.submit('b1', lockIt)).toMatchObject({ ok: false });
  next.clock.advance(10_000);
  await settled();
  expect(waitingFor('b1', next)).toEqual([expect.stringContaining('is not free after 10 seconds')]);
});

it('is released though nobody is there any more to be told', async () => {
  await engine.submit('a1', lockIt);
  await engine.submit('a1', awaited('b1'));
  await engine.submit('b1', { type: 'kill', by: person });
  await settled();
  await engine.runningOf('b1').finish({ of: 'kill' });
  expect(engine.get('b1')).toBeUndefined();
  expect(await engine.submit('a1', unlockIt)).toMatchObject({ ok: true });
  await settled();
  expect((await store.load()).owed.filter(({ effect }) => effect.do === 'post')).toEqual([]);
  expect(holders()).toEqual([]);
});
