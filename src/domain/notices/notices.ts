// Notices: who is told what, and when. A notice is bound to the message that it is about, and through it to the turn
// that took that message: only the end of that very turn fulfils it. There is nothing to count and nothing to miss.

import type { Change } from '../core/change.ts';
import { type Ending, isGone, lastWordsOf, whoEnded } from '../core/ending.ts';
import type { Message } from '../core/message.ts';
import type { Actor, Mode, SessionId } from '../core/names.ts';
import type { Lock, Watcher } from '../core/parts.ts';
import { agentOf, displayName } from '../core/session.ts';
import * as wording from './wording.ts';

/** Posts a text to a session; it is owed until that session has it in its queue. */
function post(
  c: Change,
  to: SessionId,
  text: string,
  about: { what: string; message: string | null },
  mode: Mode = 'important',
  notice = c.nextId('n').replace('.', ''),
): void {
  c.owe({ do: 'post', to, message: notice, text, mode });
  c.emit({ type: 'notice-posted', message: about.message, to, about: about.what, notice });
}

/** The turn that took these messages is over: each of their senders hears of it once. */
export function tellTurnEnd(
  c: Change,
  messages: readonly { readonly message: Message; readonly ending: Ending }[],
  wroteTo: readonly SessionId[],
  how: Ending,
): void {
  const told = new Set<string>();
  for (const { message, ending } of messages) {
    const sender = listener(c, message);
    // Whoever has one that was answered and one that was cut off hears of both.
    const once = `${sender} ${ending.end}`;
    if (!message.notify.turnEnd || sender === null || sender === whoEnded(ending) || told.has(once)) continue;
    told.add(once);
    const text = textOf(c, message, ending, wroteTo.includes(sender), how);
    post(c, sender, text, { what: 'turn-end', message: message.id });
  }
}

function textOf(c: Change, { id, review }: Message, ending: Ending, wrote: boolean, how: Ending): string {
  if (ending.end === 'cut-off') return wording.wasCutOff(self(c), id, ending.cut, how);
  if (wrote && !isGone(ending) && ending.end !== 'unknown')
    return wording.stoppedAfterWriting(self(c), ending);
  if (!review) return wording.stopped(self(c), ending);
  const most = wording.longestReview;
  const rest = (lastWordsOf(ending)?.length ?? 0) > most ? `\n${wording.whereTheRestIs(self(c))}` : '';
  return wording.stopped(self(c), ending, most) + rest;
}

export function tellAccepted(c: Change, message: Message): void {
  const sender = listener(c, message);
  if (sender === null || !message.notify.accepted) return;
  post(c, sender, wording.hasIt(self(c), message.id), { what: 'accepted', message: message.id });
}

export function tellSlow(c: Change, message: Message): void {
  const sender = listener(c, message);
  const seconds = message.notify.afterSeconds;
  if (sender === null || seconds === null) return;
  post(c, sender, wording.stillAtIt(self(c), message.id, seconds), { what: 'slow', message: message.id });
}

/** A message that will never be taken is always told to a sender who can be told. */
export function tellFailed(c: Change, message: Message, why: string): void {
  tellFailure(c, message, wording.messageFailed(self(c), message.id, why));
}

export function tellInDoubt(c: Change, message: Message, why: string): void {
  tellFailure(c, message, wording.messageInDoubt(self(c), message.id, why));
}

function tellFailure(c: Change, message: Message, text: string): void {
  const sender = listener(c, message);
  if (sender !== null) post(c, sender, text, { what: 'failed', message: message.id });
}

export function tellReturned(c: Change, message: Message): void {
  const sender = listener(c, message);
  if (sender === null) return;
  post(c, sender, wording.wasReturned(self(c), message.id), { what: 'returned', message: message.id });
}

/** A question is told to the parent and to whoever waits for this turn, once. */
export function tellQuestion(c: Change, question: string): void {
  const { parentId, turn } = c.session;
  const senders = (turn?.messages ?? [])
    .flatMap((id) => c.message(id) ?? [])
    .flatMap((message) => (message.notify.turnEnd ? (listener(c, message) ?? []) : []));
  for (const to of new Set([...(parentId === null ? [] : [parentId]), ...senders])) {
    post(c, to, wording.asks(self(c), question), { what: 'question', message: null });
  }
}

/** The parent, and whoever waits for what the limit cut, hear of a standstill once. */
export function tellStandstill(c: Change, said: string, until: number | null): void {
  const { parentId, carried, lastTurn } = c.session;
  const asked = [...c.active()].filter(
    ({ id, state }) => carried.includes(id) || ('turn' in state && state.turn === lastTurn?.id),
  );
  const senders = asked.flatMap((each) => (each.notify.turnEnd ? (listener(c, each) ?? []) : []));
  const text = wording.standsStill(self(c), said, until, c.settings.resumeAfterLimit);
  for (const to of new Set([...(parentId === null ? [] : [parentId]), ...senders]))
    post(c, to, text, { what: 'limit', message: null });
}

/** What is to be known of its budget is told to the parent; without one, the faces and programs of the user tell it. */
export function tellBudget(c: Change, text: string): void {
  tellParent(c, wording.budgetNotice(self(c), text), 'budget');
}

export function tellUsedUp(c: Change, family: boolean, why: string): void {
  tellParent(c, wording.budgetUsedUp(self(c), family, why), 'budget');
}

/** Whoever has messages waiting there hears why, once; but not one who has just been told. */
export function tellHeld(c: Change, why: string, waiting: Iterable<Message>, told: SessionId | null): void {
  const bySender = new Map<SessionId, Message[]>();
  for (const message of waiting) {
    const sender = listener(c, message);
    if (sender !== null && sender !== told) bySender.set(sender, [...(bySender.get(sender) ?? []), message]);
  }
  for (const [to, [first, ...more]] of bySender)
    if (first) {
      const text = wording.heldBack(self(c), first.id, more.length, why);
      post(c, to, text, { what: 'budget', message: first.id });
    }
}

/** An agent that waits for a human cannot answer a reminder: its parent is told instead. */
export function tellBlockedInsteadOfReminding(c: Change, question: string): void {
  tellParent(c, wording.cannotReport(self(c), question), 'blocked');
}

export function tellStillBlocked(c: Change, question: string, seconds: number): void {
  tellParent(c, wording.stillBlocked(self(c), question, seconds), 'blocked');
}

export function tellSilent(c: Change, hardReminders: number): void {
  tellParent(c, wording.silent(self(c), hardReminders), 'silent');
}

/** Whoever watches the contexts of a team hears of each mark, once. */
export function tellContext(c: Change, mark: 'warning' | 'critical', percentage: number): void {
  const to = c.session.monitor?.notify;
  if (!to || to === c.session.id) return;
  post(
    c,
    to,
    wording.contextOf(self(c), percentage),
    { what: 'context', message: null },
    mark === 'critical' ? 'important' : 'sequential',
  );
}

export function tellHandoffFailed(c: Change, path: string, why: string, wasCleared: boolean): void {
  tellParent(c, wording.handoffFailedFor(self(c), path, why, wasCleared), 'handoff');
}

export function tellHandoffLoop(c: Change, times: number, path: string): void {
  tellParent(c, wording.handoffLoopOf(self(c), times, path), 'handoff');
}

export function tellCompaction(c: Change): void {
  tellParent(c, wording.compactionFired(self(c)), 'compaction', 'sequential');
}

function tellParent(c: Change, text: string, what: string, mode?: Mode): void {
  const { parentId } = c.session;
  if (parentId !== null) post(c, parentId, text, { what, message: null }, mode);
}

/** The parent hears when its child is gone, unless it ended it itself. */
export function tellGone(c: Change, how: string, told: readonly SessionId[]): void {
  const { parentId } = c.session;
  if (parentId === null || told.includes(parentId)) return;
  post(c, parentId, wording.says(self(c), how), { what: 'gone', message: null });
}

/** Called by the watch that it ends: whoever asked twice for the same one is told once. */
export function tellWatcher(c: Change, { id, by }: Watcher, what: string): void {
  post(c, by, wording.says(self(c), what), { what: 'watch', message: null }, undefined, `w${id}`);
}

export function tellLockFree(c: Change, { by }: Watcher, lock: Lock, how: string): void {
  post(c, by, wording.lockFree(self(c), lock.workspace, how), { what: 'lock', message: null });
}

export function tellLockHeld(c: Change, { by, seconds }: Watcher, lock: Lock): void {
  post(c, by, wording.lockHeld(self(c), lock, seconds), { what: 'lock', message: null });
}

/** The owner hears of it when somebody else has released its lock. */
export function tellLockTakenAway(c: Change, { workspace }: Lock, by: Actor): void {
  const who = by.kind === 'session' ? `your parent (${by.id})` : 'the user';
  post(c, c.session.id, wording.lockTakenAway(workspace, who), { what: 'lock', message: null });
}

/** Who can be told about a message: the session that sent it, unless that is this one. */
function listener(c: Change, message: Message): SessionId | null {
  return message.from.kind === 'session' && message.from.id !== c.session.id ? message.from.id : null;
}

const self = (c: Change): wording.Named => ({ name: displayName(c.session), id: c.session.id });

/** Its messages wait for a screen that is not recognised. */
export function tellScreenToSender(c: Change, sender: SessionId, messages: readonly Message[]): void {
  const [first] = messages;
  if (!first) return;
  const text = wording.waitsForScreen(self(c), agentOf(c.session), first.id, messages.length - 1);
  post(c, sender, text, { what: 'screen', message: first.id });
}

export function tellScreen(c: Change, to: SessionId): void {
  post(c, to, wording.screenNotRecognised(self(c), agentOf(c.session)), { what: 'screen', message: null });
}
