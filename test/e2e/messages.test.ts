// Messages between sessions, and what their senders hear, on the scripted agent in real tmux.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventView } from '../../src/protocol/event.ts';
import type { MessageView } from '../../src/protocol/message.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf as prompts, sendText, startIdle, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const start = (name: string) => startIdle(daemon, name);
const send = (to: string, text: string, more: object = {}) => sendText(daemon, to, text, more);
const promptsOf = (id: string) => prompts(daemon, id);

describe('a message to an idle session', () => {
  it('is accepted on evidence, and the answer says so', async () => {
    const id = await start('idle-one');
    const answer = await send(id, 'hello [[say hi]]');
    expect(answer).toMatchObject({
      status: 'delivered',
      session_id: id,
      delivery_mode: 'sequential',
      evidence: { source: 'hook' },
    });
    await daemon.until(id, is('turn ended'));
    expect(await promptsOf(id)).toEqual([`[sm] from the user #${answer.message_id}:\nhello [[say hi]]`]);
  });

  it.each([
    'ends with ;',
    'Enter',
    'C-c',
    '-leading',
    '/clear',
    '!ls',
    '#memory',
    'a "quoted" \'text\' with $HOME and `id` \\ and \\n',
    'ünï 你好 🎉 e\u0301',
    Array.from({ length: 10_000 }, (_, i) => `line ${i}`).join('\n'),
  ])('arrives byte for byte: %#', async (text) => {
    const id = await start(`text-${Math.random().toString(16).slice(2, 10)}`);
    const answer = await send(id, text);
    await daemon.until(id, is('turn ended'));
    expect(await promptsOf(id)).toEqual([`[sm] from the user #${answer.message_id}:\n${text}`]);
    await daemon.call('DELETE', `/sessions/${id}`);
  });

  it('whose text cannot be typed is shown readably, with its exact bytes in a file', async () => {
    const id = await start('odd-text');
    const text = 'a\tb\r\nNUL \0 ESC \u001b[31m';
    const answer = await send(id, text);
    await daemon.until(id, is('turn ended'));
    const [prompt] = (await promptsOf(id)) as [string];
    expect(prompt).toContain('a    b\nNUL ␀ ESC ␛[31m');
    const file = prompt.match(/exact text is in (\S+)$/)?.[1] as string;
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(answer.status).toBe('delivered');
  });

  it('of a megabyte arrives', async () => {
    const id = await start('large');
    const text = 'x'.repeat(1_048_576);
    await send(id, text);
    await daemon.until(id, is('turn ended'));
    expect((await promptsOf(id))[0]?.length).toBeGreaterThan(1_048_576);
  });
});

describe('an agent with a fault', () => {
  const withFault = (fault: string) => ({
    env: { PATH: process.env.PATH, HOME: daemon.home, SCRIPTED_FAULTS: fault },
  });

  it.each([
    'lose-enter:1',
    'no-hook:UserPromptSubmit',
    'double-hook:Stop',
    'late-hook:UserPromptSubmit:300',
    'no-stop',
  ])('%s: takes the prompt exactly once, and its turn ends', async (fault) => {
    const id = await startWith(daemon, 'hello [[say heard]]', withFault(fault));
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'heard' });
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect(await promptsOf(id)).toHaveLength(1);
    expect((await daemon.events(id)).filter(is('message answered'))).toHaveLength(1);
  });

  it('on a machine without curl works through the spool', async () => {
    const bin = join(daemon.work, 'bin-without-curl');
    mkdirSync(bin);
    for (const program of ['sh', 'bash', 'cat', 'date', 'mkdir', 'mv', 'env', 'sleep', 'printf']) {
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${program} || echo /bin/${program}`], {
          encoding: 'utf8',
        }).trim(),
        join(bin, program),
      );
    }
    const id = await startWith(daemon, 'hello [[bash command -v curl || echo none]] [[say heard]]', {
      env: { PATH: bin, HOME: daemon.home },
    });
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'heard' });
    expect(await daemon.untilSession(id, ({ phase }) => phase === 'idle')).toMatchObject({
      phase: 'idle',
    });
  });
});

describe('a message to a working session', () => {
  it('waits for the end of the turn, together with others, in order', async () => {
    const id = await start('busy');
    await send(id, 'work [[bash while [ ! -e go-busy ] && kill -0 $PPID; do sleep 0.02; done]]');
    const first = await send(id, 'second');
    const second = await send(id, 'third');
    expect(first).toMatchObject({
      status: 'queued',
      state: 'queued',
      queue_position: 1,
      waits_for: 'working',
    });
    expect(second).toMatchObject({ queue_position: 2 });
    const { body: queue } = await daemon.call<{ pending_messages: MessageView[] }>(
      'GET',
      `/sessions/${id}/send-queue`,
    );
    expect(queue.pending_messages.map(({ text }) => text)).toEqual(['second', 'third']);
    await daemon.tmux('run-shell', `touch ${daemon.work}/go-busy`);
    await daemon.until(id, is('message answered', { message: second.message_id }));
    const prompts = await promptsOf(id);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toBe(
      `[sm] from the user #${first.message_id}:\nsecond\n\n[sm] from the user #${second.message_id}:\nthird`,
    );
  });

  it('is withdrawn, or runs out of time, and never arrives', async () => {
    const id = await start('patient');
    await send(id, 'work [[bash while [ ! -e go-patient ] && kill -0 $PPID; do sleep 0.02; done]]');
    const withdrawn = await send(id, 'taken back');
    const expiring = await send(id, 'too late', { timeout_seconds: 0.2 });
    expect((await daemon.call('POST', `/messages/${withdrawn.message_id}/withdraw`)).body).toMatchObject({
      state: 'withdrawn',
    });
    await daemon.until(id, is('message expired', { message: expiring.message_id }));
    await daemon.tmux('run-shell', `touch ${daemon.work}/go-patient`);
    await daemon.until(id, is('turn ended'));
    expect(await promptsOf(id)).toHaveLength(1);
    expect(await daemon.call('POST', `/messages/${withdrawn.message_id}/withdraw`)).toMatchObject({
      status: 409,
      body: { detail: `Message #${withdrawn.message_id} was already withdrawn.` },
    });
  });
});

describe('a key', () => {
  it('is pressed in the terminal, and an unknown one is refused', async () => {
    const id = await start('keys');
    await send(id, 'work [[sleep 60]]');
    await daemon.until(id, is('turn began'));
    const { status, body } = await daemon.call('POST', `/sessions/${id}/key`, { key: 'Escape' });
    expect([status, body]).toEqual([200, { status: 'pressed', session_id: id, key: 'Escape' }]);
    await daemon.until(id, is('turn ended', { end: 'interrupted' }));
    expect((await daemon.call('POST', `/sessions/${id}/key`, { key: 'F13' })).status).toBe(400);
    const stranger = await start('keys-stranger');
    const asked = { key: 'Enter', requester_session_id: stranger };
    expect((await daemon.call('POST', `/sessions/${id}/key`, asked)).status).toBe(403);
  });
});

describe('the sender', () => {
  it('hears when the turn that took its message has ended, with the last words', async () => {
    const [boss, hand] = [await start('boss-1'), await start('hand-1')];
    await send(hand, 'do it [[say all is done]]', { sender_session_id: boss });
    await daemon.until(boss, is('turn ended'));
    expect(await promptsOf(boss)).toEqual(['[sm] hand-1 stopped:\nall is done']);
    expect((await promptsOf(hand))[0]).toMatch(/^\[sm\] from boss-1 \([0-9a-f]{8}\) #[0-9a-f]{8}:\ndo it/);
  });

  it('of each of two messages hears, not only the last one', async () => {
    const [one, two, hand] = [await start('one-2'), await start('two-2'), await start('hand-2')];
    await send(
      hand,
      'wait [[bash while [ ! -e go-2 ] && kill -0 $PPID; do sleep 0.02; done]] [[say for one]]',
      {
        sender_session_id: one,
      },
    );
    await send(hand, 'next [[say for two]]', { sender_session_id: two });
    await daemon.tmux('run-shell', `touch ${daemon.work}/go-2`);
    await Promise.all([daemon.until(one, is('turn ended')), daemon.until(two, is('turn ended'))]);
    expect(await promptsOf(one)).toEqual(['[sm] hand-2 stopped:\nfor one']);
    expect(await promptsOf(two)).toEqual(['[sm] hand-2 stopped:\nfor two']);
  });

  it('hears of a failure, and of an exit', async () => {
    const [boss, hand] = [await start('boss-3'), await start('hand-3')];
    await send(hand, '[[fail no credit]]', { sender_session_id: boss });
    await daemon.until(boss, is('turn ended'));
    await send(hand, '[[exit 3]]', { sender_session_id: boss });
    await daemon.until(boss, (event) => is('turn ended')(event) && seen(boss, event) === 2);
    const prompts = await promptsOf(boss);
    expect(prompts[0]).toMatch(/^\[sm\] hand-3 failed:\n.*no credit/);
    expect(prompts[1]).toMatch(/^\[sm\] hand-3 \([0-9a-f]{8}\) died before it was done: exit code 3\.$/);
    expect(prompts).toHaveLength(2);
  });

  it('gets a short notice when the agent itself wrote to it in that turn', async () => {
    const [boss, hand] = [await start('boss-4'), await start('hand-4')];
    await send(hand, 'tell me [[bash sm send boss-4 "here is the answer"]] [[say told]]', {
      sender_session_id: boss,
    });
    await daemon.until(boss, (event) => is('turn ended')(event) && seen(boss, event) === 2);
    const prompts = (await promptsOf(boss)).join('\n---\n');
    expect(prompts).toContain('here is the answer');
    expect(prompts).toMatch(/\[sm\] hand-4 \([0-9a-f]{8}\) stopped\. It wrote to you in this turn\./);
    expect(prompts).not.toContain('stopped:\ntold');
  });

  it('that is the session itself hears nothing', async () => {
    const id = await start('selfish');
    await send(id, 'note to self [[say ok]]', { sender_session_id: id });
    await daemon.until(id, is('turn ended'));
    expect((await daemon.events(id)).filter(is('notice-posted'))).toEqual([]);
  });
});

describe('one message', () => {
  it('can be followed through its whole life', async () => {
    const id = await start('traced');
    const { message_id } = await send(id, 'trace me [[say traced]]');
    await daemon.until(id, is('message answered'));
    const { body } = await daemon.call<{ message: MessageView; events: EventView[] }>(
      'GET',
      `/messages/${message_id}`,
    );
    expect(body.message).toMatchObject({ state: 'answered', text: 'trace me [[say traced]]' });
    const states = body.events.map(({ state }) => state).filter((state) => state !== 'held');
    expect(states).toEqual(['queued', 'typed', 'accepted', 'answered']);
  });

  it.each([
    ['', 400],
    [' \n', 400],
    ['x'.repeat(1_048_577), 400],
  ])('is refused: %#', async (text, status) => {
    const id = await start(`refusing-${Math.random().toString(16).slice(2, 10)}`);
    expect(await daemon.call('POST', `/sessions/${id}/input`, { text })).toMatchObject({ status });
    await daemon.call('DELETE', `/sessions/${id}`);
  });

  it('to nobody, from nobody, or in no known mode is refused', async () => {
    expect(await daemon.call('POST', '/sessions/nobody/input', { text: 'x' })).toMatchObject({ status: 404 });
    const id = await start('refusing-2');
    expect(
      await daemon.call('POST', `/sessions/${id}/input`, { text: 'x', sender_session_id: 'nobody' }),
    ).toMatchObject({ status: 404 });
    expect(
      await daemon.call('POST', `/sessions/${id}/input`, { text: 'x', delivery_mode: 'loud' }),
    ).toMatchObject({ status: 400 });
  });
});

/** How many of a kind a session has seen, this one included. */
const counts = new Map<string, Set<number>>();
function seen(id: string, event: EventView): number {
  const key = `${id} ${event.type}`;
  const numbers = counts.get(key) ?? new Set();
  counts.set(key, numbers.add(event.number));
  return numbers.size;
}
