// Watches: a session asks to be told when another one is done, on the scripted agent in real tmux.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

async function start(name: string): Promise<string> {
  const { status, body } = await daemon.call<{ id: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: daemon.work,
    name,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
  return body.id;
}

/** A session that works until `finish` is called with its name. */
async function startWorking(name: string): Promise<string> {
  const id = await start(name);
  await send(id, `[[wait ${join(daemon.work, `go-${name}`)}]] [[say done]]`);
  await daemon.until(id, is('turn began'));
  return id;
}
const finish = (name: string) => writeFileSync(join(daemon.work, `go-${name}`), '');
const send = (id: string, text: string) => daemon.call('POST', `/sessions/${id}/input`, { text });
const watch = (id: string, watcher: string, seconds: number | string) =>
  daemon.call('POST', `/sessions/${id}/watch?watcher_session_id=${watcher}&timeout_seconds=${seconds}`);

describe('a watcher', () => {
  it('is told once when the session is idle', async () => {
    const [watcher, worker] = [await start('watcher-1'), await startWorking('worker-1')];
    expect(await watch(worker, watcher, 60)).toMatchObject({
      status: 200,
      body: {
        status: 'watching',
        watch_id: expect.stringMatching(/^[0-9a-f]{8}$/),
        session_id: worker,
        timeout_seconds: 60,
      },
    });
    finish('worker-1');
    await daemon.until(watcher, is('turn ended'));
    expect(await promptsOf(daemon, watcher)).toEqual([`[sm] worker-1 (${worker}) is idle.`]);
  });

  it('is told at once of a session that is idle already', async () => {
    const [watcher, worker] = [await start('watcher-2'), await start('worker-2')];
    await watch(worker, watcher, 60);
    await daemon.until(watcher, is('turn ended'));
    expect(await promptsOf(daemon, watcher)).toEqual([`[sm] worker-2 (${worker}) is idle.`]);
  });

  it('is told when the time is over', async () => {
    const [watcher, worker] = [await start('watcher-3'), await startWorking('worker-3')];
    await watch(worker, watcher, 1);
    await daemon.until(watcher, is('turn ended'));
    finish('worker-3');
    await daemon.until(worker, is('turn ended'));
    expect(await promptsOf(daemon, watcher)).toEqual([
      `[sm] worker-3 (${worker}) is not idle after 1 second: it is working.`,
    ]);
  });

  it('is told when the session exits', async () => {
    const [watcher, worker] = [await start('watcher-4'), await startWorking('worker-4')];
    await watch(worker, watcher, 60);
    await daemon.tmux('kill-session', '-t', `=sm-${worker}`);
    await daemon.until(watcher, is('turn ended'));
    expect(await promptsOf(daemon, watcher)).toEqual([
      `[sm] worker-4 (${worker}) was lost (its pane is gone).`,
    ]);
  });

  it('asks with sm wait from inside a session, and goes on', async () => {
    const [watcher, worker] = [await start('watcher-5'), await startWorking('worker-5')];
    await send(watcher, '[[bash sm wait worker-5 60]] [[say asked]]');
    const { number } = await daemon.until(watcher, is('turn ended', { last_words: 'asked' }));
    await daemon.until(worker, is('watched', { by: watcher }));
    finish('worker-5');
    await daemon.until(watcher, is('turn ended'), number);
    expect((await promptsOf(daemon, watcher)).at(-1)).toBe(`[sm] worker-5 (${worker}) is idle.`);
  });

  it('is told though the daemon was killed meanwhile', async () => {
    const [watcher, worker] = [await start('watcher-6'), await startWorking('worker-6')];
    await watch(worker, watcher, 3_600);
    await daemon.crash();
    finish('worker-6');
    await daemon.start();
    await daemon.until(watcher, is('turn ended'));
    expect(await promptsOf(daemon, watcher)).toEqual([`[sm] worker-6 (${worker}) is idle.`]);
  });
});

describe('a watch that makes no sense is refused', () => {
  it('of nobody, by nobody, by itself, or for no time at all', async () => {
    const [watcher, worker] = [await start('watcher-7'), await start('worker-7')];
    expect(await watch('nobody', watcher, 60)).toMatchObject({ status: 404 });
    expect(await watch(worker, 'nobody', 60)).toMatchObject({ status: 404 });
    expect(await watch(worker, worker, 60)).toMatchObject({ status: 400 });
    for (const seconds of ['-1', 'soon', '', 'Infinity', '1e12'])
      expect(await watch(worker, watcher, seconds), seconds).toMatchObject({ status: 400 });
    expect(await daemon.call('POST', `/sessions/${worker}/watch?timeout_seconds=1`)).toMatchObject({
      status: 400,
    });
  });
});
