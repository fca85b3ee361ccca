// An agent by the Agent Client Protocol that misbehaves, dies or is named in other ways than the suites have it.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { childrenOf, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith } from '../support/talk.ts';

const command = join(import.meta.dirname, '../support/fake-acp-agent.mjs');

describe('an agent that the configuration names', () => {
  let daemon: TestDaemon;
  let state: string;
  beforeAll(async () => {
    daemon = await startTestDaemon({
      config: {
        agents: {
          mine: { command },
          asking: { command, args: ['--ask'] },
          forgetful: { command, args: ['--no-load'] },
        },
        profiles: { night: { agent: 'mine' } },
      },
    });
    state = join(daemon.work, 'conversations');
    mkdirSync(state);
  }, 60_000);
  afterAll(() => daemon?.dispose(), 60_000);

  const env = (more: object = {}) => ({ PATH: process.env.PATH, FAKE_ACP_STATE: state, ...more });
  const spawn = (prompt: string, more: object = {}) =>
    startWith(daemon, prompt, { provider: 'mine', env: env(), ...more });
  const lastWords = async (id: string, after = 0) =>
    (await daemon.until(id, is('turn ended'), after)).last_words;
  const taken = ({ context }: SessionView) =>
    readFileSync(join(state, `${context.provider_id}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"user"'));

  async function killAgent(id: string): Promise<void> {
    const launcher = Number(await daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}'));
    process.kill(childrenOf(launcher)[0] as number, 'SIGKILL');
    await daemon.untilSession(id, ({ phase }) => phase === 'exited');
  }
  const restore = async (id: string) => {
    expect((await daemon.call('POST', `/sessions/${id}/restore`, { env: env() })).status).toBe(200);
    return daemon.untilSession(id, ({ phase }) => phase === 'idle');
  };

  it('is started by its name, and by spawn; a word that names nothing is none', async () => {
    const started = await daemon.smWith({ FAKE_ACP_STATE: state }, 'mine', '--name', 'quiet');
    expect([started.code, started.stderr]).toEqual([0, '']);
    expect(started.stdout).toMatch(/sm tail \w+ -f/);
    const spawned = await daemon.smWith(
      { FAKE_ACP_STATE: state },
      'spawn',
      'mine',
      '[[say yes]]',
      '--wait',
      '20',
    );
    expect(spawned).toMatchObject({ code: 0, stdout: expect.stringContaining('yes') });
    expect(await daemon.sm('mien')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('Unknown command "mien".') },
    });
    expect(await daemon.sm('spawn', 'mien', 'x')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('scripted, mine, asking, forgetful)') },
    });
  });

  it('is what a profile may name, and the doctor looks for its program', async () => {
    const { stdout } = await daemon.sm('doctor');
    expect(stdout).toContain('mine');
    const night = await daemon.smWith({ FAKE_ACP_STATE: state }, 'spawn', '[[say hi]]', '--profile', 'night');
    expect(night.code).toBe(0);
  });

  it('that ends at once is told, with what it said', async () => {
    const id = await spawn('hello', { env: env({ FAKE_END: '1' }) });
    const { ended } = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(ended).toMatchObject({ code: 2, reason: 'exit code 2' });
  });

  it.each([
    ['wants a login', { FAKE_LOGIN: '1' }, 'it refused: Authentication required'],
    ['speaks another version', { FAKE_ACP_VERSION: '2' }, 'it speaks version 2 of the protocol'],
  ])('that %s is not left running', async (_, more, why) => {
    const id = await spawn('hello', { env: env(more) });
    const { ended } = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(ended?.reason).toContain(why);
  });

  it('that offers no choice of a model is not started with another than was asked for', async () => {
    const id = await spawn('hello', { model: 'big' });
    const { ended } = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(ended?.reason).toContain('it offers no choice of a model, so that it cannot use big');
  });

  it('that talks nonsense is listened to all the same', async () => {
    expect(await lastWords(await spawn('NONSENSE [[say done]]'))).toBe('done');
  });

  it('that wants what nobody here can give hears so', async () => {
    expect(await lastWords(await spawn('WANT'))).toBe('heard: sm cannot answer this');
  });

  it('that asks two things at once is answered one by one, also after a crash of the daemon', async () => {
    const id = await spawn('TWO QUESTIONS', { provider: 'asking' });
    const first = await daemon.until(id, is('question asked', { text: 'true one' }));
    expect(await daemon.sm('answer', id, 'allow')).toMatchObject({ code: 0 });
    await daemon.until(id, is('question asked', { text: 'true two' }), first.number);
    await daemon.crash();
    await daemon.start();
    expect(await daemon.session(id)).toMatchObject({ phase: 'blocked' });
    expect(await daemon.sm('answer', id, 'deny')).toMatchObject({ code: 0 });
    expect(await lastWords(id)).toBe('yes and no');
  });

  it('is asked nothing twice by a daemon that died while it worked', async () => {
    const id = await spawn('[[bash touch begun-1; until [ -e go-1 ]; do sleep 0.05; done]] [[say worked]]');
    await daemon.until(id, is('turn began'));
    await daemon.crash();
    await daemon.start();
    expect((await daemon.session(id)).phase).toBe('working');
    await daemon.sm('send', id, 'next [[say again]]');
    await daemon.sm('interrupt', id);
    await daemon.until(id, is('turn ended', { last_words: 'again' }));
    const events = await daemon.events(id);
    expect(events.filter(is('turn began'))).toHaveLength(2);
    expect(taken(await daemon.session(id))).toHaveLength(2);
    // Nothing of it is on its way any more.
    expect(readdirSync(join(daemon.home, 'sessions', id, 'acp/told'))).toEqual([]);
  });

  it('is not given a prompt again that it had taken when it died, and its sender hears of it', async () => {
    const id = await spawn('first [[say one]]');
    await daemon.until(id, is('turn ended'));
    const { message_id } = await sendText(daemon, id, 'second [[hang silent]]');
    await daemon.until(id, is('message typed', { message: message_id }));
    while (taken(await daemon.session(id)).length < 2) await new Promise(setImmediate);
    await killAgent(id);
    await restore(id);
    await daemon.until(id, is('message accepted', { message: message_id }));
    const failed = await daemon.until(id, is('message failed', { message: message_id }));
    expect(JSON.stringify(failed)).toContain('It ended before it had answered.');
    expect(taken(await daemon.session(id))).toHaveLength(2);
    const after = await sendText(daemon, id, 'third [[say still here]]');
    await daemon.until(id, is('message answered', { message: after.message_id }));
  });

  it('that cannot load its conversation begins another when it is restored', async () => {
    const id = await spawn('first [[say one]]', { provider: 'forgetful' });
    await daemon.until(id, is('turn ended'));
    const before = await daemon.session(id);
    await killAgent(id);
    const after = await restore(id);
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    expect(after.context.number).toBe(2);
  });
});
