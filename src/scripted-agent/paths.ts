// Where the scripted agent keeps its things.

import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Paths {
  transcript(sessionId: string): string;
  lock(sessionId: string): string;
  /** Says which conversation a process has open. */
  process(pid: number): string;
}

export function createPaths(env: NodeJS.ProcessEnv, cwd: string): Paths {
  const config = env.SCRIPTED_CONFIG_DIR || join(env.HOME || homedir(), '.scripted-agent');
  const project = join(config, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'));
  const locks = join(config, 'locks');
  mkdirSync(project, { recursive: true });
  const processes = join(config, 'sessions');
  mkdirSync(locks, { recursive: true });
  mkdirSync(processes, { recursive: true });
  return {
    transcript: (sessionId) => join(project, `${sessionId}.jsonl`),
    lock: (sessionId) => join(locks, sessionId),
    process: (pid) => join(processes, `${pid}.json`),
  };
}
