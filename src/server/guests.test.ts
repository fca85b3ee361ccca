import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';

let app: Awaited<ReturnType<typeof testApp>>;
beforeEach(async () => {
  app = await testApp();
  for (const id of ['login', 'other']) await app.engine.create(id, { parentId: null });
});
afterEach(() => app.close());

const own = { host: '127.0.0.1:8420', origin: 'http://127.0.0.1:8420' };
const hour = 3_600;

async function link(session = 'login', seconds = hour): Promise<{ code: string; id: string }> {
  const { status, body } = await app.call('POST', '/devices/links', { session, seconds });
  expect(status).toBe(200);
  const { id } = body.device as { id: string };
  return { code: String(body.local_url).split('#code=')[1] ?? '', id };
}

async function enter(code: string): Promise<Record<string, string>> {
  const answer = await app.request('POST', '/devices', { code, name: 'Firefox' }, own, 'tcp');
  expect(answer.status).toBe(200);
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const { key } = (await answer.json()) as { key: string };
  return { ...own, cookie, 'x-sm-page': key };
}
const get = (path: string, headers: Record<string, string>) =>
  app.call('GET', path, undefined, headers, 'tcp');

describe('a guest', () => {
  it('sees the one session', async () => {
    const guest = await enter((await link()).code);
    for (const path of ['/sessions/login', '/sessions/login/messages', '/events?session=login'])
      expect(await get(path, guest)).toMatchObject({ status: 200 });
  });

  it.each([
    ['GET', '/sessions'],
    ['GET', '/sessions/other'],
    ['GET', '/sessions/other/messages'],
    ['GET', '/events'],
    ['GET', '/events?session=other'],
    ['GET', '/events?session=login&session=other'],
    ['GET', '/search?words=x'],
    ['GET', '/devices'],
    ['GET', '/messages/abc'],
    ['POST', '/sessions/login/kill'],
    ['POST', '/sessions/login/interrupt'],
    ['DELETE', '/sessions/login'],
    ['POST', '/devices/codes'],
    ['GET', '/openapi.json'],
  ])('and nothing else: %s %s', async (method, path) => {
    const guest = await enter((await link()).code);
    const answer = await app.call(method, path, undefined, guest, 'tcp');
    const isOfOne = path === '/events?session=login&session=other';
    if (isOfOne) expect(JSON.stringify(answer.body)).not.toContain('"other"');
    else expect(answer).toMatchObject({ status: 403, body: { error: 'guest' } });
    expect(app.engine.get('login')?.session.process.state).not.toBe('exited');
  });

  it('is not taken for a session whose key he shows', async () => {
    const guest = { ...(await enter((await link()).code)), 'x-sm-caller': app.keys.of('login') };
    expect(await app.call('POST', '/sessions/login/kill', undefined, guest, 'tcp')).toMatchObject({
      status: 403,
    });
  });

  it('is out when his time is over, and what he listens to ends', async () => {
    const guest = await enter((await link()).code);
    const present = app.devices.of(guest.cookie, guest['x-sm-page']);
    app.clock.advance(hour * 1_000 - 1);
    expect(present?.over.aborted).toBe(false);
    app.clock.advance(1);
    expect(present?.over.aborted).toBe(true);
    expect(await get('/sessions/login', guest)).toMatchObject({ status: 401 });
    expect(app.devices.list()).toEqual([]);
  });
});

describe('a link', () => {
  it('lets in one browser', async () => {
    const { code } = await link();
    await enter(code);
    expect(await app.call('POST', '/devices', { code, name: 'second' }, own, 'tcp')).toMatchObject({
      status: 403,
    });
  });

  it('is listed before it is opened, and can be taken back', async () => {
    const { code, id } = await link();
    expect((await app.call('GET', '/devices')).body).toMatchObject({
      devices: [{ id, link: true, guest_of: 'login' }],
    });
    expect(await app.call('DELETE', `/devices/${id}`)).toMatchObject({ status: 200 });
    expect(await app.call('POST', '/devices', { code, name: 'late' }, own, 'tcp')).toMatchObject({
      status: 403,
    });
  });

  it('is no key by itself', async () => {
    const { code, id } = await link();
    const [, secret] = code.split('.');
    const headers = { ...own, cookie: `sm_test=${id}.${secret}`, 'x-sm-page': '' };
    expect(await get('/sessions/login', headers)).toMatchObject({ status: 401 });
  });

  it('is made neither by a session nor by a browser', async () => {
    const body = { session: 'login', seconds: hour };
    const asSession = { 'x-sm-caller': app.keys.of('login') };
    expect(await app.call('POST', '/devices/links', body, asSession)).toMatchObject({ status: 403 });
  });
});
