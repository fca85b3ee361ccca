// Messages: send one, see what waits and why, follow one through its life, take one back.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { isId } from '../../domain/core/ids.ts';
import { isOpen, type Message } from '../../domain/core/message.ts';
import type { Thresholds } from '../../domain/core/names.ts';
import { conflict } from '../../domain/core/refusal.ts';
import { type Phase, phaseOf } from '../../domain/core/session.ts';
import { tooLate } from '../../domain/delivery/queue.ts';
import type { Letter } from '../../ports/fleet.ts';
import type { RequestOf } from '../../protocol/routes.ts';
import { actorIn } from '../caller.ts';
import { elsewhere } from '../elsewhere.ts';
import type { Env } from '../env.ts';
import { letterTrace, sendLetter, withdrawLetter } from '../letters.ts';
import { type NewMessage, sendMessage, waitingFor } from '../messages.ts';
import { Refused } from '../refused.ts';
import { thresholdsOf } from '../reminders.ts';
import { find, findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { eventView, messageView } from '../view.ts';
import { describe } from './describe.ts';

export function messageRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { store } = service;

  app.openapi(describe('POST /sessions/{ref}/input'), async (c) => {
    const body = c.req.valid('json');
    const { ref } = c.req.valid('param');
    const from = c.get('requester');
    const remind = thresholdsIn(service, body);
    const message: NewMessage = {
      remind,
      text: body.text,
      from,
      mode: body.delivery_mode,
      notify: {
        turnEnd: body.notify_on_stop ?? from !== null,
        accepted: body.notify_on_delivery ?? false,
        afterSeconds: body.notify_after_seconds ?? null,
      },
      expiresAt: body.timeout_seconds ? service.clock.now() + body.timeout_seconds * 1_000 : null,
    };
    const there = elsewhere(service, ref);
    if (there) return c.json(await sendLetter(service, there, message), 200);
    const sent = await sendMessage(service, find(service, ref).session.id, message);
    return c.json(answerOf(service, sent.message, sent.place), 200);
  });

  app.openapi(describe('GET /sessions/{ref}/messages'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const messages = await store.messagesTo(session.id, c.req.valid('query').limit);
    return c.json({ session_id: session.id, messages: messages.map(messageView) }, 200);
  });

  app.openapi(describe('GET /sessions/{ref}/send-queue'), (c) => {
    const state = find(service, c.req.valid('param').ref);
    const waiting = [...waitingFor(state)].map(messageView);
    return c.json(
      {
        session_id: state.session.id,
        is_idle: phaseOf(state.session) === 'idle',
        pending_count: waiting.length,
        pending_messages: waiting,
        pending_commands: state.session.commands.filter(({ is }) => is !== 'typed').map(({ text }) => text),
      },
      200,
    );
  });

  app.openapi(describe('GET /messages/{id}'), async (c) => {
    const { id } = c.req.valid('param');
    const [fleet, letter] = [service.fleet(), await findLetter(service, id)];
    if (fleet && letter) return c.json(letterTrace(fleet, letter), 200);
    const message = await findMessage(service, id);
    const events = await store.eventsOfMessage(message.id);
    return c.json({ message: messageView(message), events: events.map(eventView) }, 200);
  });

  app.openapi(describe('POST /messages/{id}/withdraw'), async (c) => {
    const letter = await findLetter(service, c.req.valid('param').id);
    const fleet = service.fleet();
    if (fleet && letter) return c.json(await withdrawLetter(fleet, letter, actorIn(c)), 200);
    const message = await findMessage(service, c.req.valid('param').id);
    const { id, to, state } = message;
    // A session remembers only what is open.
    if (!isOpen(message)) throw new Refused(tooLate(id, state.is));
    await submit(service, to, { type: 'withdraw', id, by: actorIn(c) });
    return c.json(messageView(await findMessage(service, message.id)), 200);
  });
}

/** What a request says about reminders for its message. */
export function thresholdsIn({ remind }: Service, body: RemindFields): Thresholds | null {
  const found = thresholdsOf(remind, {
    soft: body.remind_soft_threshold,
    hard: body.remind_hard_threshold,
    configured: body.remind,
  });
  if ('refusal' in found) throw new Refused(found.refusal);
  return found.thresholds;
}

type RemindFields = Pick<
  RequestOf<'POST /sessions/{ref}/input'>['body'],
  'remind' | 'remind_soft_threshold' | 'remind_hard_threshold'
>;

/** One to a session of another node, if no message of this one is called so. */
async function findLetter({ store, fleet }: Service, ref: string): Promise<Letter | null> {
  const id = ref.replace(/^#/, '');
  const there = fleet();
  if (!there || !isId(id) || (await store.messagesStarting(id, 1)).length > 0) return null;
  const [only, ...more] = id.length >= 2 ? await there.lettersStarting(id, 2) : [];
  return only && more.length === 0 ? only : there.letter(id);
}

/** By its id, or by a beginning of it that fits one only. */
async function findMessage({ store }: Service, ref: string): Promise<Message> {
  const id = ref.replace(/^#/, '');
  const exact = isId(id) ? await store.message(id) : null;
  if (exact) return exact;
  const [only, ...more] = id.length >= 2 && isId(id) ? await store.messagesStarting(id, 6) : [];
  if (!only)
    throw new Refused({
      code: 'not-found',
      message: `No message "${id}".`,
      data: { is: 'no-message', ref: id },
    });
  if (more.length === 0) return only;
  const messages = [only, ...more].map((message) => ({ id: message.id, text: beginning(message.text) }));
  const list = messages.map((each) => `#${each.id} (${each.text})`).join(', ');
  throw new Refused(
    conflict(`#${id} matches several messages: ${list}. Give more of the id.`, {
      is: 'several-messages',
      ref: id,
      messages,
    }),
  );
}

const beginning = (text: string): string => {
  const line = text.slice(0, 200).replace(/\s+/g, ' ').trim();
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
};

export function answerOf({ engine }: Service, message: Message, place: number | null) {
  const view = messageView(message);
  const waiting = engine.get(message.to);
  const taken = view.state === 'accepted' || 'turn' in message.state;
  return {
    status: taken ? ('delivered' as const) : ('queued' as const),
    session_id: message.to,
    delivery_mode: message.mode,
    queue_position: place,
    message_id: message.id,
    state: view.state,
    why: view.why,
    waits_for: taken || !waiting ? null : waitsFor(phaseOf(waiting.session)),
    evidence: view.evidence,
  };
}

/** Null: it only waits its turn in the queue. */
export const waitsFor = (phase: Phase): Exclude<Phase, 'idle'> | null => (phase === 'idle' ? null : phase);
