// A private home for the real Copilot: its own configuration, a dummy key that only the stand-in model accepts, and an
// environment in which nothing of the developer's own setup can be read or changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonLines } from '../support/json-lines.ts';

export interface CopilotHome {
  /** The whole environment to launch with; nothing else may be inherited. */
  env: Record<string, string>;
  cwd: string;
  copilotHome: string;
}

export interface HomeOptions {
  /** Without trust, the agent asks at start whether the directory is trusted. */
  trusted?: boolean;
  /** It counts tokens itself, and refuses what is more. */
  windowSize?: number;
}

export const copilotProgram = process.env.SM_TEST_COPILOT ?? '';

export function prepareCopilotHome(dir: string, modelUrl: string, options: HomeOptions = {}): CopilotHome {
  const { trusted = true, windowSize = 200_000 } = options;
  const [home, copilotHome, cwd] = ['home', 'copilot', 'work'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, copilotHome, cwd]) mkdirSync(path, { recursive: true });
  execFileSync('git', ['init', '-q', cwd]);
  const write = (name: string, json: object) => writeFileSync(join(copilotHome, name), JSON.stringify(json));
  write('config.json', trusted ? { trustedFolders: [cwd] } : {});
  // The animation takes seconds, and the tip is another one each time.
  write('settings.json', { banner: 'never', showTipsOnStartup: false });
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    COPILOT_HOME: copilotHome,
    // It unpacks 230 MB there at its first start.
    XDG_CACHE_HOME: join(dirname(copilotProgram), 'unpacked'),
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'standin-model',
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: `${windowSize}`,
    COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: '8000',
  };
  return { env, cwd, copilotHome };
}

/** Every text that the agent has taken in a conversation, from its own events. */
export function takenBy({ copilotHome }: CopilotHome, conversation: string): string[] {
  const log = join(copilotHome, 'session-state', conversation, 'events.jsonl');
  return jsonLines(log).flatMap(({ type, data }) => (type === 'user.message' ? [String(data.content)] : []));
}
