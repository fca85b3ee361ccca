// What becomes of the messages of an attempt: the agent has them, they wait again, they are left to a human, or fail.

import { handoffAccepted } from '../context/handoff.ts';
import type { Draft } from '../core/change.ts';
import {
  isOutstanding,
  isReturned,
  type Message,
  mayHave,
  promptOf,
  returned,
  waitsAgain,
} from '../core/message.ts';
import type { Evidence, MessageId } from '../core/names.ts';
import type { Attempt } from '../core/parts.ts';
import { tellAccepted, tellReturned } from '../notices/notices.ts';
import { startReminder } from '../promises/reminders.ts';
import { failClear } from '../turns/clear.ts';
import { setAlarm } from './alarms.ts';
import { failMessage } from './queue.ts';

/** Evidence that the agent has these messages. Gives back those that are ours and were open. */
export function accept(
  d: Draft,
  ids: readonly MessageId[],
  turn: string | null,
  evidence: Evidence,
): MessageId[] {
  const accepted = [...new Set(ids)].flatMap((id) => d.message(id) ?? []).filter(isOutstanding);
  for (const message of accepted) {
    d.put({ ...message, state: { is: 'accepted', at: d.now, evidence, turn } });
    d.emit({ type: 'message-accepted', message: message.id, turn, evidence });
    tellAccepted(d, message);
    handoffAccepted(d, message.id);
    if (message.remind) startReminder(d, message.remind);
    const { afterSeconds } = message.notify;
    if (afterSeconds !== null)
      setAlarm(d, { at: d.now + afterSeconds * 1_000, kind: 'slow', message: message.id });
  }
  if (accepted.length > 0) leaveOut(d);
  return accepted.map((message) => message.id);
}

/** What the agent has, or shall not have any more, must not be typed along with the rest. */
export function leaveOut(d: Draft): void {
  const { attempt } = d.session;
  if (!attempt) return;
  const left = messagesOf(d, attempt).filter(isOutstanding);
  if (attempt.command) {
    const ids = left.map(({ id }) => id);
    d.update({ attempt: { ...attempt, messages: ids, standing: ids } });
  } else if (left.length === 0) d.update({ attempt: null });
  else if (left.length < attempt.messages.length) {
    const standing = left.filter(({ id }) => attempt.standing.includes(id));
    const rest = left.filter((message) => !standing.includes(message));
    d.update({
      attempt: {
        ...attempt,
        messages: left.map(({ id }) => id),
        standing: standing.map(({ id }) => id),
        onTopOf: standing.length > 0 ? attempt.onTopOf : null,
        text: standing.length > 0 ? onTop(rest) : promptOf(rest),
      },
    });
  }
}

/** Its text is in the composer already, and about to be sent: as good as typed. */
export const isStanding = (d: Draft, id: MessageId): boolean =>
  d.session.attempt?.standing.includes(id) ?? false;

/** Gives the attempt up; its messages wait again. What stands in the composer is left to the human, if there is one. */
export function abandon(d: Draft, why: string, composerIsGone = false): void {
  const { attempt } = d.session;
  if (!attempt) return;
  d.update({ attempt: null });
  const messages = messagesOf(d, attempt);
  const standing = composerIsGone ? [] : messages.filter(({ id }) => attempt.standing.includes(id));
  if (standing.length > 0) leaveToHuman(d, standing);
  requeue(
    d,
    messages.filter((message) => !standing.includes(message)),
    why,
  );
}

export function requeue(d: Draft, messages: readonly Message[], why: string): void {
  for (const message of messages) {
    if (message.state.is === 'queued') continue;
    d.put(waitsAgain(message));
    d.emit({ type: 'message-requeued', message: message.id, why });
  }
}

/** Their text is in the human's composer: it is his to send or to drop, and their senders hear of it. */
export function leaveToHuman(d: Draft, messages: readonly Message[]): void {
  holdMessages(d, messages, returned);
  for (const message of messages) tellReturned(d, message);
}

export function fail(d: Draft, attempt: Attempt, why: string): void {
  if (attempt.command === 'clear') failClear(d, why);
  d.update({ attempt: null });
  if (attempt.command === 'slash') d.emit({ type: 'command-failed', command: attempt.text, why });
  if (attempt.command === null) for (const message of messagesOf(d, attempt)) failMessage(d, message, why);
}

export function holdMessages(d: Draft, messages: readonly Message[], why: string): void {
  for (const message of messages) {
    if (message.state.is === 'held' && message.state.why === why) continue;
    const given = mayHave(message) ? { given: true as const } : {};
    d.put({ ...message, state: { is: 'held', why, since: d.now, ...given } });
    d.emit({ type: 'message-held', message: message.id, why });
  }
}

/** Those that would cut the turn. */
export function holdUrgent(d: Draft, why: string): void {
  holdMessages(
    d,
    [...d.waiting('urgent')].filter((message) => !isReturned(message)),
    why,
  );
}

/** Messages that the agent gave back: their text stands in its composer. */
export function stand(d: Draft, messages: readonly Message[], draft: string): void {
  for (const message of messages) {
    d.put(waitsAgain(message));
    d.emit({
      type: 'message-requeued',
      message: message.id,
      why: `the agent gave it back: ${draft.slice(0, 80)}`,
    });
  }
}

/** Whatever of these is typed and not proven is not typed again. */
export function forget(d: Draft, ids: readonly MessageId[]): void {
  const { attempt } = d.session;
  if (attempt?.step !== 'typed') return;
  const typed = attempt.messages.filter((id) => ids.includes(id));
  if (typed.length > 0)
    d.update({ attempt: { ...attempt, unwanted: [...new Set([...attempt.unwanted, ...typed])] } });
}

export function messagesOf(d: Draft, attempt: Attempt): Message[] {
  return attempt.messages.flatMap((id) => d.message(id) ?? []);
}

/** What is typed behind a prompt that stands there already. */
export const onTop = (messages: readonly Message[]): string =>
  messages.length > 0 ? `\n\n${promptOf(messages)}` : '';
