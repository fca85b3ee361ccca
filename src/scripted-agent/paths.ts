// Where the scripted agent keeps its things, and the lock that makes a session id belong to one live process.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** A conversation that exists can only be resumed, whether or not a process still has it. */
export const inUse = (paths: Paths, sessionId: string): boolean =>
  existsSync(paths.transcript(sessionId)) || isLocked(paths, sessionId);

export function isLocked(paths: Paths, sessionId: string): boolean {
  try {
    process.kill(Number(readFileSync(paths.lock(sessionId), 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

export const lock = (paths: Paths, sessionId: string): void =>
  writeFileSync(paths.lock(sessionId), String(process.pid));

export const unlock = (paths: Paths, sessionId: string): void =>
  rmSync(paths.lock(sessionId), { force: true });
