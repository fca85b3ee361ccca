import { afterEach, beforeEach, expect, test } from 'vitest';
import { settled, type TestEngine, task, testEngine } from '../../test/support/engine.ts';
import { StoreError } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { submit, submitUntil, type Tell, untilCommit } from './submit.ts';

let engine: TestEngine;
/** Who listens. */
let listening: Set<unknown>;
beforeEach(async () => {
  engine = testEngine(openSqliteStore(':memory:'));
  const { onCommit } = engine;
  listening = new Set();
  Object.assign(engine, {
    onCommit(listener: Parameters<typeof onCommit>[0]) {
      const off = onCommit(listener);
      listening.add(listener);
      return () => {
        off();
        listening.delete(listener);
      };
    },
  });
  engine.resume();
  await engine.create('aaaa');
  await engine.create('bbbb');
});
afterEach(() => engine.store.close());

const service = () => ({ engine, clock: engine.clock });
const taskOf: Tell<string> = ({ task: now }) => now ?? undefined;

test('what a commit tells comes at once, and only of the session that is waited for', async () => {
  const { told } = await submitUntil(service(), 'aaaa', task('build'), taskOf);
  expect(told).toBe('build');
  const other = untilCommit(service(), 'bbbb', taskOf, { ms: 1_000, otherwise: 'nothing' });
  await submit(service(), 'aaaa', task('test'));
  engine.clock.advance(1_000);
  expect(await other.promise).toBe('nothing');
  expect([listening.size, engine.clock.pending]).toEqual([0, 0]);
});

test('the limit is a time of the clock, and leaves nothing behind', async () => {
  const waiting = untilCommit(service(), null, taskOf, { ms: 1_000, otherwise: 'late' });
  let told: string | undefined;
  void waiting.promise.then((text) => {
    told = text;
  });
  engine.clock.advance(999);
  await settled();
  expect(told).toBeUndefined();
  engine.clock.advance(1);
  await settled();
  expect(told).toBe('late');
  expect([listening.size, engine.clock.pending]).toEqual([0, 0]);
});

test('who has gone is not waited for', async () => {
  const asking = new AbortController();
  const limit = { ms: 60_000, otherwise: 'gone', gone: asking.signal };
  const waiting = untilCommit(service(), null, taskOf, limit);
  asking.abort();
  expect(await waiting.promise).toBe('gone');
  expect([listening.size, engine.clock.pending]).toEqual([0, 0]);
});

test('what is refused, or cannot be stored, is thrown, and nobody goes on listening', async () => {
  const never: Tell<string> = () => undefined;
  const nobody = submitUntil(service(), 'cccc', task('x'), never, { ms: 1_000, otherwise: '' });
  await expect(nobody).rejects.toMatchObject({ refusal: { code: 'not-found' } });
  engine.broken = new StoreError('full', 'The disk is full.');
  const unstored = submitUntil(service(), 'aaaa', task('x'), never, { ms: 1_000, otherwise: '' });
  await expect(unstored).rejects.toThrow('The disk is full.');
  expect([listening.size, engine.clock.pending]).toEqual([0, 0]);
});
