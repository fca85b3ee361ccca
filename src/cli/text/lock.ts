// A lock in words.
import type { LockView } from '../../protocol/lock.ts';
import { directory } from './directory.ts';
import { oneLine } from './safe.ts';
import { duration } from './time.ts';

/** `"REASON" for 5m, enforced, 2 wait`: all but where, and whose. */
export function lockState({ reason, since, enforced, waiting_session_ids: waiting }: LockView, now: number) {
  return [
    `"${oneLine(reason)}" for ${duration(now - Date.parse(since))}`,
    ...(enforced ? ['enforced'] : []),
    ...(waiting.length === 0 ? [] : [`${waiting.length} wait${waiting.length === 1 ? 's' : ''}`]),
  ].join(', ');
}

/** `lead (66a8c9ee) holds ~/project: "REASON" for 5m` */
export function lockLine(lock: LockView, now: number): string {
  const owner = `${oneLine(lock.session_name)} (${lock.session_id})`;
  return `${owner} holds ${directory(lock.workspace)}: ${lockState(lock, now)}`;
}
