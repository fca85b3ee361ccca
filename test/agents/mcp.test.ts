// The real Claude Code, in a terminal and without one, uses the commands of sm as tools: as its session, with nothing but
// the profile that gives them to it.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import type { ModelServer } from '../model/server.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareClaudeHome } from './claude-home.ts';

describe.each(['claude', 'claude-app'])('%s', (provider) => {
  const { root, keep } = tidy('mcp');
  let daemon: TestDaemon;
  let model: ModelServer;

  beforeAll(async () => {
    model = keep(await startModelServer());
    const agent = {
      command: process.env.SM_TEST_CLAUDE ?? '',
      args: ['--dangerously-skip-permissions'],
      default_model: 'claude-sonnet-4-5-20250929',
    };
    daemon = keep(
      await startTestDaemon({
        config: { claude: agent, claude_app: agent, profiles: { tools: { mcp: true } } },
      }),
    );
  }, 60_000);

  it('reports its status by a tool', async () => {
    const { env, cwd } = prepareClaudeHome(root, model.url);
    const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
      prompt: 'report [[tool mcp__sm__status {"arguments":["half way"]}]] [[say reported]]',
      provider,
      working_dir: cwd,
      env,
      options: { profile: 'tools' },
    });
    const id = body.session_id;
    expect(await daemon.until(id, is('status-reported'))).toMatchObject({ text: 'half way' });
    expect(await daemon.until(id, is('turn ended'))).toMatchObject({ last_words: 'reported' });
  }, 60_000);

  it('reports it by a port as well, with the key of its session', async () => {
    const program = spawn(join(daemon.home, 'bin/sm'), ['mcp', '--http'], {
      env: { ...process.env, SM_HOME: daemon.home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const { value } = await createInterface({ input: program.stdout })[Symbol.asyncIterator]().next();
      const url = /http:\S+mcp/.exec(value as string)?.[0];
      const file = join(root, 'mcp.json');
      const headers = { Authorization: `Bearer \${SM_CALLER}` };
      writeFileSync(file, JSON.stringify({ mcpServers: { sm: { type: 'http', url, headers } } }));
      const { env, cwd } = prepareClaudeHome(root, model.url);
      const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
        prompt: 'report [[tool mcp__sm__status {"arguments":["all done"]}]] [[say reported]]',
        provider,
        working_dir: cwd,
        env,
        options: { mcp_configs: [file] },
      });
      expect(await daemon.until(body.session_id, is('status-reported'))).toMatchObject({ text: 'all done' });
    } finally {
      program.kill();
    }
  }, 60_000);
});
