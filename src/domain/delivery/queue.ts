// Delivery: what waits, and when its moment is there. Several waiting messages go as one prompt.

import { failHandoff } from '../context/handoff.ts';
import type { Draft } from '../core/change.ts';
import { disarm, disarmQuoted } from '../core/disarm.ts';
import type { Refusal, Send } from '../core/input.ts';
import type { Sending } from '../core/message.ts';
import { isOutstanding, isReturned, isWaiting, type Message } from '../core/message.ts';
import { type Actor, type MessageId, type Mode, modes } from '../core/names.ts';
import { phaseOf, takesText } from '../core/session.ts';
import { typeable, whereItIs } from '../core/typeable.ts';
import { tellNotDelivered } from '../notices/notices.ts';
import { checkThresholds } from '../promises/reminders.ts';
import { pursueClear } from '../turns/clear.ts';
import { beginInterrupt } from '../turns/interrupt.ts';
import { releaseCarried } from '../turns/turns.ts';
import { setAlarm } from './alarms.ts';
import { beginAttempt } from './attempt.ts';
import { forget, isStanding, leaveOut } from './outcome.ts';

/** One prompt carries at most so many messages, and so many bytes of them; but always one. */
const batch = { messages: 20, bytes: 64 * 1024 };

export function send(d: Draft, input: Send): Refusal | undefined {
  if (d.message(input.id)) return undefined;
  const bad = input.remind && checkThresholds(input.remind);
  if (bad) return bad;
  const { state } = d.session.process;
  if (state === 'ending' || (state === 'exited' && d.session.process.killed)) {
    return {
      code: 'conflict',
      message: `The session was killed. Restore it first: sm restore ${d.session.id}`,
    };
  }
  enqueue(d, input);
  return undefined;
}

export function enqueue(d: Draft, input: Sending, evenCompacting = false): void {
  const { id, from, mode, text, headed, notify, remind, expiresAt, review } = input;
  const typed = asTyped(input);
  d.update({ serial: d.session.serial + 1 });
  const { id: to, serial: order } = d.session;
  d.put({
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
    createdAt: d.now,
    order,
    state: { is: 'queued' },
  });
  d.emit({ type: 'message-queued', message: id, from, mode });
  if (expiresAt !== null) setAlarm(d, { at: expiresAt, kind: 'expiry', message: id });
}

/** What is typed of a text: nothing that a terminal would change, and nothing that speaks in our name. */
function asTyped({ text, headed, file }: Pick<Send, 'text' | 'headed' | 'file'>): string {
  const typed = typeable(text);
  const safe = headed ? disarm(typed) : disarmQuoted(typed);
  return file ? `${safe}\n${whereItIs(file)}` : safe;
}

/** Takes a message back while it waits. */
export function withdraw(d: Draft, id: MessageId, by: Actor): Refusal | undefined {
  const message = d.message(id);
  if (!message || !isWaiting(message) || isStanding(d, id)) {
    const state = message && isStanding(d, id) ? 'typed' : (message?.state.is ?? 'no longer open');
    return { code: 'conflict', message: `The message #${id} does not wait any more: it is ${state}.` };
  }
  takeBack(d, [id], by.kind === 'session' ? 'its sender took it back' : 'the user took it back');
  return undefined;
}

/** Withdraws those that still wait, and those that were typed if they turn out not to have arrived. */
export function takeBack(d: Draft, ids: readonly MessageId[], why: string): void {
  const waiting = ids.flatMap((id) => d.message(id) ?? []).filter(isWaiting);
  for (const message of waiting) {
    if (isStanding(d, message.id)) continue;
    d.put({ ...message, state: { is: 'withdrawn', at: d.now, why } });
    d.emit({ type: 'message-withdrawn', message: message.id, why });
    if (d.session.handoff?.message === message.id) failHandoff(d, 'its prompt was taken back');
  }
  if (waiting.length > 0) leaveOut(d);
  forget(d, ids);
}

/** Starts what the session's state allows for what waits. Called after every input. */
export function deliver(d: Draft): void {
  const { attempt, interrupt, process, turn } = d.session;
  if (attempt || interrupt || process.state !== 'running') return;
  if (d.session.clear) {
    pursueClear(d);
    return;
  }
  const phase = phaseOf(d.session);
  if (d.session.handoff?.message) {
    const prompt = d.message(d.session.handoff.message);
    if (phase === 'rotating' && prompt) beginAttempt(d, [prompt]);
    return;
  }
  if (phase === 'idle') deliverIdle(d);
  else if (phase === 'working' && turn) deliverMidTurn(d);
  else if (phase === 'compacting') deliverCompacting(d);
}

function deliverIdle(d: Draft): void {
  const urgent = [...pick(d, ['urgent'])];
  if (urgent.length === 0) releaseCarried(d);
  // What a text of our own cut goes on in the turn that this text begins: that one is for nothing else.
  const goesOn = d.session.carried.length > 0 && urgent.every(({ from }) => from.kind === 'sm');
  const messages = goesOn ? urgent : [...pick(d, ['urgent', 'important', 'sequential'])];
  if (messages.length > 0) beginAttempt(d, messages);
}

/** Urgent interrupts; important is given to the agent for its next step; sequential waits. */
function deliverMidTurn(d: Draft): void {
  const { rotated = null } = d.session.turn ?? {};
  const [urgent] = pick(d, ['urgent']);
  // An agent that has just been handed its context over first reads what it is about.
  if (urgent && rotated?.steps === 0) return;
  if (urgent) {
    beginInterrupt(d, { message: urgent.id, from: urgent.from });
    return;
  }
  if (rotated || !takesText(d.session)) return;
  const messages = [...pick(d, ['important'])];
  if (messages.length > 0) beginAttempt(d, messages, { midTurn: true });
}

/** Only what has waited for the compaction long enough: the agent keeps it until it is done. */
function deliverCompacting(d: Draft): void {
  const messages = [...d.waiting('urgent')].filter((each) => each.evenCompacting && !isReturned(each));
  if (messages.length > 0) beginAttempt(d, messages, { midTurn: true });
}

/** What goes as one prompt. What a human has in his composer is his. */
export function* pick(d: Draft, among: readonly Mode[]): Iterable<Message> {
  let count = 0;
  let bytes = 0;
  for (const mode of among) {
    for (const message of d.waiting(mode)) {
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

/** Nobody will ever take what waits here. */
export function failAll(d: Draft, why: string): void {
  d.update({ attempt: null, interrupt: null });
  for (const messages of [d.active(), ...modes.map((mode) => d.waiting(mode))]) {
    for (const message of [...messages]) if (isOutstanding(message)) failMessage(d, message, why);
  }
}

export function failMessage(d: Draft, message: Message, why: string): void {
  d.put({ ...message, state: { is: 'failed', at: d.now, why } });
  d.emit({ type: 'message-failed', message: message.id, why });
  if (d.session.handoff?.message === message.id) failHandoff(d, why);
  tellNotDelivered(d, message, why);
}
