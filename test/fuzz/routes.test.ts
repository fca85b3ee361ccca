// Every request that the daemon answers, and much that is none: no answer of ours is a failure, the daemon lives on with the
// memory and the files that it had, and says afterwards what it said before.
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Route, routes } from '../../src/protocol/routes.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { startIdle } from '../support/talk.ts';
import { type Dice, eachInput, inputs } from './dice.ts';
import { changed, hostileJson, hostileText, type Json, mangled } from './hostile.ts';
import { type Draw, drawing } from './shapes.ts';

let daemon: TestDaemon;
let ids: string[] = [];
let again = 0;

beforeAll(async () => {
  // Whatever is started by chance does nothing.
  const nothing = { command: '/bin/true' };
  daemon = await startTestDaemon({
    config: { claude: nothing, codex: nothing, claude_app: nothing, codex_app: nothing },
  });
  ids = await Promise.all(['first', 'second', 'third'].map((name) => startIdle(daemon, name)));
});
afterAll(() => daemon?.dispose());

/** What these do takes long, or makes more of what there is. */
const costly =
  /^POST \/(sessions|sessions\/spawn|teams.*|conversations.*|reviews|worktrees.*)$|restore|fork|takeover|\/kill|^DELETE \/sessions\/\{ref\}$/;
const known = [
  'worker',
  'first',
  'second',
  'third',
  'scripted',
  'claude',
  'tag:x',
  '*',
  '/tmp',
  'aaaaaaaa',
  '1h',
  'main',
];
const words = (d: Dice): string => (d.once(2) ? d.pick(ids) : d.pick(known));

interface Asked {
  readonly name: string;
  readonly query: Draw | null;
  readonly body: Draw | null;
}

const all: readonly Asked[] = Object.entries(routes as Record<string, Route>).map(
  ([name, { query, body }]) => ({
    name,
    query: query ? drawing(query, words) : null,
    body: body ? drawing(body, words) : null,
  }),
);
/** Those that were done at least once. */
const done = new Set<string>();
const cheap = all.filter(({ name }) => !costly.test(name));

it(`${inputs} requests`, async () => {
  const before = await state();
  await eachInput(inputs, ask, 8);
  await expect.poll(state, { timeout: 30_000 }).toEqual(before);
  await replenish();
  const never = all.map(({ name }) => name).filter((name) => !done.has(name));
  console.info(`done: ${done.size} of ${all.length} routes; only refused: ${never.join(', ')}`);
  // It is worth something only if much comes past the checks.
  if (inputs >= 10_000) expect(done.size).toBeGreaterThan(all.length / 2);
  const failures = readFileSync(join(daemon.home, 'logs/daemon.log'), 'utf8')
    .split('\n')
    .filter((line) => /"level":(50|60)/.test(line));
  expect(failures).toEqual([]);
});

/** What must not grow. */
async function state(): Promise<object> {
  const sockets = readdirSync(`/proc/${daemon.pid}/fd`).length;
  return {
    pid: daemon.pid,
    files: sockets < 64 ? 'few' : sockets,
    memory: memoryMb() < 400 ? 'little' : memoryMb(),
  };
}
const memoryMb = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Some are killed on the way. */
async function replenish(): Promise<void> {
  const { body } = await daemon.call<{ sessions: { id: string; status: string }[] }>('GET', '/sessions');
  const alive = new Set(body.sessions.filter(({ status }) => status !== 'stopped').map(({ id }) => id));
  ids = await Promise.all(ids.map((id) => (alive.has(id) ? id : startIdle(daemon, `again-${++again}`))));
}

async function ask(d: Dice, number: number): Promise<void> {
  if (number % 1_000 === 999) await replenish();
  if (d.once(200)) return raw(d);
  const { name, query, body } = d.once(40) ? d.pick(all) : d.pick(cheap);
  const [method = '', template = ''] = name.split(' ');
  const filled = template.replaceAll(/\{\w+\}/g, () => encoded(d.once(6) ? hostileText(d) : words(d)));
  const path = filled + (query ? queryOf(query(d)) : '');
  let value = body && !d.once(20) ? body(d) : null;
  if (value !== null && d.once(2)) value = changed(d, value);
  let text = value === null ? (d.once(20) ? JSON.stringify(hostileJson(d)) : '') : JSON.stringify(value);
  if (d.once(10)) text = mangled(d, text);
  const isStream = d.once(30);
  const status = await send(d.once(60) ? 'OPTIONS' : method, path, text, isStream);
  if (status === 200) done.add(name);
  if (status >= 500) throw new Error(`${name} answered ${status} to ${path} ${text.slice(0, 2_000)}`);
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

function queryOf(value: Json): string {
  const entries = Object.entries(value as Record<string, Json>);
  return entries.length === 0
    ? ''
    : `?${entries.map(([key, part]) => `${encoded(key)}=${encoded(typeof part === 'string' ? part : JSON.stringify(part))}`).join('&')}`;
}

function send(method: string, path: string, text: string, isStream: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(text !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...(isStream && { accept: 'text/event-stream' }),
    };
    const asked = request({
      socketPath: join(daemon.home, 'sm.sock'),
      method,
      path,
      headers,
      timeout: 150_000,
    });
    asked.on('timeout', () =>
      asked.destroy(new Error(`${method} ${path} was not answered: ${text.slice(0, 500)}`)),
    );
    asked.on('error', reject);
    asked.on('response', (answer: IncomingMessage) => {
      answer.on('error', () => {});
      answer.resume();
      const status = answer.statusCode ?? 0;
      // A stream has no end of its own.
      if (/event-stream/.test(answer.headers['content-type'] ?? '')) {
        asked.destroy();
        resolve(status);
      } else answer.on('end', () => resolve(status));
    });
    asked.end(text);
  });
}

/** Bytes that are no request, or one that is never finished. */
function raw(d: Dice): Promise<void> {
  const head =
    'POST /sessions/first/input HTTP/1.1\r\nhost: localhost\r\ncontent-length: 14\r\n\r\n{"text":"hi"}\n';
  return new Promise((resolve) => {
    const socket = connect(join(daemon.home, 'sm.sock'));
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.on('data', () => socket.end());
    socket.write(Buffer.from(mangled(d, mangled(d, head)), 'latin1'), () => {
      if (d.once(2)) socket.end();
      else socket.destroy();
    });
  });
}
