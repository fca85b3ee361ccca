// The real Gemini CLI in a pane: what its hooks and its transcript tell, and that no file of its user's is written by us.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startGeminiServer } from '../model/gemini.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { type GeminiHome, prepareGeminiHome } from './gemini-home.ts';

const { root, keep } = tidy('gemini');

describe('Gemini CLI in a pane', () => {
  let daemon: TestDaemon;
  let home: GeminiHome;
  let id: string;
  let settings: string;
  const settingsFile = () => join(home.env.HOME as string, '.gemini', 'settings.json');
  beforeAll(async () => {
    const model = keep(await startGeminiServer());
    home = prepareGeminiHome(root, model.url);
    settings = readFileSync(settingsFile(), 'utf8');
    const command = process.env.SM_TEST_GEMINI ?? '';
    const config = { gemini: { command, args: ['--approval-mode', 'yolo'] } };
    daemon = keep(await startTestDaemon({ config }));
    const started = { provider: 'gemini', working_dir: home.cwd, env: home.env };
    id = await startWith(daemon, 'greet me [[say hello from the agent]]', started);
  }, 90_000);

  const endOf = async (text: string) => {
    const { number } = (await daemon.events(id)).at(-1) as { number: number };
    await sendText(daemon, id, text);
    return daemon.until(id, is('turn ended'), number);
  };

  it('takes its first prompt on evidence, and ends the turn with its last words', async () => {
    const first = await daemon.until(id, is('turn ended'));
    expect(first).toMatchObject({ end: 'ended', last_words: 'hello from the agent' });
    expect((await daemon.session(id)).model).toBe('gemini-2.5-pro');
  });

  it('gives its tools the session and its key', async () => {
    expect(await endOf('report [[bash sm status "half way"]] [[say reported]]')).toMatchObject({
      end: 'ended',
      last_words: 'reported',
    });
    expect((await daemon.session(id)).agent_status_text).toBe('half way');
  });

  it('fails a turn with the error that the model gave', async () => {
    expect(await endOf('fail [[fail no such thing]]')).toMatchObject({
      end: 'failed',
      last_words: 'no such thing',
    });
  });

  it('hands its work over to a new context, which is told to read the document', async () => {
    const path = join(home.cwd, 'notes.md');
    writeFileSync(path, 'Step two is next.');
    const before = await daemon.session(id);
    await sendText(daemon, id, 'work [[bash sm handoff notes.md]] [[say bye]]');
    const { number } = await daemon.until(id, is('context began', { context: before.context.number + 1 }));
    await daemon.until(id, is('handoff done', { path }));
    await daemon.until(id, is('turn ended'), number);
    const after = await daemon.session(id);
    expect(after.last_handoff_path).toBe(path);
    expect(after.context.number).toBe(before.context.number + 1);
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    expect(readFileSync(after.transcript_path as string, 'utf8')).toContain(`Read ${path} and continue`);
  });

  it('leaves the files of its user as they were', () => {
    expect(readFileSync(settingsFile(), 'utf8')).toBe(settings);
    expect(existsSync(join(home.env.HOME as string, '.gemini', 'extensions'))).toBe(false);
  });
});
