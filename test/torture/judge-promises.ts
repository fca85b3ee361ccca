// Promises: reminders have their reasons, contexts their prompts, locks one owner.
import type { EventBody } from '../../src/domain/core/event.ts';
import { type Case, grouped, isToldTaken, textOf, wasReturned } from './case.ts';
import type { Told } from './history.ts';

export function* judgePromises(c: Case): Iterable<string> {
  for (const [session, events] of grouped(c.events, (each) => each.session)) {
    yield* reminders(session, events);
    yield* oneShots(session, events);
    yield* handoffs(c, session, events);
  }
  yield* locks(c);
}

type Of<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;
const bodyOf = <Type extends EventBody['type']>({ body }: Told, type: Type): Of<Type> | null =>
  body.type === type ? (body as Of<Type>) : null;

/** One is sent only while it is wanted, and not before its time; once its reason is gone it is not typed any more. */
function* reminders(session: string, events: readonly Told[]): Iterable<string> {
  let wanted: { since: number; soft: number; hard: number } | null = null;
  const open = new Set<string>();
  const known = new Set<string>();
  for (const told of events) {
    const body = bodyOf(told, 'reminder');
    if (body?.step === 'started') wanted = { since: told.at, soft: body.soft, hard: body.hard };
    if (body?.step === 'restarted' && wanted) wanted = { ...wanted, since: told.at };
    if (body?.step === 'ended') wanted = null;
    if (body?.step === 'ended' || body?.step === 'restarted') open.clear();
    if (body?.step === 'sent') {
      open.add(body.message);
      known.add(body.message);
      if (!wanted) yield `${session} is reminded (${body.message}) without a reason`;
      const early = wanted ? wanted.since + wanted[body.kind] * 1_000 - told.at : 0;
      // The clock of a daemon that started anew may be behind.
      if (wanted && early > 0 && told.at >= wanted.since)
        yield `${session} is reminded ${early} ms before its time (${body.message})`;
      if (wanted && body.kind === 'hard') wanted = { ...wanted, since: told.at };
    }
    const message = bodyOf(told, 'message');
    if (message?.state === 'typed' && known.has(message.message) && !open.has(message.message))
      yield `reminder ${message.message} was typed into ${session} when its reason was gone`;
  }
}

/** Each comes at its time, once, unless it is cancelled, or its session is killed. */
function* oneShots(session: string, events: readonly Told[]): Iterable<string> {
  const wasKilled = events.some((told) => bodyOf(told, 'session')?.step === 'killed');
  const all = events.flatMap((told) => {
    const body = bodyOf(told, 'one-shot');
    return body ? [{ at: told.at, number: told.number, body }] : [];
  });
  for (const [id, of] of grouped(all, ({ body }) => body.reminder)) {
    const set = of.find(({ body }) => body.step === 'set');
    const sent = of.filter(({ body }) => body.step === 'sent');
    const cancelled = of.find(({ body }) => body.step === 'cancelled');
    if (set?.body.step !== 'set') {
      yield `one-shot ${id} of ${session} was never set`;
      continue;
    }
    const { due, every } = set.body;
    const before = sent.find(({ at }) => at >= set.at && at < due);
    if (before) yield `one-shot ${id} of ${session} came ${due - before.at} ms before its time`;
    if (every === null && sent.length > 1) yield `one-shot ${id} of ${session} came ${sent.length} times`;
    if (sent.length === 0 && !cancelled && !wasKilled) yield `one-shot ${id} of ${session} never came`;
    if (cancelled && sent.some(({ number }) => number > cancelled.number))
      yield `one-shot ${id} of ${session} came after it was cancelled`;
  }
}

/** A context that was cleared for a handoff begins with its prompt, or it is told that it failed. */
function* handoffs(c: Case, session: string, events: readonly Told[]): Iterable<string> {
  for (const [i, told] of events.entries()) {
    const body = bodyOf(told, 'handoff');
    if (body?.step !== 'cleared') continue;
    const prompt = c.byId(body.message);
    const ended = events.slice(i + 1).find((each) => {
      const next = bodyOf(each, 'handoff');
      return (
        next?.step === 'done' ||
        next?.step === 'failed' ||
        bodyOf(each, 'session')?.step === 'exited' ||
        bodyOf(each, 'session')?.step === 'lost'
      );
    });
    if (!ended) yield `the handoff of ${session} with ${body.message} has neither ended nor failed`;
    const isDone = ended && bodyOf(ended, 'handoff')?.step === 'done';
    if (!isDone || !prompt || wasReturned(c, prompt) || prompt.state.is === 'died') continue;
    if (!isToldTaken(prompt))
      yield `the context of ${session} has no prompt: ${body.message} is ${prompt.state.is}`;
    const first = firstOf(c, session, textOf(prompt));
    if (first === undefined)
      yield `the context of ${session} has no prompt: its agent never had ${body.message}`;
    else if (!first.includes(textOf(prompt)) && !/^human \d+|^\/|^</.test(first))
      yield `the context of ${session} begins with "${first.slice(0, 60)}", and not with ${body.message}`;
  }
}

/** What the conversation that has these words began with. */
function firstOf(c: Case, session: string, words: string): string | undefined {
  const turns = c.turnsOf(session).filter(({ texts }) => !texts[0]?.startsWith('<'));
  const found = turns.find(({ texts }) => texts.some((text) => text.includes(words)));
  return found && turns.find(({ conversation }) => conversation === found.conversation)?.texts[0];
}

/** A workspace has one owner at a time, and who is gone owns nothing. */
function* locks(c: Case): Iterable<string> {
  const owners = new Map<string, string>();
  for (const told of c.events) {
    const body = bodyOf(told, 'lock');
    if (body?.step === 'taken') {
      const owner = owners.get(body.workspace);
      if (owner && owner !== told.session)
        yield `${told.session} took the lock on ${body.workspace}, which ${owner} held`;
      owners.set(body.workspace, told.session);
    }
    if (body?.step === 'released') {
      if (owners.get(body.workspace) !== told.session)
        yield `${told.session} gave back the lock on ${body.workspace}, which it did not hold`;
      owners.delete(body.workspace);
    }
    const session = bodyOf(told, 'session');
    const isOver = session?.step === 'exited' || session?.step === 'lost';
    for (const [workspace, owner] of owners)
      if (isOver && owner === told.session) yield `${owner} is gone, and holds the lock on ${workspace}`;
  }
  const held = new Map(
    c.states.flatMap(({ session }) => (session.lock ? [[session.lock.workspace, session.id]] : [])),
  );
  for (const [workspace, owner] of owners)
    if (held.get(workspace) !== owner) yield `the lock on ${workspace} is lost: ${owner} never gave it back`;
}
