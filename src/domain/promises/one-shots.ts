// One-shot reminders: a text at its time, once or again and again. They are promises, so they outlive everything but
// the session that they are for.

import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { OneShot } from '../core/parts.ts';
import { conflict, invalid, notRunning } from '../core/refusal.ts';
import { isRetired, named, type Session } from '../core/session.ts';
import { longestDelay } from '../core/thresholds.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { takeBack } from '../delivery/queue.ts';
import * as wording from '../notices/wording.ts';

/** How long one waits for a compaction to end: it is a promise, and a compaction can be believed in for too long. */
export const compactionPatience = 300_000;
const longestText = 10_000;
/** They are stored with their session, and written with its every change. */
const mostPerSession = 200;

export function setOneShot(c: Change, input: Extract<Input, { type: 'remind-once' }>): Refusal | undefined {
  const { id, from, seconds, every, text } = input;
  if (c.session.oneShots.some((each) => each.id === id)) return undefined;
  const bad = checkDelay(seconds) ?? (every === null ? undefined : checkInterval(every));
  if (bad) return bad;
  if (text.trim() === '' || text.length > longestText)
    return invalid(`A reminder needs a text of 1 to ${longestText} characters.`);
  if (c.session.oneShots.length >= mostPerSession)
    return conflict(`The session already has ${mostPerSession} pending reminders, the most it can have.`, {
      is: 'too-many',
      of: 'reminders',
      session: named(c.session),
      most: mostPerSession,
    });
  if (isRetired(c.session) || c.session.process.state === 'ending') return notRunning(c.session);
  const at = c.now + seconds * 1_000;
  c.update({ oneShots: [...c.session.oneShots, { id, at, text, from, every, last: null }] });
  c.emit({ type: 'one-shot', step: 'set', reminder: id, due: at, every });
  return undefined;
}

function checkDelay(seconds: number): Refusal | undefined {
  if (Number.isFinite(seconds) && seconds >= 1 && seconds <= longestDelay) return undefined;
  return invalid(`The delay must be 1 to ${longestDelay} seconds, not ${seconds}.`);
}

/** Each one interrupts the agent, which is to get something else done, too. */
const shortestInterval = 10;

function checkInterval(seconds: number): Refusal | undefined {
  const bad = checkDelay(seconds);
  if (bad || seconds >= shortestInterval) return bad;
  return invalid(
    `A reminder may repeat every ${shortestInterval} seconds at most, not every ${seconds}: each one interrupts the agent.`,
  );
}

export function cancelOneShot(c: Change, id: string): Refusal | undefined {
  const known = c.session.oneShots.find((each) => each.id === id);
  if (!known)
    return {
      code: 'not-found',
      message: `Reminder ${id} no longer exists.`,
      data: { is: 'no-reminder', ref: id },
    };
  if (known.last) takeBack(c, [known.last], 'its reminder was cancelled');
  c.update({ oneShots: c.session.oneShots.filter((each) => each !== known) });
  c.emit({ type: 'one-shot', step: 'cancelled', reminder: id });
  return undefined;
}

export function oneShotsDueAt(session: Session): number | null {
  const wait = session.compaction ? compactionPatience : 0;
  return session.oneShots.length > 0 ? Math.min(...session.oneShots.map(({ at }) => at)) + wait : null;
}

/** Called after every input: the end of a compaction lets out what waited for it. */
export function fireOneShots(c: Change): void {
  const at = oneShotsDueAt(c.session);
  if (at === null || c.now < at) return;
  const wait = c.session.compaction ? compactionPatience : 0;
  for (const each of c.session.oneShots) if (c.now >= each.at + wait) fire(c, each);
}

function fire(c: Change, shot: OneShot): void {
  const { id, text, from, every } = shot;
  const evenCompacting = c.session.compaction !== null;
  if (evenCompacting)
    c.emit({ type: 'one-shot', step: 'forced', reminder: id, seconds: compactionPatience / 1_000 });
  if (shot.last) takeBack(c, [shot.last], 'the next one replaces it');
  const message = enqueueOwn(c, {
    mode: 'urgent',
    text: wording.oneShot(text, from, c.session.id),
    evenCompacting,
  });
  c.emit({ type: 'one-shot', step: 'sent', reminder: id, message });
  const others = c.session.oneShots.filter((each) => each.id !== id);
  const next = every === null ? [] : [{ ...shot, at: nextTime(shot.at, every, c.now), last: message }];
  c.update({ oneShots: [...others, ...next] });
}

/** What fell due while nobody was there comes once, not as often as it fell due. */
function nextTime(at: number, every: number, now: number): number {
  const step = every * 1_000;
  return at + step * Math.max(1, Math.floor((now - at) / step) + 1);
}
