import { afterEach, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { task } from '../../test/support/engine.ts';

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
