// Delivery: what waits, and when its moment is there. Several waiting messages go as one prompt.
import { beginAttempt } from './attempt.ts';
import type { Draft } from './draft.ts';
import type { Refusal, Send } from './input.ts';
import { isOutstanding, type Message, modes } from './message.ts';
import { phaseOf } from './session.ts';

/** One prompt carries at most so many messages, and so many bytes of them; but always one. */
const batch = { messages: 20, bytes: 64 * 1024 };

export function send(d: Draft, input: Send): Refusal | undefined {
  if (d.message(input.id)) return undefined;
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

export function enqueue(d: Draft, input: Omit<Send, 'type'>): void {
  const { id, text, from, mode } = input;
  d.update({ serial: d.session.serial + 1 });
  d.put({
    id,
    to: d.session.id,
    from,
    text,
    mode,
    createdAt: d.now,
    order: d.session.serial,
    state: { is: 'queued' },
  });
  d.emit({ type: 'message-queued', message: id, from, mode });
}

/** Starts an attempt when something waits and its moment is there. Called after every input. */
export function deliver(d: Draft): void {
  if (d.session.attempt || d.session.process.state !== 'running' || phaseOf(d.session) !== 'idle') return;
  const messages = [...pick(d)];
  if (messages.length > 0) beginAttempt(d, messages);
}

function* pick(d: Draft): Iterable<Message> {
  let count = 0;
  let bytes = 0;
  for (const mode of ['urgent', 'important', 'sequential'] as const) {
    for (const message of d.waiting(mode)) {
      bytes += Buffer.byteLength(message.text);
      if (count > 0 && (count >= batch.messages || bytes > batch.bytes)) return;
      count += 1;
      yield message;
    }
  }
}

/** Nobody will ever take what waits here. */
export function failAll(d: Draft, why: string): void {
  d.update({ attempt: null });
  for (const messages of [d.active(), ...modes.map((mode) => d.waiting(mode))]) {
    for (const message of [...messages]) if (isOutstanding(message)) failMessage(d, message, why);
  }
}

export function failMessage(d: Draft, message: Message, why: string): void {
  d.put({ ...message, state: { is: 'failed', at: d.now, why } });
  d.emit({ type: 'message-failed', message: message.id, why });
}
