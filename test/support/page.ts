// For tests: what a browser that is signed in asks of a daemon, without a browser.
import { request } from 'node:http';
import type { Answer, TestDaemon } from './daemon.ts';

export interface SignedInPage {
  readonly id: string;
  call<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
}

export async function signIn(daemon: TestDaemon, name = 'Firefox on Linux'): Promise<SignedInPage> {
  const { body: code } = await daemon.call<{ code: string }>('POST', '/devices/codes');
  const origin = `http://127.0.0.1:${daemon.port}`;
  const first = await ask(origin, 'POST', '/devices', { code: code.code, name }, { origin });
  const { key, device } = JSON.parse(first.text) as { key: string; device: { id: string } };
  const headers = { origin, cookie: first.cookie, 'x-sm-page': key };
  return {
    id: device.id,
    async call<T>(method: string, path: string, body?: unknown) {
      const { status, text } = await ask(origin, method, path, body, headers);
      return { status, body: JSON.parse(text) as T };
    },
  };
}

function ask(origin: string, method: string, path: string, body: unknown, headers: Record<string, string>) {
  return new Promise<{ status: number; text: string; cookie: string }>((resolve, reject) => {
    const sent = body === undefined ? '' : JSON.stringify(body);
    const length = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent)) };
    const asking = request(
      `${origin}${path}`,
      { method, headers: { ...headers, ...length } },
      async (answer) => {
        let text = '';
        for await (const chunk of answer.setEncoding('utf8')) text += chunk;
        const [cookie = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';');
        resolve({ status: answer.statusCode ?? 0, text, cookie });
      },
    );
    asking.on('error', reject);
    asking.end(sent);
  });
}
