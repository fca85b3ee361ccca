// Pages of others, in a browser that is signed in: none of them reads anything or does anything.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { openBrowser, origin, type Visit, visit } from './browser.ts';

let daemon: TestDaemon;
let browser: Browser;
let id: string;
let visitor: Visit;
let attacker: Server;
/** What the attacker's own server was sent. */
let cookies: string[] = [];
let html = '';

beforeAll(async () => {
  daemon = await startTestDaemon();
  // A name of the attacker's, which he lets point to this machine.
  browser = await openBrowser(['--host-resolver-rules=MAP evil.test 127.0.0.1']);
  id = await startIdle(daemon, 'victim');
  attacker = createServer((request, response) => {
    cookies.push(request.headers.cookie ?? '');
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>evil</title>${html}`);
  });
  await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser?.close();
  attacker?.close();
  await daemon?.dispose();
});
afterEach(() => visitor.close());

const attackerPort = () => (attacker.address() as AddressInfo).port;

/** A tab of the browser that is signed in, at a page of the attacker's. */
async function lure(host: string, content = ''): Promise<Page> {
  visitor = await visit(browser, daemon);
  await visitor.page.locator('.session').first().waitFor();
  html = content;
  cookies = [];
  const page = await visitor.page.context().newPage();
  await page.goto(`http://${host}:${attackerPort()}/`);
  return page;
}

/** In the words of a browser, which this side does not know. */
const asked = (page: Page, script: string) =>
  page.evaluate<string>(`(async () => { ${script} })().catch((error) => 'failed: ' + error.message)`);

async function nothingWasSent(): Promise<void> {
  const { body } = await daemon.call<{ messages: unknown[] }>('GET', `/sessions/${id}/messages`);
  expect(body.messages).toEqual([]);
}

it('a page whose name is made to point here gets nothing, not even the page', async () => {
  visitor = await visit(browser, daemon);
  const page = await visitor.page.context().newPage();
  const answer = await page.goto(`http://evil.test:${daemon.port}/`);
  expect([answer?.status(), await answer?.text()]).toEqual([403, expect.stringContaining('foreign_host')]);
  for (const path of ['/sessions', '/events', '/health', '/openapi.json'])
    expect(await asked(page, `return String((await fetch('${path}')).status)`)).toBe('403');
  const send = `return String((await fetch('/sessions/${id}/input', { method: 'POST', body: '{"text":"x"}',
    headers: { 'content-type': 'application/json' } })).status)`;
  expect(await asked(page, send)).toBe('403');
  await nothingWasSent();
});

it.each([
  ['text/plain', `{"text":"hello`, `"}`],
  ['application/x-www-form-urlencoded', 'text', 'hello'],
  ['multipart/form-data', 'text', 'hello'],
])('a form of another page is refused: %s', async (type, name, value) => {
  const form = `<form method="post" enctype="${type}" action="${origin(daemon)}/sessions/${id}/input">
    <input name='${name}' value='${value}'></form>`;
  for (const host of ['evil.test', '127.0.0.1']) {
    const page = await lure(host, form);
    const answer = page.waitForResponse((each) => each.url().endsWith('/input'));
    await page.evaluate("document.querySelector('form').submit()");
    expect((await answer).status(), host).toBe(403);
    if (host === 'evil.test') await visitor.close();
  }
  await nothingWasSent();
});

it('another page reads nothing of the stream, by whatever means, also one on this very host', async () => {
  for (const host of ['evil.test', '127.0.0.1']) {
    const page = await lure(host);
    const statuses: number[] = [];
    page.on('response', (each) => each.url().includes(`:${daemon.port}/`) && statuses.push(each.status()));
    const url = `${origin(daemon)}/events?views=true`;
    for (const mode of ['cors', 'no-cors'])
      expect(
        await asked(
          page,
          `const answer = await fetch('${url}', { credentials: 'include', mode: '${mode}', headers: { accept: 'text/event-stream' } });
           return answer.type + (await answer.text())`,
        ),
      ).toMatch(/^(failed: |opaque$)/);
    const source = `return new Promise((done) => {
      const source = new EventSource('${url}', { withCredentials: true });
      source.onopen = source.onmessage = () => done('heard');
      source.onerror = () => done('refused');
    })`;
    expect(await asked(page, source)).toBe('refused');
    const socket = `return new Promise((done) => {
      const socket = new WebSocket('ws://127.0.0.1:${daemon.port}/events');
      socket.onopen = () => done('open');
      socket.onerror = () => done('refused');
    })`;
    expect(await asked(page, socket)).toBe('refused');
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    if (host === 'evil.test') await visitor.close();
  }
});

it('another program on this host is sent our cookie, and can do nothing with it', async () => {
  await lure('127.0.0.1');
  const [cookie = ''] = cookies.filter((each) => each !== '');
  expect(cookie).not.toBe('');
  for (const headers of [{ cookie }, { cookie, 'x-sm-page': 'guessed' }]) {
    const answer = await fetch(`${origin(daemon)}/sessions`, { headers });
    expect(answer.status).toBe(401);
  }
});

it('the page is not shown inside of another', async () => {
  const page = await lure('127.0.0.1', `<iframe src="${origin(daemon)}/"></iframe>`);
  await page.waitForLoadState('networkidle');
  const shown = page.frames().map((frame) => frame.url());
  expect(shown).not.toContain(`${origin(daemon)}/`);
});

it('an address that was copied from a signed-in browser lets nobody in', async () => {
  visitor = await visit(browser, daemon);
  await visitor.page.goto(`${origin(daemon)}/#s/${id}/terminal`);
  await visitor.page.locator('.pane .line').first().waitFor();
  const requests: string[] = [];
  visitor.page.on('request', (request) => requests.push(request.url()));
  await visitor.page.reload();
  await visitor.page.locator('.pane .line').first().waitFor();
  const key = await visitor.page.evaluate<string>("localStorage.getItem('sm-key')");
  expect(requests.length).toBeGreaterThan(3);
  expect(requests.filter((url) => url.includes(key) || /token|code|key=/.test(url))).toEqual([]);
  const other = await browser.newContext();
  const page = await other.newPage();
  await page.goto(visitor.page.url());
  await page.getByText('This browser is not signed in').waitFor();
  await other.close();
});
