// For tests: the HTTP interface on an engine in virtual time, without a socket, a terminal or an agent.

import { createBroken } from '../../src/notify/broken.ts';
import type { Device } from '../../src/ports/devices.ts';
import { silentLog } from '../../src/ports/log.ts';
import { createApp } from '../../src/server/app.ts';
import { callerKeys } from '../../src/server/caller-keys.ts';
import { createCodes } from '../../src/server/codes.ts';
import { createDevices } from '../../src/server/devices.ts';
import { openPage } from '../../src/server/page.ts';
import type { Service } from '../../src/server/service.ts';
import { siteOf } from '../../src/server/site.ts';
import { createStream } from '../../src/server/stream.ts';
import { sessionViews } from '../../src/server/view.ts';
import { createViewTexts } from '../../src/server/view-texts.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { testEngine } from './engine.ts';

export interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** `url`: how other devices reach the page. */
export async function testApp({ url = null }: { url?: string | null } = {}) {
  const store = openSqliteStore(':memory:');
  const engine = testEngine(store);
  engine.resume();
  let ids = 0;
  const random = {
    uuid: () => `uuid-${++ids}`,
    hex: (length: number) => String(++ids).padStart(length, '0'),
  };
  const remind = { soft: 180, hardGap: 120, dispatch: null };
  const provider = () => undefined;
  const clock = engine.clock;
  const viewTexts = createViewTexts(engine, sessionViews(provider));
  /** Names of channels that do not work. */
  let problems: readonly string[] = [];
  const broken = createBroken(async () =>
    problems.map((name) => ({ name, kind: 'ntfy', problem: 'it is away', lastSentAt: null })),
  );
  const stream = createStream({ engine, store, clock, log: silentLog, texts: viewTexts, broken });
  const codes = createCodes(clock, random);
  const page = openPage('/nowhere');
  const service = {
    engine,
    store,
    stream,
    viewTexts,
    fleet: () => null,
    allows: () => false,
    clock,
    random,
    remind,
    provider,
    codes,
    page,
    port: () => 8420,
    defaultEnv: {},
  };
  const keys = callerKeys('secret');
  let stored: readonly Device[] = [];
  const file = { read: () => stored, write: (devices: readonly Device[]) => void (stored = devices) };
  const devices = createDevices({ clock, random, file, cookieName: 'sm_test' });
  const site = siteOf({ url, tls: false });
  const guard = { auth: 'token', token: 'the-token', openHooks: false, keys, devices, site } as const;
  const app = createApp(service as unknown as Service, guard, silentLog);

  async function request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    via: 'unix' | 'tcp' = 'unix',
    from = '127.0.0.1',
  ): Promise<Response> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const bytes = body === undefined ? null : Buffer.from(isRaw ? body : JSON.stringify(body));
    const type = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    const init = { method, headers: { host: 'localhost', ...type, ...headers } };
    return app.request(path, bytes?.length ? { ...init, body: bytes } : init, { via, from });
  }

  return {
    engine,
    devices,
    clock,
    keys,
    stream,
    /** From now on these channels do not work. */
    breakChannels(...names: readonly string[]) {
      problems = names;
      return broken.look();
    },
    /** The answer as it comes. */
    open: (path: string, headers: Record<string, string> = {}) =>
      app.request(
        path,
        { headers: { host: 'localhost', accept: 'text/event-stream', ...headers } },
        { via: 'unix' },
      ),
    close: () => store.close(),
    /** A body that is no text or bytes goes as JSON. */
    async call(...given: Parameters<typeof request>): Promise<Reply> {
      const answer = await request(...given);
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    },
    request,
  };
}
