// Whether the screen is recognised. One that is not gets nothing typed, for as long as that lasts; so whoever waits for
// it must hear why. It is told only of a screen that stays so: an agent that draws is recognised again soon.

import type { Change } from '../core/change.ts';
import type { Look, ScreenLook } from '../core/fact.ts';
import { isReturned, type Message } from '../core/message.ts';
import { modes, type SessionId } from '../core/names.ts';
import { phaseOf, type Session } from '../core/session.ts';
import { notRecognised } from '../delivery/verdict.ts';
import { tellScreen, tellScreenToSender } from '../notices/notices.ts';

/** How far apart two looks must be. */
const patience = 10_000;

/** Every look passes here, whatever it was for. Where there is no screen, there is none to recognise. */
export function screenSeen(c: Change, seen: Look | null): void {
  if (!seen || 'says' in seen || c.session.process.state !== 'running') return;
  if (seen.reading.shows !== 'unknown') recognised(c);
  else if (!isExplained(c, seen)) unrecognisedSeen(c);
}

function recognised(c: Change): void {
  const { unrecognised } = c.session;
  if (!unrecognised) return;
  c.update({ unrecognised: null });
  if (unrecognised.told) c.emit({ type: 'screen', step: 'recognised' });
}

/** Nobody need wonder about such a screen: it says nothing for or against a new version of the agent. */
function isExplained({ session, now }: Change, { copyMode, humanActiveAt, text }: ScreenLook): boolean {
  const isHuman = copyMode || (humanActiveAt !== null && now - humanActiveAt < patience);
  const isBlank = phaseOf(session) === 'starting' && text.trim() === '';
  return isHuman || isBlank;
}

function unrecognisedSeen(c: Change): void {
  const { since, told } = c.session.unrecognised ?? { since: c.now, told: null };
  const isNews = told === null && c.now - since >= patience;
  c.update({ unrecognised: { since, told: isNews ? [] : told } });
  if (!isNews) return;
  const { provider, agentVersion } = c.session;
  c.emit({ type: 'screen', step: 'unrecognised', provider, agentVersion });
}

/** Called after each look: the senders of what it holds up hear of it once, and so does the parent. */
export function tellUnrecognised(c: Change): void {
  const { unrecognised, parentId } = c.session;
  if (!unrecognised?.told) return;
  const told = new Set(unrecognised.told);
  for (const [sender, messages] of bySender(heldUp(c))) {
    if (told.has(sender) || sender === c.session.id) continue;
    tellScreenToSender(c, sender, messages);
    told.add(sender);
  }
  if (parentId !== null && !told.has(parentId)) {
    tellScreen(c, parentId);
    told.add(parentId);
  }
  if (told.size > unrecognised.told.length) c.update({ unrecognised: { ...unrecognised, told: [...told] } });
}

/** What would have gone by now. */
function* heldUp(c: Change): Iterable<Message> {
  const phase = phaseOf(c.session);
  for (const mode of modes)
    for (const message of c.waiting(mode)) {
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
export function forgetScreen(c: Change): void {
  const { unrecognised, process, attempt, turn, silence, look } = c.session;
  if (!unrecognised) return;
  const isLookedAt = attempt || turn?.interrupt || silence || look;
  if (process.state !== 'running' || (!unrecognised.told && !isLookedAt)) c.update({ unrecognised: null });
}

/** Since when; null: it is recognised, or nobody knows. */
export const unrecognisedSince = ({ unrecognised }: Session): number | null =>
  unrecognised?.told ? unrecognised.since : null;
