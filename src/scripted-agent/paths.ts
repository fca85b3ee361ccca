// Where the scripted agent keeps its things.

import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Paths {
  transcript(sessionId: string): string;
  lock(sessionId: string): string;
}

export function createPaths(env: NodeJS.ProcessEnv, cwd: string): Paths {
  const config = env.SCRIPTED_CONFIG_DIR || join(env.HOME || homedir(), '.scripted-agent');
  const project = join(config, 'projects', cwd.replace(/[/.]/g, '-'));
  const locks = join(config, 'locks');
  mkdirSync(project, { recursive: true });
  mkdirSync(locks, { recursive: true });
  return {
    transcript: (sessionId) => join(project, `${sessionId}.jsonl`),
    lock: (sessionId) => join(locks, sessionId),
  };
}
