import { afterEach, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { task } from '../../test/support/engine.ts';
import { sessionRow } from '../protocol/session.ts';

let app: Awaited<ReturnType<typeof testApp>>;
afterEach(() => app.close());

it('a list shows every change, and nothing that could not be stored', async () => {
  app = await testApp();
  await app.engine.create('a');
  await app.engine.create('b');
  const tasks = async () =>
    ((await app.call('GET', '/sessions')).body.sessions as { current_task: unknown }[]).map(
      (each) => each.current_task,
    );
  expect(await tasks()).toEqual([null, null]);
  await app.engine.submit('a', task('one'));
  expect(await tasks()).toEqual(['one', null]);
  app.engine.broken = new Error('the disk is full');
  const failing = app.engine.submit('a', task('never'));
  const during = tasks();
  await expect(failing).rejects.toThrow('full');
  app.engine.broken = null;
  expect(await during).toEqual(['one', null]);
  await app.engine.submit('b', task('two'));
  expect(await tasks()).toEqual(['one', 'two']);
});

it.each(['', 'of=*'])('the rows of "%s" are a part of the views, and change with them', async (query) => {
  app = await testApp();
  await app.engine.create('a');
  const list = async (from: string, name: string) =>
    (await app.call('GET', from)).body[name] as Record<string, unknown>[];
  const [before] = await list(`/rows?${query}`, 'rows');
  const own = Object.keys(sessionRow.omit({ node: true, away_since: true }).shape);
  expect(Object.keys(before ?? {}).sort()).toEqual(own.sort());
  await app.engine.submit('a', task('one'));
  const [row] = await list(`/rows?${query}`, 'rows');
  expect(row?.current_task).toBe('one');
  expect((await list('/sessions', 'sessions'))[0]).toMatchObject(row ?? {});
});
