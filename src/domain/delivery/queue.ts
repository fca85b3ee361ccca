// What waits for a session, in its order. Several waiting messages go as one prompt.

import { setAlarm } from '../core/alarms.ts';
import { become } from '../core/become.ts';
import type { Change } from '../core/change.ts';
import { disarm, disarmQuoted } from '../core/disarm.ts';
import type { Refusal, Send } from '../core/input.ts';
import { setInterrupt } from '../core/interrupting.ts';
import type { Sending } from '../core/message.ts';
import { isOutstanding, isReturned, isWaiting, type Message } from '../core/message.ts';
import { type Actor, type MessageId, type Mode, modes } from '../core/names.ts';
import { conflict, notRunning } from '../core/refusal.ts';
import { checkThresholds } from '../core/thresholds.ts';
import { typeable, whereItIs } from '../core/typeable.ts';
import { forget, giveUpMessage, isStanding, leaveOut } from './outcome.ts';

/** One prompt carries at most so many messages, and so many bytes of them; but always one. */
const batch = { messages: 20, bytes: 64 * 1024 };

export function send(c: Change, input: Send): Refusal | undefined {
  if (c.message(input.id)) return undefined;
  const bad = input.remind && checkThresholds(input.remind);
  if (bad) return bad;
  const { state } = c.session.process;
  if (state === 'ending' || (state === 'exited' && c.session.process.killed)) {
    return notRunning(c.session);
  }
  enqueue(c, input);
  return undefined;
}

export function enqueue(c: Change, input: Sending, evenCompacting = false): void {
  const { id, from, mode, text, headed, notify, remind, expiresAt, review } = input;
  const typed = asTyped(input);
  c.update({ serial: c.session.serial + 1 });
  const { id: to, serial: order } = c.session;
  const message = {
    id,
    to,
    from,
    text,
    shown: typed === text ? null : typed,
    headed,
    mode,
    notify,
    remind,
    evenCompacting,
    ...(review && { review }),
    createdAt: c.now,
    order,
  };
  become(c, message, { is: 'queued' });
  if (expiresAt !== null) setAlarm(c, { at: expiresAt, kind: 'expiry', message: id });
}

/** What is typed of a text: nothing that a terminal would change, and nothing that speaks in our name. */
function asTyped({ text, headed, file }: Pick<Send, 'text' | 'headed' | 'file'>): string {
  const typed = typeable(text);
  const safe = headed ? disarm(typed) : disarmQuoted(typed);
  return file ? `${safe}\n${whereItIs(file)}` : safe;
}

/** Takes a message back while it waits. */
export function withdraw(c: Change, id: MessageId, by: Actor): Refusal | undefined {
  const message = c.message(id);
  if (!message || !isWaiting(message) || isStanding(c, id)) {
    const state = message && isStanding(c, id) ? 'typed' : (message?.state.is ?? null);
    return tooLate(id, state);
  }
  takeBack(c, [id], by.kind === 'session' ? 'its sender withdrew it' : 'the user withdrew it');
  return undefined;
}

/** `state`: of the message; null: it is not open, and nothing more is known of it here. */
export function tooLate(message: MessageId, state: Message['state']['is'] | null): Refusal {
  const what =
    state === 'withdrawn' ? 'was already withdrawn' : `cannot be withdrawn: it is already ${state ?? 'over'}`;
  return conflict(`Message #${message} ${what}.`, { is: 'not-waiting', message, state });
}

/** Withdraws those that still wait, and those that were typed if they turn out not to have arrived. */
export function takeBack(c: Change, ids: readonly MessageId[], why: string): void {
  const waiting = ids.flatMap((id) => c.message(id) ?? []).filter(isWaiting);
  for (const message of waiting) {
    if (isStanding(c, message.id)) continue;
    become(c, message, { is: 'withdrawn', at: c.now, why });
    c.announce({ is: 'dropped', message: message.id, why: 'its prompt was withdrawn' });
  }
  if (waiting.length > 0) leaveOut(c);
  forget(c, ids);
}

/** What goes as one prompt. What a human has in his composer is his. */
export function* pick(c: Change, among: readonly Mode[]): Iterable<Message> {
  let count = 0;
  let bytes = 0;
  for (const mode of among) {
    for (const message of c.waiting(mode)) {
      if (isReturned(message)) continue;
      if (message.review && count > 0) return;
      bytes += Buffer.byteLength(message.shown ?? message.text);
      if (count > 0 && (count >= batch.messages || bytes > batch.bytes)) return;
      count += 1;
      yield message;
      if (message.review) return;
    }
  }
}

/** Nobody will take what waits here any more. */
export function failAll(c: Change, why: string): void {
  c.update({ attempt: null });
  setInterrupt(c, null);
  for (const messages of [c.active(), ...modes.map((mode) => c.waiting(mode))]) {
    for (const message of [...messages]) if (isOutstanding(message)) giveUpMessage(c, message, why);
  }
}
