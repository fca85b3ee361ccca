// What is particular to Codex in a pane: its dialogs, a fresh home, and text that it keeps until its tool is done.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { type HomeOptions, prepareCodexHome } from './codex-home.ts';

const command = process.env.SM_TEST_CODEX ?? '';

describe('codex in a pane', () => {
  let daemon: TestDaemon;
  let model: ModelServer;
  const { root, keep } = tidy('codex-start');
  let homes = 0;

  beforeAll(async () => {
    model = keep(await startResponsesServer());
    daemon = keep(await startTestDaemon({ config: { codex: { command } } }));
  }, 60_000);

  const freshHome = (options?: HomeOptions) => {
    homes += 1;
    return prepareCodexHome(join(root, `${homes}`), model.url, options);
  };

  async function spawn(prompt: string, { env, cwd } = freshHome()): Promise<string> {
    return startWith(daemon, prompt, {
      provider: 'codex',
      working_dir: cwd,
      env,
    });
  }

  const keys = (id: string, ...pressed: string[]) => daemon.tmux('send-keys', '-t', `=sm-${id}:`, ...pressed);
  const screen = (id: string) => daemon.tmux('capture-pane', '-p', '-t', `=sm-${id}:`);
  const shows = (id: string, wanted: RegExp) =>
    until(`${wanted} on the screen`, async () => wanted.test(await screen(id)), {
      instead: () => screen(id),
    });

  it('its question whether to trust a folder blocks the session; the prompt goes when it is answered', async () => {
    const home = freshHome({ trusted: false });
    const id = await spawn('hello [[say trusted]]', home);
    const blocked = await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    expect(blocked.question).toMatchObject({
      kind: 'dialog',
      text: expect.stringMatching(/Trust this folder/),
    });
    expect(blocked.waiting.count).toBe(1);
    await keys(id, 'Enter');
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'trusted' });
    // What it keeps of that is its own doing; of our hooks there is no trace.
    expect(readFileSync(join(home.codexHome, 'config.toml'), 'utf8')).not.toMatch(/hooks|hook\.sh/);
  });

  it('several that start at once in a fresh home all work', async () => {
    const home = freshHome();
    const ids = await Promise.all(['one', 'two', 'three'].map((word) => spawn(`[[say ${word}]]`, home)));
    const ends = await Promise.all(ids.map((id) => daemon.until(id, is('turn ended'))));
    expect(ends.map(({ last_words }) => last_words)).toEqual(['one', 'two', 'three']);
    const threads = await Promise.all(ids.map(async (id) => (await daemon.session(id)).context.provider_id));
    expect(new Set(threads).size).toBe(3);
  });

  it('its thread is known before the first prompt', async () => {
    const { env, cwd } = freshHome();
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'codex',
      working_dir: cwd,
      env,
    });
    const ready = await daemon.until(body.id, is('session ready'));
    expect(ready.provider_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await daemon.session(body.id)).toMatchObject({ phase: 'idle', transcript_path: null });
  });

  it('what a human opens with /new is a question, and nothing is typed into it', async () => {
    const id = await spawn('[[say ready]]');
    await daemon.until(id, is('turn ended'));
    await shows(id, /^› Ask Codex/m);
    await keys(id, '-l', '/new');
    await shows(id, /^› \/new/m);
    await keys(id, 'Enter');
    await shows(id, /Where should the new conversation run/);
    await daemon.call('POST', `/sessions/${id}/input`, { text: 'are you there? [[say yes]]' });
    const blocked = await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    expect(blocked.question?.text).toContain('Use current Git worktree');
    await keys(id, 'Escape');
    expect((await daemon.until(id, is('turn ended', { last_words: 'yes' }))).end).toBe('ended');
  });

  it('agents inside the agent have threads and turns of their own, which are not the session’s', async () => {
    const id = await spawn(
      'delegate [[agent think about it]] [[bash timeout 1 tail -f /dev/null]] [[say done]]',
    );
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'done' });
    await model.waitForRequest(({ prompt }) => prompt === 'think about it');
    const { context } = await daemon.session(id);
    expect(context).toMatchObject({ number: 1 });
    // Its lock is newer than that of the session's own thread, and stays.
    await daemon.call('POST', `/sessions/${id}/input`, { text: 'still you? [[say yes]]' });
    const next = await daemon.until(id, is('turn ended', { last_words: 'yes' }));
    expect(next.end).toBe('ended');
    const after = await daemon.session(id);
    expect(after.context).toMatchObject({ number: 1, provider_id: context.provider_id });
    expect((await daemon.events(id)).filter(is('turn ended'))).toHaveLength(2);
  });

  it('goes on while the daemon is away, and is heard out when it is back', async () => {
    const home = freshHome();
    const id = await spawn('work [[bash touch away; timeout 2 tail -f /dev/null]] [[say all done]]', home);
    await until('the tool to run', () => existsSync(join(home.cwd, 'away')));
    await daemon.crash();
    await daemon.start();
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'all done' });
    await daemon.call('POST', `/sessions/${id}/input`, { text: 'again [[say here]]' });
    expect((await daemon.until(id, is('turn ended', { last_words: 'here' }))).end).toBe('ended');
  });

  it('has an important message while its tool runs, and an urgent one cuts the tool', async () => {
    const home = freshHome();
    const id = await spawn('work [[bash touch started; timeout 60 tail -f /dev/null]]', home);
    await until('the tool to run', () => existsSync(join(home.cwd, 'started')));
    const send = async (text: string, delivery_mode: string) => {
      const { body } = await daemon.call<{ status: string; message_id: string }>(
        'POST',
        `/sessions/${id}/input`,
        { text, delivery_mode },
      );
      return body;
    };
    const important = await send('by the way', 'important');
    const accepted = await daemon.until(id, is('message accepted', { message: important.message_id }));
    expect(accepted.evidence).toMatchObject({ source: 'screen' });
    const urgent = await send('stop that [[say stopped]]', 'urgent');
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    // Our Escape made the agent take it up, and then cut that turn as well.
    await daemon.until(id, is('message cut-off', { message: important.message_id }));
    const events = await daemon.events(id);
    expect(events.find(is('turn ended'))?.end).toBe('cut-off');
    const begun = events.filter(is('turn began')).flatMap(({ messages }) => messages as string[]);
    expect(begun.filter((message) => message === urgent.message_id)).toHaveLength(1);
  });
});
