// What is particular to Copilot in a pane: its dialogs, its agents inside, commands that it leaves running, and clears that
// nobody tells.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startChatServer } from '../model/chat.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { jsonLines } from '../support/json-lines.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { copilotProgram, type HomeOptions, prepareCopilotHome } from './copilot-home.ts';

describe('copilot in a pane', () => {
  let daemon: TestDaemon;
  let model: ModelServer;
  const { root, keep } = tidy('copilot');
  let homes = 0;

  beforeAll(async () => {
    model = keep(await startChatServer());
    const copilot = { command: copilotProgram, args: ['--allow-all-tools'] };
    daemon = keep(await startTestDaemon({ config: { copilot } }));
  }, 60_000);

  const freshHome = (options?: HomeOptions) => {
    homes += 1;
    return prepareCopilotHome(join(root, `${homes}`), model.url, options);
  };
  const spawn = (prompt: string, { env, cwd } = freshHome()): Promise<string> =>
    startWith(daemon, prompt, { provider: 'copilot', working_dir: cwd, env });

  const keys = (id: string, ...pressed: string[]) => daemon.tmux('send-keys', '-t', `=sm-${id}:`, ...pressed);
  const screen = (id: string) => daemon.tmux('capture-pane', '-p', '-t', `=sm-${id}:`);
  const shows = (id: string, wanted: RegExp) =>
    until(`${wanted} on the screen`, async () => wanted.test(await screen(id)), {
      instead: () => screen(id),
    });
  const ended = is('turn ended');

  it('its question whether to trust a folder blocks the session; the prompt goes when it is answered', async () => {
    const home = freshHome({ trusted: false });
    const id = await spawn('hello [[say trusted]]', home);
    const blocked = await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    expect(blocked.question).toMatchObject({
      kind: 'dialog',
      text: expect.stringContaining('Do you trust the files in this folder?'),
    });
    expect(blocked.waiting.count).toBe(1);
    await keys(id, 'Enter');
    expect(await daemon.until(id, ended)).toMatchObject({ end: 'ended', last_words: 'trusted' });
    // Nothing of ours stands in what it keeps for its user.
    for (const name of ['config.json', 'settings.json'])
      expect(readFileSync(join(home.copilotHome, name), 'utf8')).not.toMatch(/hook\.sh|plugin/);
  });

  it('its conversation is the one that we named, and is known before the first prompt', async () => {
    const { env, cwd } = freshHome();
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      ...{ provider: 'copilot', working_dir: cwd, env },
    });
    const ready = await daemon.until(body.id, is('session ready'));
    expect(ready.provider_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await daemon.session(body.id)).toMatchObject({
      ...{ phase: 'idle', transcript_path: null, context: { provider_id: ready.provider_id } },
    });
  });

  it('a list that a human has opened is a question, and nothing is typed into it', async () => {
    const id = await spawn('[[say ready]]');
    await daemon.until(id, ended);
    await shows(id, /^❯ *$/m);
    // Two, as its terminal tells them apart.
    await keys(id, '-H', ...'1b 5b 32 37 75 1b 5b 32 37 75'.split(' '));
    await shows(id, /Rewind to a previous point/);
    await daemon.call('POST', `/sessions/${id}/input`, { text: 'are you there? [[say yes]]' });
    const blocked = await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    expect(blocked.question?.text).toContain('Rewind to a previous point');
    await keys(id, 'Escape');
    expect((await daemon.until(id, is('turn ended', { last_words: 'yes' }))).end).toBe('ended');
  });

  it('agents inside the agent have prompts and turns of their own, which are not the session’s', async () => {
    const id = await spawn('delegate [[agent think about it]] [[say done]]');
    expect(await daemon.until(id, ended)).toMatchObject({ end: 'ended', last_words: 'done' });
    await model.waitForRequest(({ prompt }) => prompt === 'think about it');
    const events = await daemon.events(id);
    expect(events.filter(is('turn began'))).toHaveLength(1);
    expect(events.filter(ended)).toHaveLength(1);
    expect((await daemon.session(id)).context.number).toBe(1);
  });

  it('a command that it leaves running is told with the end of the turn, and begins one when it is done', async () => {
    const home = freshHome();
    const wait = 'until [ -e go-on ]; do timeout 0.1 tail -f /dev/null; done';
    const id = await spawn(`start [[background ${wait}]] [[say started it]]`, home);
    const first = await daemon.until(id, ended);
    expect(first).toMatchObject({ end: 'ended', last_words: 'started it' });
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
    const { message_id } = await sendText(daemon, id, 'meanwhile [[say here]]');
    await daemon.until(id, is('message answered', { message: message_id }));
    const before = (await daemon.events(id)).at(-1)?.number ?? 0;
    writeFileSync(join(home.cwd, 'go-on'), '');
    expect((await daemon.until(id, ended, before)).end).toBe('ended');
  });

  it('goes on while the daemon is away, and is heard out when it is back', async () => {
    const home = freshHome();
    const wait = 'until [ -e go-on ]; do timeout 0.1 tail -f /dev/null; done';
    const id = await spawn(`work [[bash touch away; ${wait}]] [[say all done]]`, home);
    await until('the tool to run', () => existsSync(join(home.cwd, 'away')));
    await daemon.crash();
    writeFileSync(join(home.cwd, 'go-on'), '');
    await daemon.start();
    expect(await daemon.until(id, ended)).toMatchObject({ end: 'ended', last_words: 'all done' });
    const { message_id } = await sendText(daemon, id, 'again [[say here]]');
    await daemon.until(id, is('message answered', { message: message_id }));
  });

  it('hands itself over: the clear is proven by a new conversation, and the document is its first prompt', async () => {
    const home = freshHome();
    const id = await spawn('hello [[say ready]]', home);
    await daemon.until(id, ended);
    const before = await daemon.session(id);
    const document = join(home.cwd, 'notes.md');
    writeFileSync(document, 'Go on with it.');
    await sendText(daemon, id, 'work [[bash sm handoff notes.md]] [[say bye]]');
    await daemon.until(id, is('handoff done'));
    const after = await daemon.session(id);
    expect(after.context).toMatchObject({ number: 2 });
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    await daemon.untilSession(id, ({ transcript_path }) => transcript_path !== null);
    const taken = async () => {
      const { transcript_path } = await daemon.session(id);
      const lines = jsonLines(transcript_path as string) as { type: string; data: { content: string } }[];
      return lines.flatMap(({ type, data }) => (type === 'user.message' ? [data.content] : []));
    };
    await until('the prompt in its file', async () => (await taken()).length > 0);
    expect(await taken()).toEqual([`Read ${document} and continue from where you left off.`]);
  });

  it('a human’s own clear is seen at once, before any prompt', async () => {
    const id = await spawn('[[say ready]]');
    await daemon.until(id, ended);
    await shows(id, /^❯ *$/m);
    await keys(id, '-l', '/clear');
    await shows(id, /^❯ \/clear/m);
    await keys(id, 'Enter');
    await daemon.until(id, is('context began', { context: 2 }));
  });

  it('several that start at once in a fresh home all work', async () => {
    const home = freshHome();
    const ids = await Promise.all(['one', 'two'].map((word) => spawn(`[[say ${word}]]`, home)));
    const ends = await Promise.all(ids.map((id) => daemon.until(id, ended)));
    expect(ends.map(({ last_words }) => last_words)).toEqual(['one', 'two']);
  });
});
