// Each option that a provider declares reaches the real agent: as its process shows, and as its model is told. And so it
// does in the next context, and after a restore from another shell.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startResponsesServer } from '../model/responses.ts';
import { agentProcess } from '../support/agent-process.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';

const { root, keep } = tidy('options');
const shared = join(root, 'shared');
const mcp = join(root, 'mcp.json');
const mcpStarts = join(root, 'mcp-started');
let daemon: TestDaemon;
let claude: Awaited<ReturnType<typeof startModelServer>>;
let codex: Awaited<ReturnType<typeof startResponsesServer>>;
let homes: { readonly claude: Home; readonly codex: Home };

interface Home {
  readonly env: Record<string, string>;
  readonly cwd: string;
}

beforeAll(async () => {
  mkdirSync(shared);
  // All that is asked of it is that it was started.
  const server = { command: '/bin/sh', args: ['-c', `touch '${mcpStarts}'`] };
  writeFileSync(mcp, JSON.stringify({ mcpServers: { local: server } }));
  claude = keep(await startModelServer());
  codex = keep(await startResponsesServer());
  homes = {
    claude: prepareClaudeHome(join(root, 'claude'), claude.url),
    codex: prepareCodexHome(join(root, 'codex'), codex.url),
  };
  daemon = keep(
    await startTestDaemon({
      config: {
        claude: { command: process.env.SM_TEST_CLAUDE, default_model: 'claude-haiku-4-5-20251001' },
        codex: { command: process.env.SM_TEST_CODEX },
        codex_app: { command: process.env.SM_TEST_CODEX },
      },
    }),
  );
}, 60_000);

interface Case {
  readonly provider: string;
  readonly home: Home;
  readonly options: object;
  readonly model: string;
  /** What the model is asked, in a turn whose prompt has this word. */
  readonly asked: (word: string) => Promise<unknown>;
  /** What of it must stand there. */
  readonly told: readonly RegExp[];
}

async function start({ provider, home, options, model }: Case, prompt: string): Promise<string> {
  return startWith(daemon, prompt, {
    ...{ provider, working_dir: home.cwd, env: home.env, model },
    options: { ...options, env: { MINE: 'a value', [account(provider)]: home.env[account(provider)] } },
  });
}

const account = (provider: string) => (provider === 'claude' ? 'CLAUDE_CONFIG_DIR' : 'CODEX_HOME');

async function arrives(given: Case, id: string, word: string): Promise<void> {
  const request = JSON.stringify(await given.asked(word));
  for (const words of [...given.told, new RegExp(`"model":"${given.model}"`)]) expect(request).toMatch(words);
  await daemon.until(id, is('turn ended', { last_words: word }));
}

/** All its life: started, in its next context, and started again by somebody who has nothing of this. */
async function throughItsLife(given: Case): Promise<void> {
  const id = await start(given, `first ${given.provider} [[say begun]]`);
  await arrives(given, id, 'begun');
  const first = await agentProcess(daemon, id);
  expect(first.env.MINE).toBe('a value');
  await daemon.call('POST', `/sessions/${id}/clear`, {});
  await sendText(daemon, id, 'second [[say cleared]]');
  await arrives(given, id, 'cleared');
  const { number } = (await daemon.events(id)).at(-1) as { number: number };
  process.kill(first.pid, 'SIGKILL');
  await daemon.until(id, is('session exited'), number);
  const { [account(given.provider)]: _, ...env } = given.home.env;
  expect((await daemon.call('POST', `/sessions/${id}/restore`, { env })).status).toBe(200);
  await sendText(daemon, id, 'third [[say restored]]');
  await arrives(given, id, 'restored');
  const again = await agentProcess(daemon, id);
  expect(again.pid).not.toBe(first.pid);
  expect(again.env).toMatchObject({ MINE: 'a value', [account(given.provider)]: expect.any(String) });
}

const asks =
  (model: typeof claude | typeof codex, isTurn: (body: string) => boolean = () => true) =>
  async (word: string) =>
    (
      await model.waitForRequest(
        ({ prompt, body }) => prompt.includes(`[[say ${word}]]`) && isTurn(JSON.stringify(body)),
        60_000,
      )
    ).body;

describe('the options of a session', () => {
  it('reach Claude Code', async () => {
    await throughItsLife({
      provider: 'claude',
      home: homes.claude,
      model: 'claude-sonnet-4-5-20250929',
      options: {
        permission_mode: 'plan',
        add_dirs: [shared],
        mcp_configs: [mcp],
        args: ['--append-system-prompt', 'Speak of xyzzy.'],
      },
      asked: asks(claude),
      told: [
        /Plan mode is active/i,
        new RegExp(`Additional working directories.{0,40}${shared}`),
        /Speak of xyzzy/,
      ],
    });
    await until('the MCP server to be started', () => existsSync(mcpStarts));
  }, 180_000);

  // What it asks for the title of a thread is no turn of the agent.
  const isTurn = (body: string) => !body.includes('thread_title');

  it('reach Codex', async () => {
    await throughItsLife({
      provider: 'codex',
      home: homes.codex,
      model: 'other-model',
      options: {
        permission_mode: 'auto',
        add_dirs: [shared],
        args: ['-c', 'model_reasoning_effort="high"'],
      },
      asked: asks(codex, (body) => isTurn(body) && body.includes('other-model')),
      told: [
        /`sandbox_mode` is `workspace-write`/,
        new RegExp(`writable roots are [^.]*${shared}`),
        /"effort":"high"/,
      ],
    });
  }, 180_000);

  it('reach Codex without a terminal', async () => {
    await throughItsLife({
      provider: 'codex-app',
      home: homes.codex,
      model: 'app-model',
      options: { permission_mode: 'read-only', args: ['-c', 'model_reasoning_effort="high"'] },
      asked: asks(codex, (body) => isTurn(body) && body.includes('app-model')),
      told: [/`sandbox_mode` is `read-only`/, /How to request escalation/, /"effort":"high"/],
    });
  }, 180_000);
});
