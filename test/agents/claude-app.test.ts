// Claude Code without a terminal: what is particular to it.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { childrenOf, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith, untilScreen } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareClaudeHome } from './claude-home.ts';

const command = process.env.SM_TEST_CLAUDE ?? '';
const { root, keep } = tidy('claude-app');
const crashAt = join(root, 'crash-at');
let daemon: TestDaemon;
let model: Awaited<ReturnType<typeof startModelServer>>;
let home: ReturnType<typeof prepareClaudeHome>;

beforeAll(async () => {
  model = keep(await startModelServer());
  home = prepareClaudeHome(root, model.url);
  // Whoever takes a session over starts its agent, in his own environment.
  const { PATH: _, ...own } = home.env;
  const kind = { command, env: own, default_model: 'claude-sonnet-4-5-20250929' };
  daemon = keep(
    await startTestDaemon({
      config: { claude: kind, claude_app: kind },
      env: { SM_CRASH_AT: `@${crashAt}` },
    }),
  );
}, 60_000);

const spawn = (prompt: string, more: object = {}) =>
  startWith(daemon, prompt, {
    ...{ provider: 'claude-app', working_dir: home.cwd, env: home.env },
    ...{ options: { permission_mode: 'bypassPermissions' }, ...more },
  });
async function idle(words = 'ready'): Promise<string> {
  const id = await spawn(`hello [[say ${words}]]`);
  await daemon.until(id, is('turn ended'));
  return id;
}
const agentOf = async (id: string): Promise<number> => {
  const pane = await daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}');
  return childrenOf(Number(pane))[0] as number;
};
const untilFile = (name: string) =>
  vi.waitFor(() => expect(existsSync(join(home.cwd, name))).toBe(true), { timeout: 30_000, interval: 20 });
/** One that nobody has waited for yet is dead all the same. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('claude-app', () => {
  it('says what it has to say while the turn goes on, and leaves nothing behind of what it was told', async () => {
    const id = await spawn('two steps [[say first I look]] [[bash true]] [[say then I am done]]');
    await daemon.until(id, is('turn ended', { end: 'ended', last_words: 'then I am done' }));
    const said = (await daemon.events(id)).filter(is('said')).map(({ text }) => text);
    expect(said).toEqual(['first I look', 'then I am done']);
    expect((await daemon.sm('output', id)).stdout).toBe('first I look\nthen I am done\n');
    const say = join(daemon.home, 'sessions', id, 'claude-app/say');
    await vi.waitFor(() => expect(readdirSync(say)).toEqual([]), { timeout: 10_000 });
  });

  it('hands itself over to a fresh context', async () => {
    const document = join(home.cwd, 'notes.md');
    writeFileSync(document, 'go on');
    const id = await idle();
    const before = await daemon.session(id);
    await sendText(
      daemon,
      id,
      `rotate [[bash sm handoff ${document} > handoff.txt 2>&1]] [[say handed over]]`,
    );
    await daemon.until(id, is('turn ended', { last_words: 'handed over' }));
    expect(readFileSync(join(home.cwd, 'handoff.txt'), 'utf8')).toContain('scheduled');
    const { number } = await daemon.until(id, is('handoff done', { context: 2 }));
    await daemon.until(id, is('turn ended', { end: 'ended' }), number);
    const after = await daemon.session(id);
    expect(after.context.number).toBe(2);
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
  });

  it('takes up together what several have told it while it spoke, and each is answered', async () => {
    const id = await spawn('speak [[sleep 4]]');
    await model.waitForRequest(({ prompt }) => prompt.includes('speak [['));
    const [one, two] = [
      await sendText(daemon, id, 'one', { delivery_mode: 'important' }),
      await sendText(daemon, id, 'two [[say both]]', { delivery_mode: 'important' }),
    ];
    for (const { message_id } of [one, two]) {
      await daemon.until(id, is('message accepted', { message: message_id }));
      await daemon.until(id, is('message answered', { message: message_id }));
    }
    const ends = (await daemon.events(id)).filter(is('turn ended'));
    expect(ends.map(({ end }) => end)).toEqual(['ended', 'ended']);
  });

  it('urgent: what waited inside it goes again together with the urgent one, once', async () => {
    const id = await spawn('tool [[bash touch in-tool; timeout 60 tail -f /dev/null]]');
    await untilFile('in-tool');
    const waits = await sendText(daemon, id, 'by the way', { delivery_mode: 'important' });
    await daemon.until(id, is('message accepted', { message: waits.message_id }));
    const urgent = await sendText(daemon, id, 'stop that [[say stopped]]', { delivery_mode: 'urgent' });
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    await daemon.until(id, is('message answered', { message: waits.message_id }));
    const ends = (await daemon.events(id)).filter(is('turn ended')).map(({ end }) => end);
    expect(ends).toEqual(['cut-off', 'ended']);
    const read = model.requests().at(-1)?.body;
    expect(JSON.stringify(read).split(`#${waits.message_id}:`)).toHaveLength(2);
  });

  it('lives through a crash of the daemon; what it said meanwhile is heard, once', async () => {
    const id = await spawn('long [[bash touch long-runs; timeout 2 tail -f /dev/null]] [[say survived]]');
    await untilFile('long-runs');
    const agent = await agentOf(id);
    await daemon.crash();
    await model.waitForRequest(
      ({ prompt, toolResults }) => prompt.includes('long [[') && toolResults.length > 0,
    );
    await daemon.start();
    await daemon.until(id, is('turn ended', { last_words: 'survived' }));
    expect(await agentOf(id)).toBe(agent);
    const { message_id } = await sendText(daemon, id, 'and now [[say still here]]');
    await daemon.until(id, is('message answered', { message: message_id }));
    const events = await daemon.events(id);
    expect(events.filter(is('turn began'))).toHaveLength(2);
    expect(events.filter(is('message accepted'))).toHaveLength(2);
  });

  it('that hangs keeps its messages waiting, says so, and can be killed, with all that belongs to it', async () => {
    const id = await idle();
    const agent = await agentOf(id);
    process.kill(agent, 'SIGSTOP');
    const { message_id } = await sendText(daemon, id, 'are you there? [[say yes]]');
    await daemon.until(id, is('message held', { message: message_id, why: 'it does not answer' }));
    process.kill(agent, 'SIGCONT');
    await daemon.until(id, is('message answered', { message: message_id }));
    process.kill(agent, 'SIGSTOP');
    await daemon.sm('kill', id);
    expect(await daemon.session(id)).toMatchObject({ phase: 'exited' });
    const passing = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`sessions/${id}`);
        } catch {
          return false;
        }
      });
    await vi.waitFor(() => expect(passing()).toEqual([]), { timeout: 10_000 });
  });

  it('asks: it is blocked until it is answered, also by another daemon, and goes on at once', async () => {
    const id = await spawn('risky [[bash touch asked; timeout 3 tail -f /dev/null]] [[say it is done]]', {
      options: { permission_mode: 'manual' },
    });
    const { text } = await daemon.until(id, is('question asked'));
    expect(text).toContain('touch asked');
    await daemon.crash();
    await daemon.start();
    expect(await daemon.session(id)).toMatchObject({ phase: 'blocked' });
    expect(await daemon.sm('answer', id, 'allow')).toMatchObject({ code: 0 });
    await daemon.until(id, is('question closed'));
    // Its tool still runs.
    expect(await daemon.session(id)).toMatchObject({ phase: 'working', question: null });
    await daemon.until(id, is('turn ended', { last_words: 'it is done' }));
  });

  it('that cannot be started says why', async () => {
    const id = await spawn('hello', { options: { args: ['--no-such-option'] } });
    const gone = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(gone.ended?.reason).toBe('exit code 1');
    expect((await daemon.sm('output', id)).stdout).toContain('no-such-option');
  });
});

describe('a takeover', () => {
  it('goes into a terminal and back, with the conversation, its messages and one owner', async () => {
    const id = await idle('the word is mango');
    const headless = await agentOf(id);
    const before = await daemon.session(id);
    expect(await daemon.sm('takeover', id, '--no-attach')).toMatchObject({ code: 0, stderr: '' });
    expect(isAlive(headless)).toBe(false);
    await untilScreen(daemon, id, 'the word is mango');
    const inPane = await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect(inPane).toMatchObject({ provider: 'claude', tmux_session: `sm-${id}`, context: before.context });
    const first = await sendText(daemon, id, 'in the pane [[say pear]]');
    await daemon.until(id, is('message answered', { message: first.message_id }));

    const pane = await agentOf(id);
    expect(await daemon.sm('takeover', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has a terminal already'),
    });
    expect(await daemon.sm('takeover', id, '--back')).toMatchObject({ code: 0, stderr: '' });
    expect(isAlive(pane)).toBe(false);
    const back = await daemon.session(id);
    expect(back).toMatchObject({ provider: 'claude-app', tmux_session: null });
    const second = await sendText(daemon, id, 'and back [[say plum]]');
    await daemon.until(id, is('message answered', { message: second.message_id }));
    const last = model
      .requests()
      .filter(({ isSideQuery }) => !isSideQuery)
      .at(-1);
    for (const words of ['mango', 'pear', 'and back']) expect(JSON.stringify(last?.body)).toContain(words);
  });

  it('waits for a turn, or interrupts it', async () => {
    const id = await spawn('busy [[sleep 60]]');
    await daemon.until(id, is('turn began'));
    await model.waitForRequest(({ prompt }) => prompt.includes('busy [['));
    expect(await daemon.sm('takeover', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`sm takeover ${id} --now`),
    });
    expect(await daemon.sm('takeover', id, '--now', '--no-attach')).toMatchObject({ code: 0 });
    expect((await daemon.events(id)).find(is('turn ended'))?.end).toBe('interrupted');
    expect(await daemon.session(id)).toMatchObject({ provider: 'claude', phase: 'idle' });
  });

  it('leaves a draft alone', async () => {
    const id = await idle();
    await daemon.sm('takeover', id, '--no-attach');
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    await untilScreen(daemon, id, '❯');
    await daemon.tmux('send-keys', '-t', `=sm-${id}:`, '-l', 'half a thought');
    await untilScreen(daemon, id, 'half a thought');
    await vi.waitFor(
      async () =>
        expect(await daemon.sm('takeover', id, '--back')).toMatchObject({
          code: 1,
          stderr: expect.stringContaining('a draft stands in its composer'),
        }),
      { timeout: 20_000 },
    );
    await untilScreen(daemon, id, 'half a thought');
  });

  it.each(['look:before', 'look:after', 'launch:before', 'launch:after'])(
    'whose daemon is killed at %s has one owner, and goes on',
    async (step) => {
      const id = await idle(`kept through ${step}`);
      const old = await agentOf(id);
      const { message_id } = await sendText(daemon, id, `still here? [[say yes ${step}]]`, {});
      await daemon.until(id, is('message answered', { message: message_id }));
      writeFileSync(crashAt, `effect:${step}@${id}`);
      await daemon.sm('takeover', id, '--no-attach');
      await daemon.death();
      rmSync(crashAt);
      await daemon.start();
      await daemon.until(id, is('session moved'));
      await daemon.untilSession(id, ({ phase, provider }) => phase === 'idle' && provider === 'claude');
      expect(isAlive(old)).toBe(false);
      const after = await sendText(daemon, id, 'and now [[say moved]]');
      await daemon.until(id, is('message answered', { message: after.message_id }));
      expect((await daemon.events(id)).filter(is('session moved'))).toHaveLength(1);
      await daemon.sm('kill', id);
    },
  );
});
