// A private home for the real Gemini CLI: its own settings, a dummy key that only the stand-in model accepts, and an
// environment in which nothing of the developer's own setup can be read or changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface GeminiHome {
  /** The whole environment to launch with; nothing else may be inherited. */
  env: Record<string, string>;
  cwd: string;
}

export function prepareGeminiHome(dir: string, modelUrl: string): GeminiHome {
  const [home, cwd] = [join(dir, 'home'), join(dir, 'work')];
  for (const path of [join(home, '.gemini'), cwd]) mkdirSync(path, { recursive: true });
  execFileSync('git', ['init', '-q', cwd]);
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    GEMINI_API_KEY: 'dummy',
    GOOGLE_GEMINI_BASE_URL: modelUrl,
  };
  return { env, cwd };
}

const settings = {
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // A fixed one: otherwise a model is asked which model to use.
  model: { name: 'gemini-2.5-pro' },
};
