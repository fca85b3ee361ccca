// An agent without a pane whose app-server misbehaves, or asks for what the real one is hard to be brought to.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

const patience = { timeout: 60_000 };
const command = join(import.meta.dirname, '../support/fake-app-server.mjs');

describe('an app-server', () => {
  let daemon: TestDaemon;
  let home: string;
  beforeAll(async () => {
    daemon = await startTestDaemon({ config: { codex_app: { command } } });
    // One that was used before: nobody waits there for the first start to be over.
    home = join(daemon.work, 'codex-home');
    mkdirSync(join(home, 'sessions/2025'), { recursive: true });
  }, 60_000);
  afterAll(() => daemon?.dispose(), 60_000);

  const spawn = (prompt: string, more: object = {}) =>
    startWith(daemon, prompt, {
      provider: 'codex-app',
      env: { PATH: process.env.PATH, CODEX_HOME: home },
      ...more,
    });
  const outputOf = (id: string) => join(daemon.home, 'sessions', id, 'app-server/out');
  const placeOf = (id: string) => Number(readFileSync(join(outputOf(id), '../offset'), 'utf8'));
  const lastWords = async (id: string) => (await daemon.until(id, is('turn ended'))).last_words;

  it('is started from the command line, which says how to go on without a terminal', async () => {
    const { code, stdout } = await daemon.sm('codex-app', '--name', 'quiet');
    expect(code).toBe(0);
    const { id, tmux_session } = await daemon.session('quiet');
    expect(tmux_session).toBeNull();
    expect(stdout).toContain(`sm tail ${id} -f`);
    expect(await daemon.sm('send', 'quiet', 'DONE', '--wait', '10')).toMatchObject({ code: 0 });
    expect((await daemon.sm('output', 'quiet')).stdout).toBe('done\n');
    expect((await daemon.call('GET', `/sessions/${id}/screen`)).status).toBe(409);
  });

  it('that ends at once is told, with what it said', async () => {
    const id = await spawn('hello', { env: { PATH: process.env.PATH, CODEX_HOME: home, FAKE_END: '1' } });
    const { ended } = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(ended).toMatchObject({ code: 2, reason: 'exit code 2' });
    expect((await daemon.sm('output', id)).stdout).toContain('bad configuration');
  });

  it('that talks nonsense is listened to all the same', async () => {
    const id = await spawn('NONSENSE, then DONE');
    expect(await lastWords(id)).toBe('done');
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
    expect(readFileSync(join(daemon.home, 'logs/daemon.log'), 'utf8')).toContain('thread panicked');
  });

  it('that dies in a turn ends it, with its last words', async () => {
    const id = await spawn('DIE');
    expect(await daemon.until(id, is('turn ended'))).toMatchObject({ end: 'died' });
    const { ended } = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(ended).toMatchObject({ code: 3, reason: 'exit code 3' });
    expect((await daemon.sm('output', id)).stdout).toContain('the model is on fire');
    // Whoever starts it again reads nothing of that once more.
    await vi.waitFor(() => expect(placeOf(id)).toBe(statSync(outputOf(id)).size), patience);
  });

  it('that says very much leaves the space of it to others, and nothing is told twice', async () => {
    const id = await spawn('FLOOD, then DONE');
    expect(await lastWords(id)).toBe('done');
    await vi.waitFor(() => expect(statSync(outputOf(id)).blocks * 512).toBeLessThan(1_000_000), patience);
    expect(statSync(outputOf(id)).size).toBeGreaterThan(3_000_000);
    await daemon.crash();
    await daemon.start();
    expect(await daemon.sm('send', id, 'DONE', '--wait', '10')).toMatchObject({ code: 0 });
    expect((await daemon.events(id)).filter(is('turn began'))).toHaveLength(2);
  });

  it('that refuses its first thread is not left running', async () => {
    const id = await spawn('hello', { model: 'no-such-model' });
    const { ended } = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(ended?.reason).toContain('there is no such model');
    expect(await daemon.tmux('list-sessions', '-F', '#S')).not.toContain(id);
  });

  it('that wants what nobody here can give hears so', async () => {
    expect(await lastWords(await spawn('WANT'))).toBe('heard: sm cannot answer this');
  });

  it('that asks two things at once is answered one by one, also after a crash of the daemon', async () => {
    const id = await spawn('TWO QUESTIONS');
    const first = await daemon.until(id, is('question asked', { text: 'command: run one' }));
    expect(await daemon.sm('answer', id, 'allow')).toMatchObject({ code: 0 });
    await daemon.until(id, is('question asked', { text: 'command: run two' }), first.number);
    await daemon.crash();
    await daemon.start();
    expect(await daemon.session(id)).toMatchObject({ phase: 'blocked' });
    expect(await daemon.sm('answer', id, 'deny')).toMatchObject({ code: 0 });
    expect(await lastWords(id)).toBe('accept and decline');
  });

  it('whose inner agent asks blocks the session; what that does otherwise is its own business', async () => {
    const id = await spawn('INNER');
    await daemon.until(id, is('question asked', { text: 'command: run inner-one' }));
    expect(await daemon.sm('answer', id, 'allow')).toMatchObject({ code: 0 });
    expect(await lastWords(id)).toBe('inner: accept');
    expect((await daemon.events(id)).filter(is('turn began'))).toHaveLength(1);
  });

  it('that asks for words gets them', async () => {
    const id = await spawn('WHICH COLOUR');
    await daemon.until(id, is('question asked', { text: 'Which colour?' }));
    expect(await daemon.sm('answer', id, 'allow', 'blue')).toMatchObject({ code: 0 });
    expect(await lastWords(id)).toBe('it is blue');
  });
});
