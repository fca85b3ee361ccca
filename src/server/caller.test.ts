import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { settled } from '../../test/support/engine.ts';
import { factOf } from '../../test/support/session.ts';

let app: Awaited<ReturnType<typeof testApp>>;
beforeEach(async () => {
  app = await testApp();
  for (const id of ['boss', 'other']) {
    await app.engine.create(id, { parentId: null });
    await app.engine.submit(id, { type: 'rename', by: { kind: 'person' }, name: `the ${id}` });
  }
  await app.engine.createIdle('child');
});
afterEach(() => app.close());

/** The request of a session that shows its key. */
const as = (id: string) => (method: string, path: string, body?: unknown) =>
  app.call(method, path, body, { 'x-sm-caller': app.keys.of(id) });
const forbidden = (detail: unknown = expect.anything()) => ({
  status: 403,
  body: { error: 'forbidden', detail },
});

describe('whoever presents the key of a session is that session', () => {
  it('and acts as it without naming it', async () => {
    expect(await as('boss')('PATCH', '/sessions/child', { friendly_name: 'login' })).toMatchObject({
      status: 200,
    });
    expect(await as('other')('PATCH', '/sessions/child', { friendly_name: 'mine' })).toMatchObject(
      forbidden('Only login (child) itself, its parent, or a person may rename it.'),
    );
    expect(await as('other')('POST', '/sessions/child/kill')).toMatchObject(
      forbidden('Only the parent of login (child), or a person, may kill it.'),
    );
    expect(app.engine.get('child')?.session).toMatchObject({
      friendlyName: 'login',
      process: { state: 'running' },
    });
  });

  it('also to its own question, which it cannot answer', async () => {
    const asked = factOf({ is: 'permission-asked', turnId: 'p1', text: 'May I?', providerId: 'c1-child' });
    await app.engine.hear('child', factOf({ is: 'prompt-submitted', turnId: 'p1', providerId: 'c1-child' }));
    await app.engine.hear('child', asked);
    for (const id of ['child', 'boss'])
      expect(await as(id)('POST', '/sessions/child/answer', { decision: 'allow' })).toMatchObject(
        forbidden('Only a person may answer what scripted-child (child) asks.'),
      );
    expect(app.engine.get('child')?.session.question?.hook?.answer).toBeNull();
  });

  it.each([
    ['POST', '/sessions/child/input', { text: 'hello', sender_session_id: 'boss' }],
    ['POST', '/sessions/child/kill', { requester_session_id: 'boss' }],
    ['PATCH', '/sessions/child', { friendly_name: 'x', requester_session_id: 'boss' }],
    ['POST', '/sessions/spawn', { prompt: 'do it', parent_session_id: 'boss', working_dir: '/' }],
    ['POST', '/sessions', { working_dir: '/', parent_session_id: 'the boss' }],
    ['POST', '/sessions/child/watch?watcher_session_id=boss&timeout_seconds=5', undefined],
    ['DELETE', '/scheduler/remind/r1?requester_session_id=boss', undefined],
    ['POST', '/reviews', { target: { of: 'uncommitted' }, requester_session_id: 'boss' }],
    ['POST', '/sessions/boss/handoff', { requester_session_id: 'boss', file_path: '/x' }],
  ])('and cannot act as another: %s %s %j', async (method, path, body) => {
    expect(await as('other')(method, path, body)).toMatchObject(
      forbidden('You are the other (other); you cannot act as the boss (boss).'),
    );
    expect(app.engine.commits.flatMap(({ events }) => events.map(({ body }) => body.type))).not.toContain(
      'message',
    );
  });

  it('and may name itself, by its id or its name', async () => {
    for (const requester_session_id of ['boss', 'the boss', 'bo'])
      expect(
        await as('boss')('PUT', '/sessions/child/task', { task: 'x', requester_session_id }),
      ).toMatchObject({ status: 200 });
    expect(
      await as('boss')('PUT', '/sessions/child/task', { task: 'x', requester_session_id: 'no' }),
    ).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('unknown session "no"') },
    });
  });

  it('and is the sender of its messages, and who is told of what it watches', async () => {
    await as('boss')('POST', '/sessions/other/input', { text: 'hello' });
    const [message] = app.engine.get('other')?.queue.sequential.values() ?? [];
    expect(message).toMatchObject({ from: { kind: 'session', id: 'boss' }, notify: { turnEnd: true } });
    await as('boss')('POST', '/sessions/other/watch?timeout_seconds=5');
    expect(app.engine.get('other')?.session.watchers).toMatchObject([{ by: 'boss' }]);
  });

  it('as long as that session is there', async () => {
    const killed = as('boss')('POST', '/sessions/child/kill');
    await settled();
    await app.engine.runningOf('child').finish({ of: 'kill' });
    await killed;
    expect(await as('child')('POST', '/sessions/boss/input', { text: 'hello' })).toMatchObject(
      forbidden('Your key belongs to session child, which no longer exists.'),
    );
  });
});

describe('a reminder', () => {
  it('is cancelled by whoever set it or has it, and by no stranger', async () => {
    const set = async () =>
      (await as('boss')('POST', '/scheduler/remind?session_id=child&delay_seconds=60&message=x')).body
        .reminder_id;
    const cancel = async (id: string) => (await as(id)('DELETE', `/scheduler/remind/${await set()}`)).status;
    expect([await cancel('other'), await cancel('child'), await cancel('boss')]).toEqual([403, 200, 200]);
  });
});

describe('a lock', () => {
  it('is taken by the session itself: nobody else makes it wait for one', async () => {
    await as('child')('POST', '/sessions/child/lock', { reason: 'mine', path: '/' });
    expect(
      await as('other')('POST', '/sessions/boss/lock', { reason: 'x', path: '/', wait_seconds: 60 }),
    ).toMatchObject({ status: 403 });
    expect(app.engine.get('child')?.session.lock).toMatchObject({ reason: 'mine', waiters: [] });
  });
});

describe('a key that is none', () => {
  it.each(['boss', 'boss.', `boss.${'0'.repeat(64)}`, ''])('is refused, with why: "%s"', async (key) => {
    for (const method of ['GET', 'POST'])
      expect(await app.call(method, '/sessions', undefined, { 'x-sm-caller': key })).toMatchObject({
        status: 403,
        body: {
          error: 'unknown_key',
          detail: expect.stringContaining('belongs to no session of this daemon'),
        },
      });
  });
});

describe('without a key', () => {
  it('the person calls', async () => {
    expect(await app.call('PATCH', '/sessions/child', { friendly_name: 'login' })).toMatchObject({
      status: 200,
    });
    expect(await app.call('POST', '/sessions/child/watch?timeout_seconds=5')).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('watcher_session_id') },
    });
    expect(await app.call('POST', '/sessions/child/handoff', { file_path: '/x' })).toMatchObject(
      forbidden('sm handoff is self-directed only — requester must equal target session'),
    );
  });

  it('a session is who is named, as in old scripts', async () => {
    const by = (requester_session_id: string) => ({ friendly_name: 'login', requester_session_id });
    expect(await app.call('PATCH', '/sessions/child', by('other'))).toMatchObject({ status: 403 });
    expect(await app.call('PATCH', '/sessions/child', by('boss'))).toMatchObject({ status: 200 });
    expect(await app.call('PATCH', '/sessions/child', by('nobody'))).toMatchObject({ status: 404 });
  });
});

describe('over TCP', () => {
  const rename = (headers: Record<string, string>) =>
    app.call('PATCH', '/sessions/child', { friendly_name: 'login' }, headers, 'tcp');
  const token = { authorization: 'Bearer the-token' };
  const key = (id: string) => ({ 'x-sm-caller': app.keys.of(id) });

  it('a key is no token, and with the token it says who calls', async () => {
    expect(await rename({})).toMatchObject({ status: 401 });
    expect(await rename(key('boss'))).toMatchObject({ status: 401 });
    expect(await rename({ ...token, ...key('other') })).toMatchObject({ status: 403 });
    expect(await rename({ ...token, 'x-sm-caller': 'boss.00' })).toMatchObject({ status: 403 });
    expect(await rename({ ...token, ...key('boss') })).toMatchObject({ status: 200 });
    expect(await rename(token)).toMatchObject({ status: 200 });
  });
});
