// Whose a session id is: a new conversation needs one that nobody ever used, a resumed one must be there.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Options, UsageError } from './args.ts';
import type { Paths } from './paths.ts';
import { newId } from './session.ts';
import { type History, readHistory } from './transcript.ts';

export function claimSession(options: Options, paths: Paths): { id: string; history: History | null } {
  const { resume } = options;
  const history = resume === null ? null : readHistory(paths.transcript(resume));
  if (resume !== null && !history) throw new UsageError(`No conversation found with session ID: ${resume}`);
  const isNew = !history || options.fork;
  const id = (isNew ? options.sessionId : resume) ?? newId();
  if (isNew && isInUse(paths, id)) throw new UsageError(`Error: Session ID ${id} is already in use.`);
  lock(paths, id);
  return { id, history };
}

/** A conversation that exists can only be resumed, whether or not a process still has it. */
function isInUse(paths: Paths, id: string): boolean {
  if (existsSync(paths.transcript(id))) return true;
  try {
    return process.kill(Number(readFileSync(paths.lock(id), 'utf8')), 0);
  } catch {
    return false;
  }
}

export function lock(paths: Paths, id: string): void {
  writeFileSync(paths.lock(id), String(process.pid));
  writeFileSync(
    paths.process(process.pid),
    JSON.stringify({ pid: process.pid, sessionId: id, cwd: process.cwd(), procStart: startTime() }),
  );
}

export function unlock(paths: Paths, id: string): void {
  rmSync(paths.lock(id), { force: true });
}

/** The process ends: it has nothing open any more. */
export const leaveProcess = (paths: Paths): void => rmSync(paths.process(process.pid), { force: true });

function startTime(): string | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}
