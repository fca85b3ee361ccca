// Hooks in the user's own settings, on the real Claude Code: in a session that was started by hand, and in one of sm.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStandIn, sessionId } from '../hooks/stand-in.ts';
import { startModelServer } from '../model/anthropic.ts';
import { startTestDaemon } from '../support/daemon.ts';
import { is } from '../support/talk.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { composer } from './claude-screen.ts';
import { launchPane } from './pane.ts';

const program = process.env.SM_TEST_CLAUDE ?? '';
const own = `{
  "statusLine": { "type": "command", "command": "echo 'my own line'" }
}`;

/** To be asked for first: what is made first is removed last, when nobody writes into it any more. */
function temporaryRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'sm-user-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  return root;
}

/** A user who has a status line of his own, and has installed the hooks. */
async function prepareUser(root: string, stateDir: string) {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const home = prepareClaudeHome(root, model.url);
  const settings = join(home.configDir, 'settings.json');
  writeFileSync(settings, own);
  const sm = (...args: string[]) =>
    execFileSync(process.execPath, [join(import.meta.dirname, '../../dist/sm.cjs'), ...args], {
      env: { ...home.env, SM_HOME: stateDir },
      encoding: 'utf8',
    });
  sm('hooks', 'install');
  return { ...home, settings, sm };
}

test.each([
  ['one of ours is followed', { CLAUDE_SESSION_MANAGER_ID: sessionId }, true],
  [
    'with hooks of its own is not reported',
    { CLAUDE_SESSION_MANAGER_ID: sessionId, SM_SESSION_HOOKS: '1' },
    false,
  ],
  ['nobody’s is left alone', {}, false],
] as const)(
  'a session that was started by hand and is %s, with the status line of its user',
  async (_, more, told) => {
    const root = temporaryRoot();
    const daemon = createStandIn();
    onTestFinished(() => daemon.close());
    await daemon.listen();
    const { env, cwd, settings, sm } = await prepareUser(root, daemon.home);
    const pane = await launchPane({
      argv: [program, '--dangerously-skip-permissions'],
      env: { ...env, ...more },
      cwd,
    });
    onTestFinished(() => pane.close());
    await pane.shows('an empty composer', (screen) => composer(screen) === '');
    await pane.submit('hello [[say hello back]]');
    await pane.shows('the answer', ({ text }) => /^● hello back/m.test(text));
    await pane.shows('the status line of the user', ({ text }) => text.includes('my own line'));
    // Its last hook runs before it is gone, and all others before that.
    await pane.submit('/exit');
    await pane.ended();

    const names = () =>
      daemon.posted
        .filter(({ headers }) => headers['x-sm-kind'] === 'hook')
        .map(({ body }) => (JSON.parse(body) as { hook_event_name: string }).hook_event_name);
    if (told) {
      await until('the end of the session', () => names().includes('SessionEnd'));
      expect(names()).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']);
      expect(daemon.posted.some(({ headers }) => headers['x-sm-kind'] === 'status')).toBe(true);
    } else {
      expect(daemon.posted).toEqual([]);
      expect(daemon.spooled()).toEqual([]);
    }
    sm('hooks', 'uninstall');
    // The agent has written into the same file meanwhile, in its own manner: that stays.
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
      ...JSON.parse(own),
      skipDangerousModePermissionPrompt: true,
    });
  },
);

test('a session that sm starts tells each fact once, and shows the status line of its user', async () => {
  const root = temporaryRoot();
  const daemon = await startTestDaemon({
    config: { claude: { command: program, args: ['--dangerously-skip-permissions'] } },
  });
  onTestFinished(() => daemon.dispose());
  const { env, cwd } = await prepareUser(root, daemon.home);
  const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
    prompt: 'hello [[say hello back]]',
    provider: 'claude',
    working_dir: cwd,
    env,
  });
  const id = body.session_id;
  await daemon.until(id, is('turn ended'));
  await daemon.untilSession(id, ({ context }) => context.used_percentage !== null);
  await until('the status line of the user', async () =>
    (await daemon.tmux('capture-pane', '-p', '-t', `=sm-${id}:`)).includes('my own line'),
  );
  const events = await daemon.events(id);
  expect(events.filter(is('turn ended'))).toHaveLength(1);
  expect(events.filter(is('fact-set-aside'))).toEqual([]);
});
