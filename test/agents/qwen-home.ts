// A private home for the real Qwen Code: its own configuration, a dummy key that only the stand-in model accepts, and an
// environment in which nothing of the developer's own setup can be read or changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface QwenHome {
  /** The whole environment to launch with; nothing else may be inherited. */
  env: Record<string, string>;
  cwd: string;
}

/** `window`: how large its context may be, in tokens. */
export function prepareQwenHome(dir: string, modelUrl: string, window = 200_000): QwenHome {
  const [home, cwd] = [join(dir, 'home'), join(dir, 'work')];
  for (const path of [join(home, '.qwen'), cwd]) mkdirSync(path, { recursive: true });
  execFileSync('git', ['init', '-q', cwd]);
  writeFileSync(join(home, '.qwen/settings.json'), JSON.stringify(settings(window)));
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    OPENAI_API_KEY: 'dummy',
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_MODEL: 'standin-model',
  };
  return { env, cwd };
}

const settings = (window: number) => ({
  security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // These ask the model on their own account, after every turn.
  ui: { enableFollowupSuggestions: false },
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
  tools: { approvalMode: 'yolo' },
  model: { name: 'standin-model', generationConfig: { contextWindowSize: window } },
});
