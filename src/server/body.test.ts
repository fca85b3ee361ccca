import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { settled } from '../../test/support/engine.ts';

let app: Awaited<ReturnType<typeof testApp>>;
beforeEach(async () => {
  app = await testApp();
  await app.engine.createIdle('s1');
});
afterEach(() => app.close());

const json = { 'content-type': 'application/json' };

describe('an empty body', () => {
  it.each([
    ['POST', '/sessions/s1/invalidate-cache'],
    ['POST', '/sessions/s1/remind'],
    ['DELETE', '/sessions/s1/remind'],
    ['POST', '/scheduler/remind?session_id=s1&delay_seconds=60&message=look'],
  ])('says nothing, also with a content type: %s %s', async (method, path) => {
    for (const headers of [{}, json, { ...json, 'content-length': '0' }])
      expect(await app.call(method, path, undefined, headers)).toMatchObject({ status: 200 });
  });

  it.each([
    ['POST', '/sessions/s1/kill'],
    ['DELETE', '/sessions/s1'],
  ])('kills: %s %s', async (method, path) => {
    const killed = app.call(method, path, undefined, json);
    await settled();
    await app.engine.runningOf('s1').finish({ of: 'kill' });
    expect(await killed).toMatchObject({ status: 200, body: { status: 'killed' } });
  });

  it.each([
    ['POST', '/sessions/young/clear', 'is starting'],
    ['POST', '/sessions/s1/restore', 'is running'],
    ['DELETE', '/sessions/s1/lock', 'holds no lock'],
  ])('gets as far as any other: %s %s', async (method, path, why) => {
    await app.engine.create('young');
    expect(await app.call(method, path, undefined, json)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(why) },
    });
  });

  it('takes back a message', async () => {
    await app.engine.create('young');
    const { body } = await app.call('POST', '/sessions/young/input', { text: 'hello' });
    expect(await app.call('POST', `/messages/${body.message_id}/withdraw`, undefined, json)).toMatchObject({
      status: 200,
      body: { state: 'withdrawn' },
    });
  });

  it('is told what is missing where something is needed', async () => {
    expect(await app.call('PATCH', '/sessions/s1', undefined, json)).toEqual({
      status: 400,
      body: { error: 'invalid', detail: 'friendly_name: is missing' },
    });
  });
});

describe('a body', () => {
  it('that is not UTF-8 is refused, and changes nothing', async () => {
    const text = Buffer.from('{"friendly_name":"caf\xe9"}', 'latin1');
    expect(await app.call('PATCH', '/sessions/s1', text)).toEqual({
      status: 400,
      body: { error: 'invalid', detail: 'The body is not UTF-8.' },
    });
    expect(app.engine.get('s1')?.session.friendlyName).toBeNull();
  });

  it('that is not JSON is refused', async () => {
    expect(await app.call('PATCH', '/sessions/s1', '{broken')).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^The body is not valid JSON: /) },
    });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(await app.call('PATCH', '/sessions/s1', '{}', { 'content-type': type })).toMatchObject({
        status: 415,
        body: { error: 'not_json' },
      });
  });
});
