// What must be true in the end: every message exactly once and in order, every ending as it was, every notice once, no
// reminder without its reason, no context without its prompt, every lock given back. A fault is a line each.
import { isReturned, type Message } from '../../src/domain/core/message.ts';
import { violations } from '../../src/domain/invariants.ts';
import { mannersOf } from '../../src/providers/manners.ts';
import {
  type Case,
  caseOf,
  grouped,
  isToldTaken,
  markOf,
  textOf,
  wasGivenBack,
  wasReturned,
} from './case.ts';
import type { History } from './history.ts';
import { judgeNotices } from './judge-notices.ts';
import { judgePromises } from './judge-promises.ts';

export interface Verdict {
  readonly messages: number;
  readonly states: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

export function judge(history: History): Verdict {
  const c = caseOf(history);
  const faults = [
    ...asAsked(c),
    ...history.messages.flatMap((message) => [...exactlyOnce(c, message)]),
    ...ownTexts(c),
    ...inOrder(c),
    ...history.messages.flatMap((message) => [...endedTruly(c, message)]),
    ...judgeNotices(c),
    ...judgePromises(c),
    ...atRest(c),
  ];
  const states: Record<string, number> = {};
  for (const { state } of history.messages) states[state.is] = (states[state.is] ?? 0) + 1;
  return { messages: history.messages.length, states, faults };
}

/** What was answered with "ok" is kept, and nothing is made of one request twice. */
function* asAsked({ asked, messages }: Case): Iterable<string> {
  const byWords = grouped(
    messages.filter(({ headed }) => headed),
    ({ text }) => /^do \d+\./.exec(text)?.[0] ?? '',
  );
  for (const { words, answer } of asked) {
    const kept = byWords.get(words)?.length ?? 0;
    if (answer === 'ok' && kept === 0) yield `"${words}" was taken from its sender, and is not in the store`;
    if (answer === 'refused' && kept > 0) yield `"${words}" was refused, and is in the store`;
    if (kept > 1) yield `"${words}" was asked for once, and is in the store ${kept} times`;
  }
}

function* exactlyOnce(c: Case, message: Message): Iterable<string> {
  const { id, state, to } = message;
  const isOver = !['queued', 'held', 'typed', 'accepted'].includes(state.is);
  if (!isOver && !isReturned(message)) yield `${id} to ${to} is still ${state.is}`;
  if (!message.headed || wasReturned(c, message)) return;
  const taken = c.takenIn(message);
  const times = taken.length;
  const answered = taken.filter(({ said, ends }) => said.length > 0 || ends.size > 0).length;
  if (wasGivenBack(c, message) ? answered > 1 : times > 1)
    yield `${id} (${state.is}) was taken ${times} times by ${to}`;
  // An agent that dies, or is cut at once, has perhaps not written down what it told its hooks of.
  const mayBeUnwritten = state.is !== 'answered' && state.is !== 'failed';
  if (isToldTaken(message) && times === 0 && !mayBeUnwritten)
    yield `${id} is told as ${state.is}, and was never taken by ${to}`;
  if (isOver && !isToldTaken(message) && times > 0)
    yield `${id} is told as ${state.is}, and was taken by ${to}`;
}

/** Notices and reminders have no number of their own: of equal ones as many are taken as are told as taken. */
function* ownTexts(c: Case): Iterable<string> {
  const own = c.messages.filter(({ headed }) => !headed);
  for (const group of grouped(own, (each) => `${each.to}\n${textOf(each)}`).values()) {
    const [first] = group as [Message];
    if (group.some((each) => wasReturned(c, each) || wasGivenBack(c, each))) continue;
    const times = c.takenIn(first).length;
    const surely = group.filter((each) => each.state.is === 'answered');
    const perhaps = group.filter(isToldTaken);
    const words = `"${textOf(first).slice(0, 70)}" to ${first.to}`;
    if (times > perhaps.length) yield `${words} was taken ${times} times, and ${perhaps.length} are told so`;
    if (times < surely.length) yield `${words} was taken ${times} times, and ${surely.length} are told so`;
  }
}

/** What one sender writes to one reader in one mode comes in the order in which it was written. */
function* inOrder(c: Case): Iterable<string> {
  const isTyped = (each: Message) => !wasReturned(c, each) && !wasGivenBack(c, each);
  const headed = c.messages.filter((each) => each.headed && isToldTaken(each) && isTyped(each));
  const ways = grouped(headed, ({ to, from, mode }) => `${to} ${mode} ${JSON.stringify(from)}`);
  for (const way of ways.values()) {
    const all = c
      .turnsOf(way[0]?.to ?? '')
      .flatMap(({ texts }) => texts)
      .join('\n');
    const places = way
      .sort((a, b) => a.order - b.order)
      .map((message) => ({ id: message.id, place: all.indexOf(markOf(message)) }))
      .filter(({ place }) => place >= 0);
    for (const [i, { id, place }] of places.entries()) {
      const before = places[i - 1];
      if (before && place < before.place) yield `${id} came before ${before.id}, which was sent first`;
    }
  }
}

/** How its turn ended, by the agent's own log. What the log does not tell may be told as anything but an answer. */
function* endedTruly(c: Case, message: Message): Iterable<string> {
  const { id, to, state } = message;
  if (!isToldTaken(message) || wasReturned(c, message)) return;
  const taken = c.takenIn(message);
  const told = 'turn' in state ? state.turn : null;
  const turns = [...taken, ...c.turnsOf(to).filter((turn) => turn.id === told)];
  if (turns.length === 0) return;
  const has = (end: 'stopped' | 'failed' | 'interrupted') => turns.some(({ ends }) => ends.has(end));
  const untrue = (why: string) => `${id} is told as ${state.is} by ${to}: ${why}`;
  const [first] = taken;
  // What goes on in another turn, as after a handoff, ends with that.
  const isThere = told === null || told === first?.id;
  const endedByItself = isThere && first?.isSure && first.ends.size === 1 && first.ends.has('stopped');
  if (state.is === 'answered' && !has('stopped') && !turns.some(({ closed }) => closed))
    yield untrue('its turn did not end by itself');
  if (state.is === 'failed' && !has('failed')) yield untrue('its turn did not fail');
  const isCut = ['interrupted', 'cut-off', 'died', 'cleared'].includes(state.is);
  if (isCut && endedByItself && message.headed) yield untrue('its turn ended by itself');
}

/** Nothing is left to do, and nothing contradicts itself. */
function* atRest({ states, owed, spooled }: Case): Iterable<string> {
  for (const state of states)
    for (const rule of violations(state, mannersOf(state.session.provider)))
      yield `${state.session.id}: ${rule}`;
  for (const { sessionId, effect } of owed) yield `${sessionId} still owes: ${effect.do}`;
  if (spooled > 0) yield `${spooled} facts are left in the spool`;
}
