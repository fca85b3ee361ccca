// The page by TLS of the daemon's own, and behind a proxy that does TLS.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { openBrowser } from './browser.ts';

let folder: string;
let browser: Browser;
const tls = () => ({ cert: join(folder, 'crt'), key: join(folder, 'key') });
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sm-tls-'));
  const names = 'subjectAltName=DNS:sm.test,IP:127.0.0.1';
  const { cert, key } = tls();
  const args = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sm.test', '-addext', names];
  execFileSync('openssl', ['req', '-x509', ...args, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  browser = await openBrowser(['--host-resolver-rules=MAP sm.test 127.0.0.1']);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Signs in at this address, sees a change as it happens, and tells the cookie. */
async function lookAt(daemon: TestDaemon, address: string) {
  const id = await startIdle(daemon, 'far');
  const { body } = await daemon.call<{ code: string }>('POST', '/devices/codes');
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`${address}/#code=${body.code}`);
  await page.locator('.session', { hasText: 'far' }).waitFor();
  await daemon.call('PUT', `/sessions/${id}/task`, { task: 'seen from afar' });
  await page.getByText('seen from afar').waitFor();
  const [cookie] = await context.cookies();
  await context.close();
  return cookie;
}

it('TLS of its own: the cookie is for secure connections only, and without TLS nobody is answered', async () => {
  const daemon = await startTestDaemon({ config: { server: { port: 0, tls: tls() } } });
  try {
    const { stdout } = await daemon.sm('open', '--print');
    expect(stdout).toMatch(/^https:\/\//);
    const cookie = await lookAt(daemon, `https://127.0.0.1:${daemon.port}`);
    expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Strict' });
    await expect(fetch(`http://127.0.0.1:${daemon.port}/`)).rejects.toThrow();
  } finally {
    await daemon.dispose();
  }
});

it('behind a proxy: live, by the name that it has outside', async () => {
  let port = 0;
  const files = { cert: readFileSync(tls().cert), key: readFileSync(tls().key) };
  const proxy: Server = createServer(files, (asked, answer) => {
    const { method, url: path, headers } = asked;
    const forwarded = { ...headers, 'x-forwarded-for': asked.socket.remoteAddress };
    const passed = request({ host: '127.0.0.1', port, method, path, headers: forwarded }, (back) => {
      answer.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const outside = `https://sm.test:${(proxy.address() as AddressInfo).port}`;
  const daemon = await startTestDaemon({ config: { server: { port: 0, url: outside, behind_proxy: true } } });
  try {
    port = daemon.port;
    const { body } = await daemon.call<{ url: string }>('POST', '/devices/codes');
    expect(body.url.startsWith(`${outside}/#code=`)).toBe(true);
    expect(await lookAt(daemon, outside)).toMatchObject({ secure: true, sameSite: 'Strict' });
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await daemon.dispose();
  }
});
