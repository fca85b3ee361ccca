// What becomes of the messages of an attempt: the agent has them, they wait again, they are left to a human, or fail.

import { setAlarm } from '../core/alarms.ts';
import { become } from '../core/become.ts';
import type { Change } from '../core/change.ts';
import { isOutstanding, isReturned, type Message, mayHave, promptOf, returned } from '../core/message.ts';
import type { Evidence, MessageId } from '../core/names.ts';
import { type Attempt, isCommand } from '../core/parts.ts';
import { tellAccepted, tellFailed, tellInDoubt, tellReturned } from '../notices/notices.ts';

/** Evidence that the agent has these messages. Gives back those that are ours and were open. */
export function accept(
  c: Change,
  ids: readonly MessageId[],
  turn: string | null,
  evidence: Evidence,
): MessageId[] {
  const accepted = [...new Set(ids)].flatMap((id) => c.message(id) ?? []).filter(isOutstanding);
  for (const message of accepted) {
    become(c, message, { is: 'accepted', at: c.now, evidence, turn });
    tellAccepted(c, message);
    c.announce({ is: 'accepted', message });
    const { afterSeconds } = message.notify;
    if (afterSeconds !== null)
      setAlarm(c, { at: c.now + afterSeconds * 1_000, kind: 'slow', message: message.id });
  }
  if (accepted.length > 0) leaveOut(c);
  return accepted.map((message) => message.id);
}

/** What the agent has, or must not get, must not be typed along with the rest. */
export function leaveOut(c: Change): void {
  const { attempt } = c.session;
  if (!attempt) return;
  const left = messagesOf(c, attempt).filter(isOutstanding);
  if (isCommand(attempt)) {
    const ids = left.map(({ id }) => id);
    const back = attempt.back && { ...attempt.back, messages: ids };
    c.update({ attempt: { ...attempt, messages: ids, back } });
  } else if (left.length === 0) c.update({ attempt: null });
  else if (left.length < attempt.messages.length) {
    const standing = left.filter(({ id }) => attempt.back?.messages.includes(id));
    const rest = left.filter((message) => !standing.includes(message));
    c.update({
      attempt: {
        ...attempt,
        messages: left.map(({ id }) => id),
        back:
          attempt.back && standing.length > 0
            ? { draft: attempt.back.draft, messages: standing.map(({ id }) => id) }
            : null,
        text: standing.length > 0 ? onTop(rest) : promptOf(rest),
      },
    });
  }
}

/** Its text is in the composer already, and about to be sent: as good as typed. */
export const isStanding = (c: Change, id: MessageId): boolean =>
  c.session.attempt?.back?.messages.includes(id) ?? false;

/** Gives the attempt up; its messages wait again. What stands in the composer is left to the human, if there is one. */
export function abandon(c: Change, why: string, composerIsGone = false): void {
  const { attempt } = c.session;
  if (!attempt) return;
  c.update({ attempt: null });
  withdrawUnwanted(c, attempt);
  const messages = messagesOf(c, attempt).filter(isOutstanding);
  const standing = composerIsGone ? [] : messages.filter(({ id }) => attempt.back?.messages.includes(id));
  if (standing.length > 0) leaveToHuman(c, standing);
  requeue(
    c,
    messages.filter((message) => !standing.includes(message)),
    why,
  );
}

export function requeue(c: Change, messages: readonly Message[], why: string): void {
  for (const message of messages) {
    if (message.state.is !== 'queued') waitAgain(c, message, why);
  }
}

/** It may still turn out that what was typed before has arrived. */
export const waitAgain = (c: Change, message: Message, why: string): void =>
  become(c, message, { is: 'queued', given: true }, why);

/** Their text is in the human's composer: it is his to send or to drop, and their senders hear of it. */
export function leaveToHuman(c: Change, messages: readonly Message[]): void {
  holdMessages(c, messages, returned);
  for (const message of messages) tellReturned(c, message);
}

export function fail(c: Change, attempt: Attempt, why: string): void {
  if (attempt.types.is === 'clear') c.announce({ is: 'clear-not-typed', why });
  c.update({ attempt: null });
  if (attempt.types.is === 'slash') c.emit({ type: 'command', step: 'failed', command: attempt.text, why });
  if (attempt.types.is === 'messages')
    for (const message of messagesOf(c, attempt)) failMessage(c, message, why);
}

export function holdMessages(c: Change, messages: readonly Message[], why: string): void {
  for (const message of messages) {
    if (message.state.is === 'held' && message.state.why === why) continue;
    const given = mayHave(message) ? { given: true as const } : {};
    become(c, message, { is: 'held', why, since: c.now, ...given });
  }
}

/** What held them for this reason is gone. */
export function letGo(c: Change, messages: readonly Message[], why: string): void {
  for (const message of messages) {
    const { state } = message;
    if (state.is !== 'held' || state.why !== why) continue;
    const given = mayHave(message) ? { given: true as const } : {};
    become(c, message, { is: 'queued', ...given }, 'nothing holds it any more');
  }
}

/** Those that would cut the turn. */
export function holdUrgent(c: Change, why: string): void {
  holdMessages(
    c,
    [...c.waiting('urgent')].filter((message) => !isReturned(message)),
    why,
  );
}

/** Messages that the agent gave back: their text stands in its composer. */
export function stand(c: Change, messages: readonly Message[], draft: string): void {
  for (const message of messages) waitAgain(c, message, `the agent gave it back: ${draft.slice(0, 80)}`);
}

/** Whatever of these is typed and not proven is not typed again. */
export function forget(c: Change, ids: readonly MessageId[]): void {
  const { attempt } = c.session;
  if (attempt?.step !== 'typed') return;
  const typed = attempt.messages.filter((id) => ids.includes(id));
  if (typed.length > 0)
    c.update({ attempt: { ...attempt, unwanted: [...new Set([...attempt.unwanted, ...typed])] } });
}

/** Nobody misses them, and they have not arrived as far as anybody knows. */
export function withdrawUnwanted(c: Change, attempt: Attempt): void {
  const unwanted = attempt.step === 'typed' ? attempt.unwanted : [];
  for (const message of messagesOf(c, attempt))
    if (unwanted.includes(message.id))
      become(c, message, { is: 'withdrawn', at: c.now, why: 'it was no longer needed when it arrived' });
}

export function messagesOf(c: Change, attempt: Attempt): Message[] {
  return attempt.messages.flatMap((id) => c.message(id) ?? []);
}

/** What is typed behind a prompt that stands there already. */
export const onTop = (messages: readonly Message[]): string =>
  messages.length > 0 ? `\n\n${promptOf(messages)}` : '';

export function failMessage(c: Change, message: Message, why: string): void {
  become(c, message, { is: 'failed', at: c.now, why });
  c.announce({ is: 'dropped', message: message.id, why });
  tellFailed(c, message, why);
}

/** Nothing more will be heard of the agent. What it may have had is not said to have been lost. */
export function giveUpMessage(c: Change, message: Message, why: string): void {
  if (!mayHave(message)) {
    failMessage(c, message, why);
    return;
  }
  become(c, message, {
    is: 'failed',
    at: c.now,
    why: `${why} before it was known whether it had the message`,
  });
  c.announce({ is: 'dropped', message: message.id, why });
  tellInDoubt(c, message, why);
}
