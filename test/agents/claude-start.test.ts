// What the real Claude Code shows a newcomer before it starts: sm shows it, and never answers it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, untilScreen } from '../support/talk.ts';
import { prepareClaudeHome } from './claude-home.ts';

const command = process.env.SM_TEST_CLAUDE ?? '';
let daemon: TestDaemon;
let model: Awaited<ReturnType<typeof startModelServer>>;
const root = mkdtempSync(join(tmpdir(), 'sm-claude-start-'));

beforeAll(async () => {
  model = await startModelServer();
  daemon = await startTestDaemon({
    config: { claude: { command, args: ['--dangerously-skip-permissions'] } },
  });
});
afterAll(async () => {
  await daemon?.dispose();
  await model?.close();
  rmSync(root, { recursive: true, force: true });
});

describe('a dialog at the start of Claude Code', () => {
  it('blocks the session with its text; the prompt waits, and goes when the human has answered', async () => {
    const { env, cwd } = prepareClaudeHome(root, model.url, { trusted: false });
    const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
      prompt: 'hello [[say trusted]]',
      provider: 'claude',
      working_dir: cwd,
      env,
    });
    const id = body.session_id;
    const blocked = await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    expect(blocked.question).toMatchObject({ kind: 'dialog', text: expect.stringMatching(/trust/i) });
    expect(blocked.waiting.count).toBe(1);

    const pane = `=sm-${id}:`;
    await daemon.tmux('send-keys', '-t', pane, 'Down');
    await untilScreen(daemon, id, /❯ Yes, I trust/);
    await daemon.tmux('send-keys', '-t', pane, 'Enter');
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'trusted' });
  }, 60_000);
});
