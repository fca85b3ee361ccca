// Notices: who is told what, and when. A notice is bound to the message that it is about, and through it to the turn
// that took that message: only the end of that very turn fulfils it. There is nothing to count and nothing to miss.

import type { Draft } from '../core/change.ts';
import { type Ending, isGone, lastWordsOf, whoEnded } from '../core/ending.ts';
import type { Message } from '../core/message.ts';
import type { Actor, Mode, SessionId } from '../core/names.ts';
import type { Lock, LockWaiter, Watcher } from '../core/parts.ts';
import { agentOf, displayName } from '../core/session.ts';
import * as wording from './wording.ts';

/** Posts a text to a session; it is owed until that session has it in its queue. */
function post(
  d: Draft,
  to: SessionId,
  text: string,
  about: { what: string; message: string | null },
  mode: Mode = 'important',
): void {
  const notice = d.nextId('n').replace('.', '');
  d.owe({ do: 'post', to, message: notice, text, mode });
  d.emit({ type: 'notice-posted', message: about.message, to, about: about.what, notice });
}

/** The turn that took these messages is over: each of their senders hears of it once. */
export function tellTurnEnd(
  d: Draft,
  messages: readonly { readonly message: Message; readonly ending: Ending }[],
  wroteTo: readonly SessionId[],
  how: Ending,
): void {
  const told = new Set<string>();
  for (const { message, ending } of messages) {
    const sender = listener(d, message);
    // Whoever has one that was answered and one that was cut off hears of both.
    const once = `${sender} ${ending.end}`;
    if (!message.notify.onStop || sender === null || sender === whoEnded(ending) || told.has(once)) continue;
    told.add(once);
    const text = textOf(d, message, ending, wroteTo.includes(sender), how);
    post(d, sender, text, { what: 'turn-end', message: message.id });
  }
}

function textOf(d: Draft, { id, review }: Message, ending: Ending, wrote: boolean, how: Ending): string {
  if (ending.end === 'cut-off') return wording.wasCutOff(self(d), id, ending.cut, how);
  if (wrote && !isGone(ending) && ending.end !== 'unknown')
    return wording.stoppedAfterWriting(self(d), ending);
  if (!review) return wording.stopped(self(d), ending);
  const most = wording.longestReview;
  const rest = (lastWordsOf(ending)?.length ?? 0) > most ? `\n${wording.whereTheRestIs(self(d))}` : '';
  return wording.stopped(self(d), ending, most) + rest;
}

export function tellAccepted(d: Draft, message: Message): void {
  const sender = listener(d, message);
  if (sender === null || !message.notify.onDelivery) return;
  post(d, sender, wording.hasIt(self(d), message.id), { what: 'accepted', message: message.id });
}

export function tellSlow(d: Draft, message: Message): void {
  const sender = listener(d, message);
  const seconds = message.notify.afterSeconds;
  if (sender === null || seconds === null) return;
  post(d, sender, wording.stillAtIt(self(d), message.id, seconds), { what: 'slow', message: message.id });
}

/** A message that will never be taken is always told to a sender who can be told. */
export function tellNotDelivered(d: Draft, message: Message, why: string): void {
  const sender = listener(d, message);
  if (sender === null) return;
  post(d, sender, wording.notDelivered(self(d), message.id, why), {
    what: 'not-delivered',
    message: message.id,
  });
}

export function tellReturned(d: Draft, message: Message): void {
  const sender = listener(d, message);
  if (sender === null) return;
  post(d, sender, wording.wasReturned(self(d), message.id), { what: 'returned', message: message.id });
}

/** A question is told to the parent and to whoever waits for this turn, once. */
export function tellQuestion(d: Draft, question: string): void {
  const { parentId, turn } = d.session;
  const senders = (turn?.messages ?? [])
    .flatMap((id) => d.message(id) ?? [])
    .flatMap((message) => (message.notify.onStop ? (listener(d, message) ?? []) : []));
  for (const to of new Set([...(parentId === null ? [] : [parentId]), ...senders])) {
    post(d, to, wording.asks(self(d), question), { what: 'question', message: null });
  }
}

/** The parent is told instead of an agent that could not answer a reminder. */
export function tellBlockedInsteadOfReminding(d: Draft, question: string): void {
  tellParent(d, wording.cannotReport(self(d), question), 'blocked');
}

export function tellStillBlocked(d: Draft, question: string, seconds: number): void {
  tellParent(d, wording.stillBlocked(self(d), question, seconds), 'blocked');
}

export function tellSilent(d: Draft, hardReminders: number): void {
  tellParent(d, wording.silent(self(d), hardReminders), 'silent');
}

/** Whoever watches the contexts of a team hears of each mark, once. */
export function tellContext(d: Draft, mark: 'warning' | 'critical', percentage: number): void {
  const to = d.session.monitor?.notify;
  if (!to || to === d.session.id) return;
  post(
    d,
    to,
    wording.contextOf(self(d), percentage),
    { what: 'context', message: null },
    mark === 'critical' ? 'important' : 'sequential',
  );
}

export function tellHandoffFailed(d: Draft, path: string, why: string, wasCleared: boolean): void {
  tellParent(d, wording.handoffFailedFor(self(d), path, why, wasCleared), 'handoff');
}

export function tellHandoffLoop(d: Draft, times: number, path: string): void {
  tellParent(d, wording.handoffLoopOf(self(d), times, path), 'handoff');
}

export function tellCompaction(d: Draft): void {
  tellParent(d, wording.compactionFired(self(d)), 'compaction', 'sequential');
}

function tellParent(d: Draft, text: string, what: string, mode?: Mode): void {
  const { parentId } = d.session;
  if (parentId !== null) post(d, parentId, text, { what, message: null }, mode);
}

/** The parent hears when its child is gone, unless it ended it itself. */
export function tellGone(d: Draft, how: string, told: readonly SessionId[]): void {
  const { parentId } = d.session;
  if (parentId === null || told.includes(parentId)) return;
  post(d, parentId, wording.says(self(d), how), { what: 'gone', message: null });
}

export function tellWatcher(d: Draft, { by }: Watcher, what: string): void {
  post(d, by, wording.says(self(d), what), { what: 'watch', message: null });
}

export function tellLockFree(d: Draft, { by }: LockWaiter, lock: Lock, how: string): void {
  post(d, by, wording.lockFree(self(d), lock.workspace, how), { what: 'lock', message: null });
}

export function tellLockHeld(d: Draft, { by, seconds }: LockWaiter, lock: Lock): void {
  post(d, by, wording.lockHeld(self(d), lock, seconds), { what: 'lock', message: null });
}

/** The owner hears of it when somebody else has released its lock. */
export function tellLockTakenAway(d: Draft, { workspace }: Lock, by: Actor): void {
  const who = by.kind === 'session' ? `your parent (${by.id})` : 'the user';
  post(d, d.session.id, wording.lockTakenAway(workspace, who), { what: 'lock', message: null });
}

/** Who can be told about a message: the session that sent it, unless that is this one. */
function listener(d: Draft, message: Message): SessionId | null {
  return message.from.kind === 'session' && message.from.id !== d.session.id ? message.from.id : null;
}

const self = (d: Draft): wording.Named => ({ name: displayName(d.session), id: d.session.id });

/** Its messages wait for a screen that is not recognised. */
export function tellScreenToSender(d: Draft, sender: SessionId, messages: readonly Message[]): void {
  const [first] = messages;
  if (!first) return;
  const text = wording.waitsForScreen(self(d), agentOf(d.session), first.id, messages.length - 1);
  post(d, sender, text, { what: 'screen', message: first.id });
}

export function tellScreen(d: Draft, to: SessionId): void {
  post(d, to, wording.screenNotRecognised(self(d), agentOf(d.session)), { what: 'screen', message: null });
}
