// Stands beside opencode's server, speaks to it, and ends with it. Each line that it reads is one request; it writes the
// answers, and all that the server tells. So what opencode says is kept while nobody listens.
//
//   bridge PORT FOLDER <requests >>output
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openingOf } from '../../headless/opening.ts';
import { record, text } from '../values.ts';
import { answerOf, idAt, type Request, slimEvent } from './wire.ts';

const [port, folder = '.'] = process.argv.slice(2);
const server = `http://127.0.0.1:${port}`;
const secret = Buffer.from(`opencode:${process.env.OPENCODE_SERVER_PASSWORD}`).toString('base64');
const headers = { authorization: `Basic ${secret}`, 'content-type': 'application/json' };
/** While it starts, it leaves some requests without an answer for ever. */
const startLimit = 1_000;

const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function isUp(): Promise<boolean> {
  const asked = fetch(`${server}/global/health`, { headers, signal: AbortSignal.timeout(startLimit) });
  return asked.then(async (answer) => answer.ok && Boolean(await answer.text())).catch(() => false);
}

/** What the server tells, from now on. */
async function events(): Promise<AsyncIterable<Uint8Array>> {
  while (!(await isUp())) await delay(50);
  for (;;) {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), 5 * startLimit);
    const told = await fetch(`${server}/event`, { headers, signal: late.signal }).catch(() => null);
    clearTimeout(timer);
    if (told?.ok && told.body) return told.body;
    await delay(50);
  }
}

async function listen(stream: AsyncIterable<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const event = slimEvent(frame);
      if (event) write(event);
    }
  }
}

let made = 0;
/** Made in the moment of sending: opencode has its messages in the order of their ids. */
const nextId = () => idAt(Date.now(), made++, randomBytes(4).toString('hex'));

async function carryOut({ method, path, body, isPrompt }: Request): Promise<object> {
  const sent = isPrompt ? { messageID: nextId(), ...body } : body;
  try {
    const answer = await fetch(server + path, {
      ...{ method, headers },
      ...(sent && { body: JSON.stringify(sent) }),
    });
    return answerOf(path, answer.status, await answer.text());
  } catch (error) {
    return { status: 0, body: String((error as Error).cause ?? error) };
  }
}

/** What may be asked again after its asker has died, and is to be done once. */
const once = new Map<string, Promise<object>>();

function ask(request: Request): Promise<object> {
  if (request.once === undefined) return carryOut(request);
  const done = once.get(request.once) ?? carryOut(request);
  once.set(request.once, done);
  return done;
}

/** The terminal, if there is to be one, waits for the first conversation (hooks/opencode.sh). Others are shown to it. */
async function show(conversation: string | null): Promise<void> {
  if (conversation === null) return;
  const pipe = await open(join(folder, 'screen'), constants.O_WRONLY | constants.O_NONBLOCK).catch(
    () => null,
  );
  await pipe?.write(`${conversation}\n`);
  await pipe?.close();
}

function run(line: string): void {
  const request = JSON.parse(line) as Request;
  void ask(request).then((answer) => {
    write({ id: request.id, ...answer });
    if (openingOf(request.id)) void show(text(record(record(answer).body).id));
  });
}

async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin });
  // Nobody can ask any more: opencode has ended.
  lines.on('close', () => process.exit(0));
  lines.pause();
  const stream = await events();
  lines.on('line', run);
  lines.resume();
  await listen(stream).catch(() => undefined);
  process.exit(0);
}

void main();
