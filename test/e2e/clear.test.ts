// Clearing a session, and commands of the agent's own, on the scripted agent in real tmux.
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startWith, untilScreen } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const spawn = (prompt: string, more?: object) => startWith(daemon, prompt, more);

/** The agent clears, and its hooks say nothing of it. */
const unheard = 'no-hook:SessionEnd,no-hook:SessionStart:clear';
const agentWith = (faults: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: join(dirname(daemon.work), 'home'),
  SCRIPTED_FAULTS: faults,
});

const clear = (id: string, body: object = {}) =>
  daemon.call<Record<string, unknown>>('POST', `/sessions/${id}/clear`, body);

describe('sm clear', () => {
  it('is answered when it is proven, and its prompt goes to the new context', async () => {
    const id = await spawn('[[say one]]');
    await daemon.until(id, is('turn ended'));
    const { status, body } = await clear(id, { prompt: 'now this [[say two]]' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ status: 'cleared', context: 2 });
    const began = await daemon.until(
      id,
      is('context began'),
      (await daemon.events(id)).find(is('clear asked'))?.number,
    );
    expect((await daemon.until(id, is('turn ended'), began.number)).last_words).toBe('two');
  });

  it('interrupts what runs; other senders hear that it was cleared, and who cleared hears nothing', async () => {
    const boss = await spawn('[[say I lead]]', { name: 'clear-boss' });
    const other = await spawn('[[say I watch]]', { name: 'clear-other' });
    for (const id of [boss, other]) await daemon.until(id, is('turn ended'));
    const hand = await spawn('[[sleep 60]]', { parent_session_id: boss, name: 'clear-hand' });
    await daemon.until(hand, is('turn began'));
    await daemon.call('POST', `/sessions/${hand}/input`, {
      text: 'and this',
      sender_session_id: other,
      delivery_mode: 'important',
    });
    expect(await clear(hand, { requester_session_id: boss })).toMatchObject({
      status: 200,
      body: { context: 2 },
    });
    const told = (await daemon.events(hand)).filter(is('notice-posted')).map(({ to }) => to);
    expect(told).not.toContain(boss);
  });

  it('is proven by what the process of the agent has open, when no hook tells of it', async () => {
    const id = await spawn('[[say one]]', { env: agentWith(unheard) });
    await daemon.until(id, is('turn ended'));
    expect(await clear(id)).toMatchObject({ status: 200, body: { status: 'cleared', context: 2 } });
  });

  it('of a human goes by unheard, and the next message still comes once', async () => {
    const id = await spawn('[[say one]]', { env: agentWith(`${unheard},no-hook:UserPromptSubmit`) });
    await daemon.until(id, is('turn ended'));
    const { provider_id } = (await daemon.session(id)).context;
    const lock = join(dirname(daemon.work), 'home/.scripted-agent/locks', String(provider_id));
    await daemon.tmux('send-keys', '-t', `=sm-${id}:`, '-l', '/clear');
    await untilScreen(daemon, id, '/clear');
    // An Enter too close behind what is typed would be a line break.
    await until('the agent to have cleared', async () => {
      await daemon.tmux('send-keys', '-t', `=sm-${id}:`, 'Enter');
      return !existsSync(lock);
    });
    const { message_id } = await sendText(daemon, id, 'now this [[say two]]');
    await daemon.until(id, is('message answered', { message: message_id }));
    expect(await promptsOf(daemon, id)).toEqual([expect.stringContaining('now this')]);
    expect(await daemon.session(id)).toMatchObject({ context: { number: 2 } });
  });

  it('keeps a draft of a human', async () => {
    const id = await spawn('[[say one]]');
    await daemon.until(id, is('turn ended'));
    await daemon.tmux('send-keys', '-t', `=sm-${id}:`, '-l', 'my own words');
    await untilScreen(daemon, id, 'my own words');
    expect(await clear(id)).toMatchObject({ status: 200 });
    await untilScreen(daemon, id, /^❯.my own words/m);
  });

  it('before any answer takes the prompt that came back out of the composer', async () => {
    const id = await spawn('one\ntwo [[hang silent]]');
    await daemon.until(id, is('turn began'));
    expect(await clear(id)).toMatchObject({ status: 200, body: { context: 2 } });
  });

  it('is refused to a stranger, and to a session that is gone', async () => {
    const [id, stranger] = [await spawn('[[say one]]'), await spawn('[[say two]]')];
    await daemon.until(id, is('turn ended'));
    expect(await clear(id, { requester_session_id: stranger })).toMatchObject({ status: 403 });
    await daemon.call('POST', `/sessions/${id}/slash`, { command: '/exit' });
    await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(await clear(id)).toMatchObject({
      status: 409,
      body: { data: { is: 'not-running', phase: 'exited' } },
    });
  });
});

describe('sm slash', () => {
  it('twice in a row: the second waits its turn', async () => {
    const id = await spawn('[[say one]]');
    await daemon.until(id, is('turn ended'));
    const go = join(daemon.work, `go-${id}`);
    expect((await daemon.sm('slash', id, `/compact [[wait ${go}]]`)).stdout).toContain('Typed /compact');
    const second = await daemon.sm('slash', id, '/compact');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('/compact waits for ') });
    expect((await daemon.sm('queue', id)).stdout).toMatch(/^Commands that wait for .*: \/compact$/m);
    writeFileSync(go, '');
    const first = await daemon.until(id, is('compaction ended'));
    await daemon.until(id, is('compaction ended'), first.number);
    expect((await daemon.events(id)).filter(is('command typed'))).toHaveLength(2);
  });

  it("types a command of the agent's own into an idle session only", async () => {
    const id = await spawn('[[say one]]');
    await daemon.until(id, is('turn ended'));
    expect(await daemon.call('POST', `/sessions/${id}/slash`, { command: '/compact' })).toMatchObject({
      status: 200,
      body: { status: 'typed' },
    });
    await daemon.until(id, is('compaction ended'));
    await daemon.call('POST', `/sessions/${id}/input`, { text: '[[sleep 20]]' });
    await daemon.untilSession(id, ({ phase }) => phase === 'working');
    expect(await daemon.call('POST', `/sessions/${id}/slash`, { command: '/compact' })).toMatchObject({
      status: 200,
      body: { status: 'waiting', waits_for: 'working' },
    });
    expect(await daemon.call('POST', `/sessions/${id}/slash`, { command: 'ls' })).toMatchObject({
      status: 400,
    });
  });
});
