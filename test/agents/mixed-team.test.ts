// A team of four kinds of real agents: a manager in a pane leads three workers without a terminal, from its own shell. One
// of them is moved into a terminal while it works, and goes on there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startChatServer } from '../model/chat.ts';
import { startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';
import { prepareOpencodeHome } from './opencode-home.ts';

const { root, keep } = tidy('mixed-team');
const workers = ['claude-app', 'codex-app', 'opencode-app'] as const;
let daemon: TestDaemon;
let claude: Awaited<ReturnType<typeof startModelServer>>;
let cwd: string;
let env: Record<string, string>;
let manager: string;

beforeAll(async () => {
  claude = keep(await startModelServer());
  const codex = keep(await startResponsesServer());
  const chat = keep(await startChatServer());
  const codexHome = prepareCodexHome(join(root, 'codex'), codex.url);
  cwd = codexHome.cwd;
  const opencode = prepareOpencodeHome(join(root, 'opencode'), chat.url).env;
  env = {
    ...opencode,
    // Each looks for its own things at a place of its own.
    XDG_CONFIG_HOME: `${opencode.HOME}/.config`,
    ...codexHome.env,
    ...prepareClaudeHome(join(root, 'claude'), claude.url, { cwd }).env,
  };
  const ofClaude = {
    command: process.env.SM_TEST_CLAUDE,
    args: ['--dangerously-skip-permissions'],
    default_model: 'claude-sonnet-4-5-20250929',
  };
  daemon = keep(
    await startTestDaemon({
      config: {
        claude: ofClaude,
        claude_app: ofClaude,
        codex_app: { command: process.env.SM_TEST_CODEX },
        opencode_app: { command: process.env.SM_TEST_OPENCODE },
      },
    }),
  );
  manager = await startWith(daemon, 'lead [[say at your service]]', {
    ...{ provider: 'claude', name: 'manager', working_dir: cwd, env },
  });
  await daemon.until(manager, is('turn ended'));
}, 120_000);

/** The manager does it in its own shell, in a turn of its own. */
async function manage(command: string): Promise<string> {
  const { message_id: message } = await sendText(
    daemon,
    manager,
    `manage [[bash ${command} > out 2>&1]] [[say ok]]`,
  );
  await daemon.until(manager, is('message answered', { message }));
  return readFileSync(join(cwd, 'out'), 'utf8');
}
const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
/** How often the manager itself has been told these words. */
const told = async (...words: string[]) =>
  (await promptsOf(daemon, manager)).filter((text) => words.every((word) => text.includes(word))).length;
const hears = (...words: string[]) =>
  until(`"${words.join('" and "')}" in what the manager has`, async () => (await told(...words)) === 1);

describe('a manager in a pane and three kinds of workers without a terminal', () => {
  it('are spawned from its shell, and it hears of the first turn of each', async () => {
    for (const kind of workers) {
      write(`${kind}.txt`, `hello [[say ${kind} is ready]]`);
      expect(await manage(`sm spawn ${kind} --file ${kind}.txt --name ${kind}`)).toContain(`Spawned ${kind}`);
    }
    for (const kind of workers) await hears(`[sm] ${kind} stopped:`, `${kind} is ready`);
    const { stdout } = await daemon.sm('children', 'manager', '--json');
    const providers = (JSON.parse(stdout) as { children: { provider: string }[] }).children;
    expect(providers.map(({ provider }) => provider).sort()).toEqual([...workers]);
  });

  it('work at the same time, and the end of each is told once', async () => {
    for (const kind of workers)
      write(`${kind}.txt`, `go on [[bash echo ${kind} >> done]] [[say ${kind} has done it]]`);
    await manage(workers.map((kind) => `sm send ${kind} --file ${kind}.txt`).join(' && '));
    for (const kind of workers) await hears(`[sm] ${kind} stopped:`, `${kind} has done it`);
    expect(readFileSync(join(cwd, 'done'), 'utf8').trim().split('\n').sort()).toEqual([...workers]);
  });

  it('one is moved into a terminal while it works; whoever waits for it is told, and it goes on there', async () => {
    write('long.txt', 'take your time [[sleep 600]]');
    await manage('sm send claude-app --file long.txt');
    await claude.waitForRequest(({ prompt }) => prompt.includes('take your time'));
    const before = await daemon.session('claude-app');
    expect(before.phase).toBe('working');
    expect(await daemon.smWith(env, 'takeover', 'claude-app', '--now', '--no-attach')).toMatchObject({
      code: 0,
      stderr: '',
    });
    await hears('claude-app', 'interrupted');
    const moved = await daemon.untilSession('claude-app', ({ phase }) => phase === 'idle');
    expect(moved).toMatchObject({
      provider: 'claude',
      parent_session_id: manager,
      context: { number: before.context.number },
    });
    write('on.txt', 'and now [[say it goes on in a terminal]]');
    await manage('sm send claude-app --file on.txt');
    await hears('[sm] claude-app stopped:', 'it goes on in a terminal');
  });
});
