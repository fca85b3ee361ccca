// Nothing is lost, nothing comes twice and the order is kept, whoever dies and whatever link is cut. The agent's own record judges.
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually, type Nats, type Node, startNats, startNode, traceOf } from './fleet.ts';

let nats: Nats;
let laptop: Node;
let gpu: Node;
let transcript: string;

beforeEach(async () => {
  nats = await startNats();
  [laptop, gpu] = await Promise.all([startNode('laptop', nats.url), startNode('gpu1', nats.url)]);
  transcript = (await gpu.agent('worker')).transcript_path as string;
  await known();
});

afterEach(async () => {
  await Promise.all([laptop?.dispose(), gpu?.dispose()]);
  await nats?.dispose();
});

/** Both know each other, and what they run. */
const known = () =>
  eventually(
    () => laptop.sm('nodes'),
    ({ stdout }) => /gpu1 +here +1/.test(stdout),
  );

async function send(text: string, more: object = {}): Promise<string> {
  const { body } = await laptop.call('POST', '/sessions/worker@gpu1/input', { text, ...more });
  expect(body).toHaveProperty('message_id');
  return body.message_id as string;
}

/** The ids of the messages that the agent was given, in its own order. */
function given(): string[] {
  if (!existsSync(transcript)) return [];
  // The last line may be half written.
  const lines = readFileSync(transcript, 'utf8').split('\n').slice(0, -1);
  const prompts = lines.map((line) => JSON.parse(line)).filter(({ type }) => type === 'user');
  return prompts.flatMap(({ message }) =>
    [...JSON.stringify(message?.content ?? '').matchAll(/\[sm\] from [^#]*#([a-z0-9]{8}):/g)].map(
      (hit) => hit[1] as string,
    ),
  );
}

const answered = (id: string) =>
  eventually(
    () => traceOf(laptop, id),
    ({ message }) => message.state === 'answered',
  );

describe('a daemon is killed', () => {
  test.each(['fleet:publish:before', 'fleet:publish:after'])('the sender, at %s', async (point) => {
    await laptop.stop();
    await laptop.start({ SM_CRASH_AT: point });
    await known();
    const sending = laptop.call('POST', '/sessions/worker@gpu1/input', { text: 'one' }).catch(() => null);
    await laptop.death();
    await sending;
    await laptop.start();
    await eventually(
      async () => given(),
      (ids) => ids.length > 0,
    );
    const [id] = given() as [string];
    await answered(id);
    const next = await send('two');
    await answered(next);
    expect(given()).toEqual([id, next]);
  });

  test.each(['fleet:take:before', 'fleet:take:after'])('the receiver, at %s', async (point) => {
    await gpu.stop();
    await gpu.start({ SM_CRASH_AT: point });
    await known();
    const first = await send('one');
    await gpu.death();
    const second = await send('two');
    await gpu.start();
    await answered(first);
    await answered(second);
    expect(given()).toEqual([first, second]);
  });

  test.each(['fleet:publish:before', 'fleet:publish:after'])(
    'the receiver, when it tells what became of it: %s',
    async (point) => {
      await gpu.stop();
      await gpu.start({ SM_CRASH_AT: point });
      await known();
      const id = await send('one');
      await gpu.death();
      await gpu.start();
      const { events } = await answered(id);
      expect(events.map(({ state }) => state)).toEqual(['queued', 'typed', 'accepted', 'answered']);
      expect(given()).toEqual([id]);
    },
  );
});

describe('the NATS server is killed', () => {
  test('mail waits where it was sent from, and goes in order when the server is back', async () => {
    await nats.kill();
    await eventually(
      () => laptop.sm('nodes'),
      ({ stderr }) => stderr.includes('cannot be reached'),
    );
    const ids = [await send('one'), await send('two'), await send('three')];
    const { message } = await traceOf(laptop, ids[0] as string);
    expect(message).toMatchObject({ state: 'queued', why: expect.stringContaining('the fleet is away') });
    expect((await gpu.sm('send', 'worker', 'local work goes on')).code).toBe(0);
    const [local] = await eventually(
      async () => given(),
      (all) => all.length > 0,
    );
    await nats.start();
    for (const id of ids) await answered(id);
    expect(given()).toEqual([local, ...ids]);
  });

  test('a message that the server had is not lost with it', async () => {
    await gpu.stop();
    const id = await send('one');
    await eventually(
      () => traceOf(laptop, id),
      ({ way }) => way?.left_at !== null,
    );
    await nats.kill();
    await nats.start();
    await gpu.start();
    await answered(id);
    expect(given()).toEqual([id]);
  });
});

describe('a node is away', () => {
  test('it is shown so within twelve seconds, with its sessions, and here again when it is back', async () => {
    await gpu.stop();
    const began = Date.now();
    const { stdout } = await eventually(
      () => laptop.sm('nodes'),
      (each) => /gpu1 +away since/.test(each.stdout),
    );
    expect(stdout).toMatch(/gpu1 +away since \d+s ago +1/);
    expect(Date.now() - began).toBeLessThan(12_500);
    expect((await laptop.sm('all')).stdout).toMatch(/worker +\w+@gpu1 +gpu1 +away/);
    await laptop.agent('boss');
    const asked = await laptop.call('POST', '/sessions/worker@gpu1/input', {
      text: 'tell me',
      sender_session_id: 'boss',
    });
    expect(asked.body).toMatchObject({ state: 'queued', why: 'node gpu1 is away' });
    const waits = await laptop.sm('send', 'worker@gpu1', 'later');
    expect(waits.stdout).toContain('node gpu1 is away');
    const expires = await send('never', { timeout_seconds: 1 });
    const { message } = await eventually(
      () => traceOf(laptop, expires),
      (trace) => trace.message.state === 'expired',
    );
    expect(message.why).toBe('node gpu1 did not have it in time');
    await gpu.start();
    await known();
    await eventually(
      async () => given(),
      (ids) => ids.length === 2,
    );
    expect(given()).not.toContain(expires);
  });
});
