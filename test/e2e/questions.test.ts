// Questions answered from afar, in the pane, by both and by nobody, on the scripted agent in real tmux.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventName } from '../../src/protocol/event-name.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, startWith, toolResultsOf } from '../support/talk.ts';

let daemon: TestDaemon;
let own: TestDaemon | undefined;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
afterEach(async () => {
  await own?.dispose();
  own = undefined;
});

/** A session that asks whether it may append a line to the file of that name. */
async function asking(on: TestDaemon, name: string, more: object = {}): Promise<string> {
  const id = await startWith(on, `[[ask echo ran >> ${name}]] [[say went on]]`, { name, ...more });
  await on.until(id, is('question asked', { kind: 'permission' }));
  return id;
}

const answer = (on: TestDaemon, id: string, body: object) => on.call('POST', `/sessions/${id}/answer`, body);
const ran = (on: TestDaemon, name: string) =>
  existsSync(join(on.work, name)) ? readFileSync(join(on.work, name), 'utf8') : '';
const press = (on: TestDaemon, id: string, key: string) => on.tmux('send-keys', '-t', `=sm-${id}:`, key);
const screen = (on: TestDaemon, id: string) => on.tmux('capture-pane', '-p', '-t', `=sm-${id}:`);
const namesOf = async (on: TestDaemon, id: string, ...names: string[]) =>
  (await on.events(id)).map(eventName).filter((name) => names.includes(name));

/** Until as many hooks wait for an answer as that: they are processes of the agent's, which tell nobody. */
async function untilWaiting(on: TestDaemon, count: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  const waiting = () =>
    execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
      .split('\n')
      .filter((args) => args.includes(`${on.home}/sm.sock`) && args.includes('/hooks/answer')).length;
  while (waiting() !== count) {
    if (Date.now() > deadline) throw new Error(`${waiting()} hooks wait, and not ${count}`);
    await pause(20);
  }
}

describe('an answer', () => {
  it('allows: the tool runs, no key is typed, and the record says who allowed it', async () => {
    const id = await asking(daemon, 'allowed');
    expect(await answer(daemon, id, { decision: 'allow' })).toMatchObject({
      status: 200,
      body: { status: 'answered', session_id: id, question: 'Bash: echo ran >> allowed' },
    });
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(ran(daemon, 'allowed')).toBe('ran\n');
    const events = await daemon.events(id);
    expect(events.find(is('question answered'))).toMatchObject({ by: { kind: 'person' }, decision: 'allow' });
    expect(await namesOf(daemon, id, 'question asked', 'question answered', 'question closed')).toEqual([
      'question asked',
      'question answered',
      'question closed',
    ]);
    await untilWaiting(daemon, 0);
  });

  it('denies: its text reaches the model, and the turn goes on', async () => {
    const id = await asking(daemon, 'denied');
    const text = 'not here; "use" $HOME/other\nand say so';
    expect(await answer(daemon, id, { decision: 'deny', text })).toMatchObject({ status: 200 });
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(ran(daemon, 'denied')).toBe('');
    expect(await toolResultsOf(daemon, id)).toEqual([text]);
  });

  it('comes from the command line, too', async () => {
    const id = await asking(daemon, 'by-hand');
    expect(await daemon.sm('answer', 'by-hand', 'allow')).toMatchObject({
      code: 0,
      stdout: `Answered by-hand (${id}): allow, to: Bash: echo ran >> by-hand\n`,
    });
    await daemon.until(id, is('turn ended'));
  });

  it('is taken once: of two at the same time, one hears what the other said', async () => {
    const id = await asking(daemon, 'twice');
    const both = await Promise.all([
      answer(daemon, id, { decision: 'allow' }),
      answer(daemon, id, { decision: 'deny' }),
    ]);
    expect(both.map(({ status }) => status)).toEqual([200, 409]);
    expect(both[1]?.body.detail).toMatch(/^The question is already answered: allow, by the user\./);
    await daemon.until(id, is('turn ended'));
    expect(ran(daemon, 'twice')).toBe('ran\n');
    expect((await answer(daemon, id, { decision: 'deny' })).body.detail).toMatch(
      /Its last question was answered: allow/,
    );
  });

  it('that comes after a human has answered in the pane is refused, and no hook is left behind', async () => {
    const id = await asking(daemon, 'human-first');
    await untilWaiting(daemon, 1);
    await press(daemon, id, '1');
    await daemon.until(id, is('turn ended'));
    await untilWaiting(daemon, 0);
    expect(await answer(daemon, id, { decision: 'deny' })).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringMatching(
          /has no open question\. Its last question was answered in its terminal/,
        ),
      },
    });
    expect(ran(daemon, 'human-first')).toBe('ran\n');
  });

  it('is refused when the human said no in the pane', async () => {
    const id = await asking(daemon, 'human-no');
    await press(daemon, id, 'Escape');
    await daemon.until(id, is('turn ended', { end: 'interrupted' }));
    await untilWaiting(daemon, 0);
    expect(await answer(daemon, id, { decision: 'allow' })).toMatchObject({ status: 409 });
    expect(ran(daemon, 'human-no')).toBe('');
  });

  it('to a dialog that no hook waits with is refused, and says where to answer', async () => {
    const env = { PATH: process.env.PATH ?? '', HOME: daemon.work, SCRIPTED_FAULTS: 'trust-dialog' };
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
      env,
    });
    await daemon.until(body.id, is('question asked', { kind: 'dialog' }));
    expect(await answer(daemon, body.id, { decision: 'allow' })).toMatchObject({
      status: 409,
      body: { data: { is: 'no-waiting-hook', session: { id: body.id } } },
    });
  });

  it.each([
    [{ decision: 'maybe' }, 400],
    [{ decision: 'allow', text: 'and hurry' }, 400],
    [{}, 400],
    [{ decision: 'allow' }, 409],
  ])('that makes no sense is refused: %j', async (body, status) => {
    const { body: session } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
    });
    expect(await answer(daemon, session.id, body)).toMatchObject({ status });
  });

  it('cannot be taken away by whoever knocks at the TCP door', async () => {
    const token = readFileSync(join(daemon.home, 'token'), 'utf8').trim();
    const knock = async (headers: Record<string, string>) =>
      (await fetch(`http://127.0.0.1:${daemon.port}/hooks/answer`, { headers })).status;
    expect(await knock({})).toBe(401);
    expect(await knock({ authorization: `Bearer ${token}` })).toBe(405);
  });
});

describe('who may answer', () => {
  it('is only a person, unless the configuration lets parents', async () => {
    const parent = await startIdle(daemon, 'careful-parent');
    const child = await asking(daemon, 'careful-child', { parent_session_id: parent });
    const by = { decision: 'allow', requester_session_id: parent };
    expect(await answer(daemon, child, by)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('Only a person may answer') },
    });
    expect((await daemon.session(child)).phase).toBe('blocked');
    expect(await answer(daemon, child, { decision: 'deny' })).toMatchObject({ status: 200 });
  });

  it('is also a parent where that is configured, and nobody else', async () => {
    own = await startTestDaemon({ config: { questions: { parents_may_answer: true } } });
    const [parent, stranger] = [await startIdle(own, 'parent'), await startIdle(own, 'stranger')];
    const child = await asking(own, 'child', { parent_session_id: parent });
    const by = (requester: string) => ({ decision: 'allow', requester_session_id: requester });
    expect(await answer(own, child, by(stranger))).toMatchObject({ status: 403 });
    expect(await answer(own, child, by(parent))).toMatchObject({ status: 200 });
    await own.until(child, is('turn ended'));
    expect((await own.events(child)).find(is('question answered'))).toMatchObject({
      by: { kind: 'session', id: parent },
    });
  });
});

describe('a question that nobody answers from afar', () => {
  it('is left to the human when its time is over', async () => {
    own = await startTestDaemon({ config: { questions: { wait_seconds: 1 } } });
    const id = await asking(own, 'late');
    await untilWaiting(own, 1);
    await untilWaiting(own, 0);
    expect(await answer(own, id, { decision: 'allow' })).toMatchObject({
      status: 409,
      body: {
        detail: expect.stringContaining('no hook waits for it now.'),
        data: { is: 'no-waiting-hook', session: { id } },
      },
    });
    await press(own, id, '1');
    await own.until(id, is('turn ended', { last_words: 'went on' }));
    expect(ran(own, 'late')).toBe('ran\n');
  });

  it('does not wait at all if that is configured', async () => {
    own = await startTestDaemon({ config: { questions: { wait_seconds: 0 } } });
    const id = await asking(own, 'alone');
    expect(await answer(own, id, { decision: 'allow' })).toMatchObject({ status: 409 });
  });
});

describe('a daemon that dies', () => {
  it('while a hook waits leaves the dialog to the human at once, and nothing is told or done twice', async () => {
    own = await startTestDaemon();
    const parent = await startIdle(own, 'mother');
    const id = await asking(own, 'orphaned', { parent_session_id: parent });
    await untilWaiting(own, 1);
    await own.crash();
    await untilWaiting(own, 0);
    expect(await screen(own, id)).toContain('Do you want to proceed?');
    await own.start();
    await own.untilSession(id, ({ phase }) => phase === 'blocked');
    expect(await answer(own, id, { decision: 'allow' })).toMatchObject({ status: 409 });
    await press(own, id, '1');
    await own.until(id, is('turn ended', { last_words: 'went on' }));
    expect(ran(own, 'orphaned')).toBe('ran\n');
    expect(await namesOf(own, id, 'question asked', 'turn ended')).toEqual(['question asked', 'turn ended']);
    expect((await own.events(id)).filter(is('notice-posted', { about: 'question' }))).toHaveLength(1);
  });

  it('before a question leaves it to the human, and hears of it when it is back', async () => {
    own = await startTestDaemon();
    const id = await startIdle(own, 'unheard');
    await untilScreen(own, id, '❯');
    await own.crash();
    await own.tmux('set-buffer', '--', '[[ask echo ran >> unheard]]');
    await own.tmux('paste-buffer', '-p', '-t', `=sm-${id}:`);
    await press(own, id, 'Enter');
    await untilScreen(own, id, 'Do you want to proceed?');
    await own.start();
    await own.until(id, is('question asked'));
    expect(await answer(own, id, { decision: 'allow' })).toMatchObject({ status: 409 });
    await press(own, id, '1');
    await own.until(id, is('turn ended'));
    expect(await namesOf(own, id, 'question asked')).toEqual(['question asked']);
    expect(await promptsOf(own, id)).toHaveLength(1);
  });

  it.each([
    ['effect:answer:before', 'has not handed it over: the human answers'],
    ['effect:answer:after', 'has handed it over: the tool runs'],
  ])('at %s %s, and in either case once', async (point) => {
    own = await startTestDaemon();
    await own.crash();
    await own.start({ SM_CRASH_AT: point });
    const id = await asking(own, 'crashed');
    await expect(answer(own, id, { decision: 'allow' })).rejects.toThrow();
    await own.death();
    await untilWaiting(own, 0);
    await own.start();
    await own.until(id, is('question answer-lost', { why: 'the daemon stopped in between' }));
    if (point === 'effect:answer:before') {
      expect(await screen(own, id)).toContain('Do you want to proceed?');
      await press(own, id, '1');
    }
    await own.until(id, is('turn ended', { last_words: 'went on' }));
    expect(ran(own, 'crashed')).toBe('ran\n');
  });
});

async function startIdle(on: TestDaemon, name: string): Promise<string> {
  const { body } = await on.call<{ id: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: on.work,
    name,
  });
  await on.untilSession(body.id, ({ phase }) => phase === 'idle');
  return body.id;
}

async function untilScreen(on: TestDaemon, id: string, text: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await screen(on, id)).includes(text)) {
    if (Date.now() > deadline) throw new Error(`the pane never showed ${text}`);
    await pause(20);
  }
}
