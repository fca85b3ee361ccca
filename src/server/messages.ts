// Messages on their way in: checked, made typeable, sent, and waited for a moment.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Input, Refusal } from '../domain/core/input.ts';
import type { Sending } from '../domain/core/message.ts';
import { isOutstanding, longestText, type Message, type Notify, quietly } from '../domain/core/message.ts';
import type { Actor, MessageId, Mode, Sender, SessionId, Thresholds } from '../domain/core/names.ts';
import { invalid } from '../domain/core/refusal.ts';
import type { ReviewTarget } from '../domain/core/review.ts';
import { displayName, type State } from '../domain/core/session.ts';
import { typeable } from '../domain/core/typeable.ts';
import type { Answer } from '../engine/engine.ts';
import type { Requester } from './env.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import { type Limit, submit, untilCommit } from './submit.ts';

/** How long an answer waits for evidence before it says what else is known. */
export const aMoment = <T>(otherwise: T): Limit<T> => ({ ms: 1_000, otherwise });

export interface NewMessage {
  /** Of one that has its id already. */
  readonly id?: MessageId;
  readonly text: string;
  readonly from: Requester | null;
  readonly mode?: Mode;
  readonly notify?: Notify;
  readonly remind?: Thresholds | null;
  readonly expiresAt?: number | null;
  readonly review?: ReviewTarget | undefined;
  /** Comments that it says, and that are sent with it. */
  readonly comments?: { readonly by: Actor; readonly ids: readonly string[] };
}

export function checkText(text: string): Refusal | null {
  if (text.trim() === '') return invalid('The text is empty.');
  const bytes = Buffer.byteLength(text);
  if (bytes <= longestText) return null;
  return invalid(
    `The text has ${bytes} bytes; the limit is ${longestText}. Put it into a file and send the path.`,
  );
}

/** The message as the engine takes it. A text that would not come through a terminal unchanged is kept in a file. */
export async function newMessage(service: Service, message: NewMessage): Promise<Sending> {
  const { text, from, mode = 'sequential', notify = quietly, remind = null, expiresAt = null } = message;
  const { review } = message;
  const id = message.id ?? service.random.hex(8);
  const file = typeable(text) === text ? null : await keep(service, id, text);
  return {
    id,
    text,
    file,
    headed: true,
    from: senderOf(from),
    mode,
    notify,
    remind,
    expiresAt,
    ...(review && { review }),
  };
}

async function keep(service: Service, id: string, text: string): Promise<string> {
  const folder = join(service.stateDir, 'messages');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${id}.txt`);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

export function senderOf(from: Requester | null): Sender {
  return from ? { kind: 'session', id: from.id, name: displayName(from) } : { kind: 'person' };
}

interface Sent {
  readonly message: Message;
  readonly place: number | null;
}

/** Sends, and waits a short moment for evidence, so that the answer can say as much as is known. */
export async function sendMessage(service: Service, to: SessionId, message: NewMessage): Promise<Sent> {
  const bad = checkText(message.text);
  if (bad) throw new Refused(bad);
  const input = await newMessage(service, message);
  // Told to the sender's own lane first: a notice about this turn must know that the agent wrote itself.
  if (message.from && message.from.id !== to)
    await service.engine.submit(message.from.id, { type: 'wrote', to });
  const { comments } = message;
  const send: Input = comments
    ? { type: 'send-comments', by: comments.by, comments: comments.ids, sending: input }
    : { type: 'send', ...input };
  const answer = await submit(service, to, send);
  await untilTaken(service, to, input.id);
  const state = service.engine.get(to);
  const sent = openMessage(state, input.id) ?? ((await service.store.message(input.id)) as Message);
  return {
    message: sent,
    place: isParked(state, input.id) ? placeOfNewest(answer, input.mode) : placeOf(state, sent),
  };
}

/** From memory, where everything is that is not over yet. */
function openMessage(state: State | undefined, id: MessageId): Message | undefined {
  if (!state) return undefined;
  const { active, queue } = state;
  return active.get(id) ?? queue.sequential.get(id) ?? queue.important.get(id) ?? queue.urgent.get(id);
}

/** Waits a moment until the agent has the message, or it is plain that it has to wait. */
export async function untilTaken(service: Service, to: SessionId, id: MessageId): Promise<void> {
  const isTaken = () => {
    const state = service.engine.get(to);
    if (state?.session.clear?.prompt?.id === id) return false;
    const message = openMessage(state, id);
    return !message || message.state.is === 'accepted' || isParked(state, id);
  };
  if (isTaken()) return;
  await untilCommit(service, to, () => isTaken() || undefined, aMoment(true)).promise;
}

/** It waits, and nothing is under way for it. */
export function isParked(state: State | undefined, id: MessageId): boolean {
  if (!state) return true;
  const waits = Object.values(state.queue).some((queue) => queue.has(id));
  const { attempt, turn } = state.session;
  return waits && !attempt?.messages.includes(id) && !(turn?.interrupt && state.queue.urgent.has(id));
}

/** All that waits for a session, in the order in which it will go. */
export function* waitingFor({ queue, active, session }: State): Iterable<Message> {
  for (const id of session.attempt?.messages ?? []) {
    const typed = active.get(id);
    if (typed) yield typed;
  }
  yield* queue.urgent.values();
  yield* queue.important.values();
  yield* queue.sequential.values();
}

/** Its place among all that waits; null: it does not wait. */
export function placeOf(state: State | undefined, message: Message): number | null {
  if (!state || !isOutstanding(message)) return null;
  let place = 0;
  for (const { id } of waitingFor(state)) {
    place += 1;
    if (id === message.id) return place;
  }
  return null;
}

/** The same for a message that was the newest of its mode, however many wait before it. */
function placeOfNewest({ session, waiting }: Extract<Answer, { ok: true }>, mode: Mode): number {
  const typed = session.attempt?.step === 'typed' ? session.attempt.messages.length : 0;
  const before = { urgent: 0, important: waiting.urgent, sequential: waiting.urgent + waiting.important };
  return typed + before[mode] + waiting[mode];
}
