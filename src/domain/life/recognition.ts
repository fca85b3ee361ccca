// Whether the screen is recognised. One that is not gets nothing typed, for as long as that lasts; so whoever waits for
// it must hear why. It is told only of a screen that stays so: an agent that draws is recognised again soon.

import type { Draft } from '../core/change.ts';
import type { Look } from '../core/fact.ts';
import { isReturned, type Message } from '../core/message.ts';
import { modes, type SessionId } from '../core/names.ts';
import { phaseOf, type Session } from '../core/session.ts';
import { notRecognised } from '../delivery/verdict.ts';
import { tellScreen, tellScreenToSender } from '../notices/notices.ts';

/** How far apart two looks must be. */
const patience = 10_000;

/** Every look passes here, whatever it was for. */
export function screenSeen(d: Draft, seen: Look | null): void {
  if (!seen || d.session.process.state !== 'running') return;
  if (seen.reading.shows !== 'unknown') recognised(d);
  else if (!isExplained(d, seen)) unrecognisedSeen(d);
}

function recognised(d: Draft): void {
  const { unrecognised } = d.session;
  if (!unrecognised) return;
  d.update({ unrecognised: null });
  if (unrecognised.told) d.emit({ type: 'screen-recognised' });
}

/** Nobody need wonder about such a screen: it says nothing for or against a new version of the agent. */
function isExplained({ session, now }: Draft, { reading, copyMode, humanActiveAt, text }: Look): boolean {
  if (reading.shows === 'unknown' && reading.why !== undefined) return true;
  const isHuman = copyMode || (humanActiveAt !== null && now - humanActiveAt < patience);
  const isBlank = phaseOf(session) === 'starting' && text.trim() === '';
  return isHuman || isBlank;
}

function unrecognisedSeen(d: Draft): void {
  const { since, told } = d.session.unrecognised ?? { since: d.now, told: null };
  const isNews = told === null && d.now - since >= patience;
  d.update({ unrecognised: { since, told: isNews ? [] : told } });
  if (!isNews) return;
  const { provider, agentVersion } = d.session;
  d.emit({ type: 'screen-unrecognised', provider, agentVersion });
}

/** Called after each look: the senders of what it holds up hear of it once, and so does the parent. */
export function tellUnrecognised(d: Draft): void {
  const { unrecognised, parentId } = d.session;
  if (!unrecognised?.told) return;
  const told = new Set(unrecognised.told);
  for (const [sender, messages] of bySender(heldUp(d))) {
    if (told.has(sender) || sender === d.session.id) continue;
    tellScreenToSender(d, sender, messages);
    told.add(sender);
  }
  if (parentId !== null && !told.has(parentId)) {
    tellScreen(d, parentId);
    told.add(parentId);
  }
  if (told.size > unrecognised.told.length) d.update({ unrecognised: { ...unrecognised, told: [...told] } });
}

/** What would have gone by now. */
function* heldUp(d: Draft): Iterable<Message> {
  const phase = phaseOf(d.session);
  for (const mode of modes)
    for (const message of d.waiting(mode)) {
      const { state } = message;
      const isHeld = state.is === 'held' && state.why === notRecognised;
      if (isHeld || ((phase === 'idle' || phase === 'starting') && !isReturned(message))) yield message;
    }
}

function bySender(messages: Iterable<Message>): Map<SessionId, Message[]> {
  const found = new Map<SessionId, Message[]>();
  for (const message of messages) {
    if (message.from.kind !== 'session') continue;
    const others = found.get(message.from.id);
    if (others) others.push(message);
    else found.set(message.from.id, [message]);
  }
  return found;
}

/** Called after every input: a glimpse proves nothing later, when nobody has looked for long. */
export function forgetScreen(d: Draft): void {
  const { unrecognised, process, attempt, interrupt, watch, look } = d.session;
  if (!unrecognised) return;
  const isLookedAt = attempt || interrupt || watch || look;
  if (process.state !== 'running' || (!unrecognised.told && !isLookedAt)) d.update({ unrecognised: null });
}

/** Since when; null: it is recognised, or nobody knows. */
export const unrecognisedSince = ({ unrecognised }: Session): number | null =>
  unrecognised?.told ? unrecognised.since : null;
