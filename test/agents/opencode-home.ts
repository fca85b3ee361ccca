// A private home for the real opencode: its own configuration, a dummy key that only the stand-in model accepts, and an
// environment in which nothing of the developer's own setup can be read or changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

export interface OpencodeHome {
  /** The whole environment to launch with; nothing else may be inherited. */
  env: Record<string, string>;
  cwd: string;
}

export function prepareOpencodeHome(dir: string, modelUrl: string): OpencodeHome {
  const [home, cwd] = [join(dir, 'home'), join(dir, 'work')];
  for (const path of [join(home, '.config/opencode'), cwd]) mkdirSync(path, { recursive: true });
  execFileSync('git', ['init', '-q', cwd]);
  writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify(config(modelUrl)));
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    // Without a network it would wait for these.
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  };
  return { env, cwd };
}

const model = 'standin/standin-model';

const config = (modelUrl: string) => ({
  ...{ autoupdate: false, share: 'disabled', snapshot: false },
  ...{ model, small_model: model, enabled_providers: ['standin'] },
  permission: { '*': 'allow' },
  provider: {
    standin: {
      ...{ npm: '@ai-sdk/openai-compatible', name: 'standin' },
      options: { baseURL: `${modelUrl}/v1`, apiKey: 'dummy' },
      models: {
        'standin-model': { name: 'standin', tool_call: true, limit: { context: 200_000, output: 8_000 } },
      },
    },
  },
});

/** Every text that the agent has taken in a conversation, from its own database. */
export function takenBy({ env }: OpencodeHome, conversation: string): string[] {
  const path = join(env.HOME as string, '.local/share/opencode/opencode.db');
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database
      .prepare(
        `select part.data from part join message on message.id = part.message_id
         where part.session_id = ? and json_extract(message.data, '$.role') = 'user'
         and json_extract(part.data, '$.type') = 'text' order by part.id`,
      )
      .all(conversation) as { data: string }[];
    return rows.map(({ data }) => JSON.parse(data) as { text: string }).map(({ text }) => text);
  } finally {
    database.close();
  }
}
