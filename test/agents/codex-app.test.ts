// Codex through its app-server: what is particular to an agent without a pane.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startResponsesServer } from '../model/responses.ts';
import { childrenOf, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareCodexHome } from './codex-home.ts';

const command = process.env.SM_TEST_CODEX ?? '';

describe('codex-app', () => {
  let daemon: TestDaemon;
  let model: ModelServer;
  let env: Record<string, string>;
  let cwd: string;
  let asking: Record<string, string>;
  const { root, keep } = tidy('codex-app');

  beforeAll(async () => {
    model = keep(await startResponsesServer());
    ({ env, cwd } = prepareCodexHome(root, model.url));
    const home = prepareCodexHome(join(root, 'asking'), model.url);
    const config = join(home.codexHome, 'config.toml');
    const asks = readFileSync(config, 'utf8')
      .replace('"never"', '"on-request"')
      .replace('"danger-full-access"', '"read-only"');
    writeFileSync(config, asks);
    asking = home.env;
    daemon = keep(await startTestDaemon({ config: { codex_app: { command } } }));
  }, 60_000);

  async function spawn(prompt: string): Promise<string> {
    return startWith(daemon, prompt, {
      provider: 'codex-app',
      working_dir: cwd,
      env,
    });
  }

  it('takes a prompt, ends the turn with its last words, and is killed', async () => {
    const id = await spawn('greet me [[say hello from the agent]]');
    const end = await daemon.until(id, is('turn ended', { end: 'ended' }));
    expect(end.last_words).toBe('hello from the agent');
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
    await daemon.sm('kill', id);
    expect(await daemon.session(id)).toMatchObject({ phase: 'exited' });
  });

  async function send(to: string, text: string, delivery_mode = 'sequential'): Promise<string> {
    const { status, body } = await daemon.call<{ message_id: string }>('POST', `/sessions/${to}/input`, {
      text,
      delivery_mode,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.message_id;
  }
  /** The agent's process, which holds its own ends. */
  const agentOf = async (id: string): Promise<number> => {
    const pane = await daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}');
    return childrenOf(Number(pane))[0] as number;
  };
  const speaks = (prompt: string) => model.waitForRequest((request) => request.prompt.includes(prompt));
  const untilFile = async (name: string) => {
    const deadline = Date.now() + 20_000;
    while (!existsSync(join(cwd, name))) {
      if (Date.now() > deadline) throw new Error(`${name} never appeared`);
      await new Promise(setImmediate);
    }
  };

  it('says what it has to say while the turn goes on', async () => {
    const id = await spawn('two steps [[say first I look]] [[bash true]] [[say then I am done]]');
    await daemon.until(id, is('turn ended', { end: 'ended', last_words: 'then I am done' }));
    const said = (await daemon.events(id)).filter(is('said')).map(({ text }) => text);
    expect(said).toEqual(['first I look', 'then I am done']);
    expect((await daemon.sm('tail', id)).stdout).toContain('says: first I look');
    expect((await daemon.sm('output', id)).stdout).toBe('first I look\nthen I am done\n');
    expect(await daemon.sm('attach', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`sm output ${id}`),
    });
    const document = join(cwd, 'handoff.md');
    writeFileSync(document, 'go on');
    const handoff = await daemon.call('POST', `/sessions/${id}/handoff`, {
      requester_session_id: id,
      file_path: document,
    });
    expect(handoff).toMatchObject({
      status: 409,
      body: { detail: 'sm handoff is not supported for codex-app sessions' },
    });
    expect(await daemon.sm('slash', id, '/model')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('take only /clear, /compact'),
    });
  });

  it('important: steers a turn whose tool runs, and waits while it speaks', async () => {
    const id = await spawn('loop [[bashes 3 touch loops; timeout 0.7 tail -f /dev/null]]');
    await untilFile('loops');
    const message = await send(id, 'by the way', 'important');
    const accepted = await daemon.until(id, is('message accepted', { message }));
    expect(accepted.evidence).toMatchObject({ source: 'notification' });
    await daemon.until(id, is('message answered', { message }));
    expect((await daemon.events(id)).filter(is('turn began'))).toHaveLength(1);

    const speaker = await spawn('speech [[sleep 3]]');
    await speaks('speech');
    const later = await send(speaker, 'and then [[say that too]]', 'important');
    await daemon.until(speaker, is('message answered', { message: later }));
    const ends = (await daemon.events(speaker)).filter(is('turn ended')).map(({ end }) => end);
    expect(ends).toEqual(['ended', 'ended']);
  });

  it('urgent: interrupts, and what was steered into the turn before is not lost', async () => {
    const id = await spawn('tool [[bash touch in-tool; timeout 60 tail -f /dev/null]]');
    await untilFile('in-tool');
    const steered = await send(id, 'steered', 'important');
    await daemon.until(id, is('message accepted', { message: steered }));
    const urgent = await send(id, 'stop that [[say stopped]]', 'urgent');
    await daemon.until(id, is('message answered', { message: steered }));
    const events = await daemon.events(id);
    expect(events.filter(is('turn ended')).map(({ end }) => end)).toEqual(['cut-off', 'ended']);
    expect(events.filter(is('message accepted', { message: urgent }))).toHaveLength(1);
    // The model itself has read each of them once.
    const read = JSON.stringify((await speaks('stop that')).body.input);
    expect(read.split(`#${steered}:`)).toHaveLength(2);
  });

  it('clear: a new thread, and what waits goes there', async () => {
    const id = await spawn('first [[say one]]');
    await daemon.until(id, is('turn ended'));
    const before = await daemon.session(id);
    const { status, body } = await daemon.call('POST', `/sessions/${id}/clear`, {
      prompt: 'anew [[say two]]',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    await daemon.until(id, is('turn ended', { last_words: 'two' }));
    const after = await daemon.session(id);
    expect(after.context).toMatchObject({ number: 2 });
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    expect((await speaks('anew')).body.input).not.toContainEqual(expect.stringContaining('first'));
  });

  it('lives through a crash of the daemon; what it said meanwhile is heard, once', async () => {
    const id = await spawn('long [[bash touch long-runs; timeout 2 tail -f /dev/null]] [[say survived]]');
    await untilFile('long-runs');
    const agent = await agentOf(id);
    await daemon.crash();
    await model.waitForRequest(
      ({ prompt, toolResults }) => prompt.includes('long') && toolResults.length > 0,
    );
    await daemon.start();
    await daemon.until(id, is('turn ended', { last_words: 'survived' }));
    expect(await agentOf(id)).toBe(agent);
    const message = await send(id, 'and now [[say still here]]');
    await daemon.until(id, is('message answered', { message }));
    const events = await daemon.events(id);
    expect(events.filter(is('turn began'))).toHaveLength(2);
    expect(events.filter(is('message accepted'))).toHaveLength(2);
  });

  it('that dies is told, and restored with its conversation', async () => {
    const id = await spawn('remember [[say noted]]');
    await daemon.until(id, is('turn ended'));
    const before = await daemon.session(id);
    process.kill(await agentOf(id), 'SIGKILL');
    await daemon.until(id, is('session exited'));
    expect((await daemon.call('POST', `/sessions/${id}/restore`, { env })).status).toBe(200);
    const message = await send(id, 'again [[say still here]]');
    await daemon.until(id, is('message answered', { message }));
    const after = await daemon.session(id);
    expect(after.context).toMatchObject({ number: 1, provider_id: before.context.provider_id });
  });

  it('that hangs keeps its messages waiting, says so, and can be killed', async () => {
    const id = await spawn('quick [[say ready]]');
    await daemon.until(id, is('turn ended'));
    const agent = await agentOf(id);
    process.kill(agent, 'SIGSTOP');
    const message = await send(id, 'are you there? [[say yes]]');
    await daemon.until(id, is('message held', { message, why: 'its app-server does not answer' }));
    process.kill(agent, 'SIGCONT');
    await daemon.until(id, is('message answered', { message }));
    process.kill(agent, 'SIGSTOP');
    await daemon.sm('kill', id);
    expect(await daemon.session(id)).toMatchObject({ phase: 'exited' });
  });

  it('that cannot be started says why', async () => {
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'codex-app',
      working_dir: cwd,
      env: { ...env, CODEX_HOME: join(root, 'no-such-home') },
    });
    const gone = await daemon.untilSession(body.id, ({ phase }) => phase === 'exited');
    expect(gone.ended?.reason).toBe('exit code 1');
    expect((await daemon.sm('output', body.id)).stdout).toContain('no-such-home');
  });

  it('gives its tools the session, so that they can use sm; a parent hears of the end', async () => {
    const parent = await spawn('wait [[say waiting]]');
    await daemon.until(parent, is('turn ended'));
    const prompt = 'report [[bash sm status "half way" && sm me > me.txt]] [[say all done]]';
    const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
      prompt,
      parent_session_id: parent,
      provider: 'codex-app',
      working_dir: cwd,
      env,
    });
    const id = body.session_id;
    await daemon.until(id, is('turn ended'));
    expect(await daemon.session(id)).toMatchObject({ agent_status_text: 'half way' });
    expect(readFileSync(join(cwd, 'me.txt'), 'utf8')).toContain(id);
    const told = await daemon.until(parent, is('message answered'), 0);
    await daemon.until(parent, is('message answered'), told.number);
    const heard = await model.waitForRequest(({ prompt: text }) => text.includes('stopped:'));
    expect(heard.prompt).toContain('all done');
  });

  it.each([
    ['effect:launch:before', 'launch'],
    ['effect:launch:after', 'launch'],
    ['effect:submit:before', 'send'],
    ['effect:submit:after', 'send'],
    ['effect:escape:after', 'urgent'],
    ['effect:answer:before', 'answer'],
  ])('the daemon dies at %s: nothing is lost and nothing comes twice', async (point, during) => {
    const spawnIt = (prompt: string) =>
      daemon.call<{ session_id: string; message_id?: string }>('POST', '/sessions/spawn', {
        prompt,
        provider: 'codex-app',
        working_dir: cwd,
        env: during === 'answer' ? asking : env,
      });
    const restart = async (extra?: Record<string, string>) => {
      await daemon.crash();
      await daemon.start(extra);
    };
    const crashing = { SM_CRASH_AT: point };
    const first =
      during === 'urgent'
        ? `cut me ${point} [[sleep 30]]`
        : during === 'answer'
          ? `may I ${point} [[bash touch may]] [[say finished]]`
          : `first ${point} [[say one]]`;
    let id: string;
    if (during === 'launch') {
      await restart(crashing);
      // The answer may be lost with the daemon: the session is not.
      await spawnIt(first).catch(() => undefined);
      await daemon.death();
      await daemon.start();
      const { body } = await daemon.call<{ sessions: { id: string; created_at: string }[] }>(
        'GET',
        '/sessions',
      );
      const newest = body.sessions.sort((a, b) => b.created_at.localeCompare(a.created_at))[0];
      id = newest?.id as string;
      await daemon.until(id, is('turn ended', { end: 'ended' }));
    } else {
      id = (await spawnIt(first)).body.session_id;
      if (during === 'answer') await daemon.until(id, is('question asked'));
      else if (during === 'urgent') await speaks(first);
      else await daemon.until(id, is('turn ended'));
      await restart(crashing);
      if (during === 'answer') await daemon.sm('answer', id, 'allow');
      else
        await send(id, `second ${point} [[say two]]`, during === 'urgent' ? 'urgent' : 'sequential').catch(
          () => '',
        );
      await daemon.death();
      await daemon.start();
    }
    if (during === 'answer') {
      await daemon.until(id, is('turn ended', { last_words: 'finished' }));
    } else if (during !== 'launch') await daemon.until(id, is('turn ended', { last_words: 'two' }));
    const accepted = (await daemon.events(id)).filter(is('message accepted')).map(({ message }) => message);
    expect(accepted).toHaveLength(during === 'launch' || during === 'answer' ? 1 : 2);
    const asked = model.requests().filter(({ prompt }) => prompt.includes(`second ${point}`));
    expect(asked.length).toBeLessThanOrEqual(1);
  });

  it('asks: it is blocked until it is answered, also by another daemon', async () => {
    for (const [decision, end] of [
      ['allow', /it is done/],
      ['deny', /it is done/],
    ] as const) {
      const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
        prompt: `dangerous [[bash touch asked-${decision}]] [[say it is done]]`,
        provider: 'codex-app',
        working_dir: cwd,
        env: asking,
      });
      const id = body.session_id;
      const { text } = await daemon.until(id, is('question asked'));
      expect(text).toContain(`touch asked-${decision}`);
      await daemon.crash();
      await daemon.start();
      expect(await daemon.session(id)).toMatchObject({ phase: 'blocked' });
      const answer = await daemon.sm(
        'answer',
        id,
        decision,
        ...(decision === 'deny' ? ['not this one'] : []),
      );
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 0 });
      expect((await daemon.until(id, is('turn ended'))).last_words).toMatch(end);
      expect(await daemon.session(id)).toMatchObject({ phase: 'idle', question: null });
      expect(existsSync(join(cwd, `asked-${decision}`))).toBe(decision === 'allow');
    }
  });

  it('compacts, and takes no message meanwhile', async () => {
    const id = await spawn('talk [[say something to compact]]');
    await daemon.until(id, is('turn ended'));
    const { status } = await daemon.call('POST', `/sessions/${id}/slash`, { command: '/compact' });
    expect(status).toBe(200);
    const began = await daemon.until(id, is('compaction began', { trigger: 'manual' }));
    await daemon.until(id, is('compaction ended'), began.number);
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle', context: { number: 1 } });
  });
});
