// Messages between nodes: a letter on its way out is kept until its node has it, and one that comes in becomes a message.
import type { Refusal } from '../domain/core/input.ts';
import type { Actor, Sender } from '../domain/core/names.ts';
import { conflict, invalid } from '../domain/core/refusal.ts';
import type { Session } from '../domain/core/session.ts';
import { tooLate } from '../domain/delivery/queue.ts';
import type { Letter } from '../ports/fleet.ts';
import type { EventView } from '../protocol/event.ts';
import type { InputAnswer, MessageStateName, MessageView, Trace } from '../protocol/message.ts';
import type { LetterMail } from '../protocol/node.ts';
import type { ErrorView } from '../protocol/refusal.ts';
import type { SessionView } from '../protocol/session.ts';
import { phase } from '../protocol/session-view.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Fleet } from './fleet.ts';
import { ask } from './forward.ts';
import { checkText, type NewMessage, newMessage, senderOf } from './messages.ts';
import { Refused } from './refused.ts';
import { find } from './resolve.ts';
import type { Service } from './service.ts';

/** NATS takes a megabyte at once, and JSON makes a text longer. */
const longestLetter = 900_000;
/** How long an answer waits for what its node tells. */
const patience = 1_000;
const final: ReadonlySet<string> = new Set(['accepted', 'held', 'failed', 'withdrawn', 'expired']);

export async function sendLetter(
  service: Service,
  there: Elsewhere,
  message: NewMessage,
): Promise<InputAnswer> {
  const { fleet, node } = there;
  // While nobody can say which session that is, its node will.
  const isUnknown = there.view === null && fleet.awayWhy(node) !== null;
  const view = isUnknown ? null : (there.view ?? (await viewOf(there)));
  const session = view ? view.id.slice(0, -node.length - 1) : there.id;
  const id = `${session}@${node}`;
  const bad = checkText(message.text) ?? checkSize(message.text);
  if (bad) throw new Refused(bad);
  const { text, from, mode = 'sequential', notify, remind = null, expiresAt = null } = message;
  if (from) await service.engine.submit(from.id, { type: 'wrote', to: id });
  const sent = await fleet.send({
    id: service.random.hex(8),
    node,
    session,
    text,
    from: senderOf(from),
    mode,
    notify: notify ?? { turnEnd: false, accepted: false, afterSeconds: null },
    remind,
    expiresAt,
  });
  const letter = await settled(service, fleet, sent);
  const { state, why, evidence } = letterView(fleet, letter);
  return {
    status: state === 'queued' || state === 'held' || state === 'typed' ? 'queued' : 'delivered',
    session_id: id,
    delivery_mode: mode,
    queue_position: null,
    message_id: letter.id,
    state,
    why,
    waits_for: state === 'queued' ? waitsForIn(letter) : null,
    evidence,
  };
}

const waitsForIn = ({ parked }: Letter): InputAnswer['waits_for'] =>
  phase
    .exclude(['idle'])
    .nullable()
    .catch(null)
    .parse(parked?.phase ?? null);

/** Of one that the directory does not know, its node is asked. */
async function viewOf({ fleet, node, id }: Elsewhere): Promise<SessionView> {
  const path = `/sessions/${encodeURIComponent(id)}`;
  const asked = { method: 'GET', path, body: null, accept: null, after: null, from: null } as const;
  const answer = await ask(fleet, node, asked);
  const found = (await answer.json()) as SessionView & ErrorView;
  if (answer.status === 200) return found;
  const data = { is: 'no-session', ref: `${id}@${node}` } as const;
  throw new Refused({ code: 'not-found', message: `Node ${node} says: ${found.detail}`, data });
}

export async function withdrawLetter(fleet: Fleet, letter: Letter, by: Actor): Promise<MessageView> {
  const why = by.kind === 'session' ? 'its sender withdrew it' : 'the user withdrew it';
  if (isOver(letter)) throw new Refused(tooLate(letter.id, letter.state as MessageStateName));
  if (letter.leftAt === null && (await fleet.withdraw(letter, why)))
    return letterView(fleet, { ...letter, state: 'withdrawn', why });
  const answer = await ask(fleet, letter.node, {
    method: 'POST',
    path: `/messages/${letter.id}/withdraw`,
    body: {},
    accept: null,
    after: null,
    from: by.kind === 'session' ? { id: by.id, name: '' } : null,
  });
  const said = (await answer.json()) as MessageView & ErrorView;
  if (answer.status === 200) return said;
  throw new Refused(
    conflict(`Node ${letter.node} says: ${said.detail}`, {
      is: 'not-waiting',
      message: letter.id,
      state: null,
    }),
  );
}

const isOver = ({ state }: Letter): boolean => !['queued', 'held', 'typed', 'accepted'].includes(state);

function checkSize(text: string): Refusal | null {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes <= longestLetter) return null;
  return invalid(
    `The text takes ${bytes} bytes on its way; to another node the limit is ${longestLetter}. Put it into a file there.`,
  );
}

/** The letter as it is when more is known of it, or when it is plain that it waits. */
async function settled({ clock }: Service, fleet: Fleet, sent: Letter): Promise<Letter> {
  let now = sent;
  await new Promise<void>((resolve) => {
    const timer = clock.timer(patience, done);
    const off = fleet.onLetter((letter) => {
      if (letter.id === sent.id) hear(letter);
    });
    function hear(letter: Letter): void {
      now = letter;
      if (final.has(letter.state) || letter.parked || fleet.awayWhy(letter.node) !== null) done();
    }
    function done(): void {
      off();
      timer.cancel();
      resolve();
    }
    hear(sent);
  });
  return (await fleet.letter(sent.id)) ?? now;
}

/** Puts a letter from another node into the queue of its session: in the order of the calls, and `stored` a little later. */
export async function receiveLetter(
  service: Service,
  node: string,
  { id, to, from, text, mode, notify, remind, expires_in: left }: LetterMail,
): Promise<{ stored: Promise<Refusal | null> }> {
  const bad = checkText(text) ?? (service.allows(node, 'send') ? null : notLet(service, node));
  if (bad) return { stored: Promise.resolve(bad) };
  const sending = await newMessage(service, {
    id,
    text,
    from: null,
    mode,
    notify,
    remind,
    expiresAt: left === null ? null : service.clock.now() + left,
  });
  const sender: Sender = from
    ? { kind: 'session', id: `${from.id}@${node}`, name: from.name }
    : { kind: 'person' };
  const session = owned(service, to);
  if ('code' in session) return { stored: Promise.resolve(session) };
  const submitted = service.engine.submit(session.id, { type: 'send', ...sending, from: sender });
  return { stored: submitted.then((answer) => (answer.ok ? null : answer.refusal)) };
}

/** Whoever sent it may have known only its name. */
function owned(service: Service, ref: string): Session | Refusal {
  try {
    return find(service, ref).session;
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
}

const notLet = (service: Service, node: string): Refusal =>
  invalid(`node ${service.fleet()?.node} does not let node ${node} send: "send" is not in its fleet.allow`);

export function letterView(fleet: Fleet, letter: Letter): MessageView {
  const { id, node, session, from, mode, text, createdAt, evidence, turn } = letter;
  const waits = letter.state === 'queued' && letter.told.length === 0 ? fleet.awayWhy(node) : null;
  return {
    id,
    session_id: `${session}@${node}`,
    from,
    mode,
    text,
    created_at: iso(createdAt),
    state: letter.state as MessageStateName,
    why: letter.why ?? waits,
    evidence: letter.state === 'accepted' && evidence ? { ...evidence, at: iso(evidence.at) } : null,
    turn,
  };
}

export function letterTrace(fleet: Fleet, letter: Letter): Trace {
  const left_at = letter.leftAt === null ? null : iso(letter.leftAt);
  return {
    message: letterView(fleet, letter),
    events: letter.told as unknown as EventView[],
    way: { from: fleet.node, to: letter.node, left_at },
  };
}

const iso = (time: number): string => new Date(time).toISOString();
