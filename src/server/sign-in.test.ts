import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testApp } from '../../test/support/app.ts';

type App = Awaited<ReturnType<typeof testApp>>;
let app: App;
beforeEach(async () => {
  app = await testApp();
  await app.engine.create('boss', { parentId: null });
});
afterEach(() => app.close());

const own = { host: '127.0.0.1:8420', origin: 'http://127.0.0.1:8420' };

async function newCode(): Promise<string> {
  const { body } = await app.call('POST', '/devices/codes');
  return String(body.code);
}

/** What a browser sends with every request of the page, once it is signed in. */
async function signedIn(name = 'Firefox on Linux', host = own): Promise<Record<string, string>> {
  const answer = await app.request('POST', '/devices', { code: await newCode(), name }, host, 'tcp');
  expect(answer.status).toBe(200);
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const { key } = (await answer.json()) as { key: string };
  return { ...host, cookie, 'x-sm-page': key };
}

const get = (path: string, headers: Record<string, string>) =>
  app.call('GET', path, undefined, headers, 'tcp');
const post = (path: string, body: unknown, headers: Record<string, string>) =>
  app.call('POST', path, body, headers, 'tcp');

describe('signing in', () => {
  it('gives a cookie that no script can read and no other site can send, and a key', async () => {
    const body = { code: await newCode(), name: 'Firefox on Linux' };
    const answer = await app.request('POST', '/devices', body, own, 'tcp');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^sm_test=\w+\.\w+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    );
    expect(await answer.json()).toMatchObject({
      device: { name: 'Firefox on Linux', current: true },
      key: expect.any(String),
    });
  });

  it('lets the person act from the page', async () => {
    const headers = await signedIn();
    expect(await get('/sessions', headers)).toMatchObject({ status: 200 });
    expect(await post('/sessions/boss/tags', { add: ['x'] }, headers)).toMatchObject({ status: 200 });
  });

  it('is refused with a wrong code, and slows its sender down, by address', async () => {
    const wrong = { code: 'AAAA-AAAA', name: 'x' };
    for (let i = 0; i < 3; i += 1)
      expect(await post('/devices', wrong, own)).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    expect(await post('/devices', wrong, own)).toEqual({
      status: 429,
      body: { error: 'slow_down', detail: 'Too many wrong codes. Try again in 1 s.' },
    });
    const elsewhere = await app.request('POST', '/devices', wrong, own, 'tcp', '10.0.0.7');
    expect(elsewhere.status).toBe(403);
  });

  it('marks the cookie for TLS alone where the page is reached over TLS', async () => {
    await app.close();
    app = await testApp({ url: 'https://sm.example.com' });
    const host = { host: 'sm.example.com', origin: 'https://sm.example.com' };
    const body = { code: await newCode(), name: 'x' };
    const answer = await app.request('POST', '/devices', body, host, 'tcp');
    expect(answer.headers.get('set-cookie')).toMatch(/; SameSite=Strict; Secure$/);
  });
});

describe('codes', () => {
  it('are for the address on this machine, behind #, and for the one that others use', async () => {
    await app.close();
    app = await testApp({ url: 'https://sm.example.com/' });
    const { body } = await app.call('POST', '/devices/codes');
    expect(body).toMatchObject({
      local_url: `http://127.0.0.1:8420/#code=${body.code}`,
      url: `https://sm.example.com/#code=${body.code}`,
    });
  });

  it('are made neither by a session nor by a browser', async () => {
    const asSession = { 'x-sm-caller': app.keys.of('boss') };
    expect(await app.call('POST', '/devices/codes', undefined, asSession)).toMatchObject({ status: 403 });
    expect(await post('/devices/codes', undefined, await signedIn())).toMatchObject({ status: 403 });
  });
});

describe('who is not let in', () => {
  it.each([
    ['without the key', ({ 'x-sm-page': _, ...rest }: Record<string, string>) => rest],
    ['without the cookie', ({ cookie: _, ...rest }: Record<string, string>) => rest],
    ['with another key', (headers: Record<string, string>) => ({ ...headers, 'x-sm-page': 'f'.repeat(48) })],
  ])('somebody %s', async (_, change) => {
    const headers = change(await signedIn());
    for (const path of ['/sessions', '/events', '/devices', '/openapi.json'])
      expect(await get(path, headers)).toMatchObject({ status: 401 });
  });

  it.each([
    ['a page of another origin', { origin: 'https://evil.example' }, 'foreign_origin'],
    ['another port of this host', { origin: 'http://127.0.0.1:3000' }, 'foreign_origin'],
    ['a page without an origin of its own', { origin: 'null' }, 'foreign_origin'],
    [
      'a name that leads here (rebinding)',
      { host: 'evil.example:8420', origin: 'http://evil.example:8420' },
      'foreign_host',
    ],
  ])('%s, whatever it has', async (_, foreign, error) => {
    const headers = { ...(await signedIn()), ...foreign };
    const stream = { ...headers, accept: 'text/event-stream' };
    expect(await get('/events', stream)).toMatchObject({ status: 403, body: { error } });
    expect(await post('/sessions/boss/kill', undefined, headers)).toMatchObject({
      status: 403,
      body: { error },
    });
    expect(await post('/devices', { code: await newCode(), name: 'x' }, headers)).toMatchObject({
      status: 403,
      body: { error },
    });
    expect(app.engine.get('boss')?.session.process.state).not.toBe('exited');
  });

  it('a form of another site', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { ...(await signedIn()), ...form };
    expect(await post('/sessions/boss/input', 'text=hello', headers)).toMatchObject({ status: 415 });
  });

  it('somebody with an address that was used', async () => {
    const code = await newCode();
    expect(await post('/devices', { code, name: 'mine' }, own)).toMatchObject({ status: 200 });
    expect(await post('/devices', { code, name: 'thief' }, own)).toMatchObject({ status: 403 });
  });
});

describe('signing out', () => {
  it('shuts the door and ends what the browser listens to', async () => {
    const headers = await signedIn();
    const stream = await app.request(
      'GET',
      '/events',
      undefined,
      { ...headers, accept: 'text/event-stream' },
      'tcp',
    );
    const reader = stream.body!.getReader();
    await reader.read();
    const [{ id }] = (await get('/devices', headers)).body.devices as [{ id: string }];
    expect(await app.call('DELETE', `/devices/${id}`)).toEqual({
      status: 200,
      body: { status: 'revoked', id, name: 'Firefox on Linux' },
    });
    await expect(reader.read()).rejects.toThrow();
    expect(await get('/sessions', headers)).toMatchObject({ status: 401 });
    expect(await app.call('DELETE', `/devices/${id}`)).toMatchObject({ status: 404 });
  });

  it('happens by itself after 30 days without a visit, and each visit begins them anew', async () => {
    const headers = await signedIn();
    const day = 24 * 3_600_000;
    app.clock.advance(20 * day);
    const answer = await app.request('GET', '/sessions', undefined, headers, 'tcp');
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=2592000');
    app.clock.advance(20 * day);
    expect(await get('/sessions', headers)).toMatchObject({ status: 200 });
    app.clock.advance(30 * day);
    expect(await get('/sessions', headers)).toMatchObject({ status: 401 });
    expect(app.devices.list()).toEqual([]);
  });
});
