// Watchers: sessions that want to hear once when this one has nothing more to do, has ended, or is not done in time.

import { holdOf } from '../core/budget.ts';
import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { Message } from '../core/message.ts';
import { modes } from '../core/names.ts';
import { isCommand, type Watcher } from '../core/parts.ts';
import { invalid } from '../core/refusal.ts';
import { agentOf, phaseOf, type Session } from '../core/session.ts';
import { unrecognisedSince } from '../life/recognition.ts';
import { tellWatcher } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';

export function watch(c: Change, input: Extract<Input, { type: 'watch' }>): Refusal | undefined {
  const { id, by, seconds } = input;
  if (by === c.session.id) return invalid('A session cannot watch itself.');
  if (c.session.watchers.some((each) => each.id === id)) return undefined;
  const watcher = { id, by, seconds, until: c.now + seconds * 1_000 };
  c.update({ watchers: [...c.session.watchers, watcher] });
  c.emit({ type: 'watched', watch: id, by, seconds });
  return undefined;
}

/** Called after every input: whoever waits for what is the case now is told so, and waits no more. */
export function tellWatchers(c: Change): void {
  const { session } = c;
  if (session.watchers.length === 0) return;
  const end = endOf(session, [...modes.flatMap((mode) => first(c.waiting(mode)))], [...c.active()]);
  const told = session.watchers.filter(({ until }) => end !== null || c.now >= until);
  if (told.length === 0) return;
  c.update({ watchers: session.watchers.filter((each) => !told.includes(each)) });
  for (const watcher of told) tellWatcher(c, watcher, end ?? notInTime(session, watcher));
}

/**
 * What ends every wait for this session, in words; null while there is something to wait for: whoever has just sent a
 * message waits for what comes of it. But what the pane holds back may stay there for ever, so that is not waited for.
 */
export function endOf(
  session: Session,
  firstWaiting: readonly Message[],
  active: readonly Message[],
): string | null {
  const { process } = session;
  if (process.state === 'exited' || process.state === 'lost') return `${wording.howItEnded(process)}.`;
  const hold = holdOf(session);
  const isHeldBack = hold !== null && phaseOf(session) === 'blocked' && !session.question;
  if (isHeldBack && active.length === 0) return `is held: ${hold.why}.`;
  if (process.state !== 'running' || phaseOf(session) !== 'idle') return null;
  if (active.length > 0 || session.clear || (session.attempt && isCommand(session.attempt))) return null;
  const isHeld = firstWaiting.some(({ state }) => state.is === 'held');
  return firstWaiting.length === 0 || isHeld ? `is idle${screenIn(session, ', but')}.` : null;
}

function notInTime(session: Session, { seconds }: Watcher): string {
  const phase = phaseOf(session);
  const why = phase === 'idle' ? 'sm is typing into it' : `it is ${phase}`;
  return `is not idle after ${wording.counted(seconds, 'second')}: ${why}${screenIn(session, ', and')}.`;
}

const screenIn = (session: Session, and: string): string =>
  unrecognisedSince(session) === null ? '' : `${and} its screen is not recognised (${agentOf(session)})`;

function first<T>(values: Iterable<T>): T[] {
  for (const value of values) return [value];
  return [];
}
