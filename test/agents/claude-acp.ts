// Claude Code by the Agent Client Protocol, through its adapter.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from '../model/anthropic.ts';
import { jsonLines } from '../support/json-lines.ts';
import type { AcpAgent } from './acp-under-test.ts';
import { type ClaudeHome, prepareClaudeHome } from './claude-home.ts';

const ANTHROPIC_MODEL = 'claude-sonnet-4-5-20250929';

export const claude: AcpAgent<ClaudeHome> = {
  name: 'claude-acp',
  like: 'claude-agent-acp',
  command: process.env.SM_TEST_CLAUDE_AGENT_ACP ?? '',
  trusting: () => ({ env: { ANTHROPIC_MODEL } }),
  asking: ({ configDir }) => ({ env: { ANTHROPIC_MODEL, CLAUDE_CONFIG_DIR: `${configDir}-asking` } }),
  model: startModelServer,
  home(root, url) {
    const home = prepareClaudeHome(root, url);
    cpSync(home.configDir, `${home.configDir}-asking`, { recursive: true });
    const settings = { permissions: { defaultMode: 'bypassPermissions' } };
    writeFileSync(join(home.configDir, 'settings.json'), JSON.stringify(settings));
    return home;
  },
  taken({ configDir, cwd }, { context }) {
    const folder = join(configDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
    return jsonLines(join(folder, `${context.provider_id}.jsonl`)).flatMap(({ type, promptId, message }) =>
      type === 'user' && promptId ? textsIn(message.content) : [],
    );
  },
  heavy: true,
};

type Block = { readonly type: string; readonly text?: string };

const textsIn = (content: string | Block[]): string[] =>
  typeof content === 'string'
    ? [content]
    : content.flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
