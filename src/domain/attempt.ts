// An attempt: look, type if the pane allows it, wait for evidence, look again. A text is pasted a second time only
// when it is proven that the first one left no trace.
import { setAlarm } from './alarms.ts';
import { failMessage } from './delivery.ts';
import type { Draft } from './draft.ts';
import type { Cursor, EffectResult } from './effect.ts';
import type { Look } from './fact.ts';
import {
  type Attempt,
  type Evidence,
  isOutstanding,
  isWaiting,
  type Message,
  type MessageId,
  promptOf,
} from './message.ts';
import { tellAccepted } from './notices.ts';
import { ask } from './questions.ts';
import { phaseOf } from './session.ts';
import { leaveToType, traceOf } from './verdict.ts';

const maxPastes = 3;
const maxEnters = 5;
/** Evidence comes within tens of milliseconds; after this without any, we look. */
const evidenceWait = 1_500;
/** How soon a pane that did not allow typing is looked at again: quickly at first, because an agent that starts is slow to draw. */
const holdWaits = [50, 100, 200, 500, 1_000, 2_000];

export function beginAttempt(d: Draft, messages: readonly Message[]): void {
  look(d, {
    id: d.nextId('a'),
    messages: messages.map((message) => message.id),
    text: promptOf(messages),
    step: 'looking',
    since: d.now,
    pastes: 0,
    enters: 0,
    looks: 0,
    effect: null,
    checkAt: null,
  });
}

function look(d: Draft, attempt: Attempt): void {
  const effect = d.owe({ do: 'look' });
  d.update({ attempt: { ...attempt, effect, checkAt: null } });
}

export function attemptDue(d: Draft): void {
  const { attempt } = d.session;
  if (attempt && attempt.checkAt !== null && d.now >= attempt.checkAt) look(d, attempt);
}

/** The look that an attempt asked for. */
export function seenForAttempt(d: Draft, attempt: Attempt, seen: Look | null): void {
  if (attempt.step === 'typed') judge(d, attempt, seen);
  else typeIfAllowed(d, attempt, seen);
}

function typeIfAllowed(d: Draft, attempt: Attempt, seen: Look | null): void {
  const phase = phaseOf(d.session);
  if (phase !== 'idle') {
    abandon(d, `the session is ${phase}`);
    return;
  }
  const leave = leaveToType(seen);
  switch (leave.is) {
    case 'given':
      type(d, attempt, attempt.text, leave.cursor);
      break;
    case 'refused':
      hold(d, attempt, leave.why);
      break;
    case 'dialog':
      ask(d, { kind: 'dialog', since: d.now, text: leave.text, subject: null });
      abandon(d, 'a dialog stands there');
      break;
  }
}

function hold(d: Draft, attempt: Attempt, why: string): void {
  for (const message of messagesOf(d, attempt)) {
    if (message.state.is === 'held' && message.state.why === why) continue;
    d.put({ ...message, state: { is: 'held', why, since: d.now } });
    d.emit({ type: 'message-held', message: message.id, why });
  }
  const wait = holdWaits[Math.min(attempt.looks, holdWaits.length - 1)] as number;
  d.update({ attempt: { ...attempt, looks: attempt.looks + 1, effect: null, checkAt: d.now + wait } });
}

/** Pastes the text, or nothing when it stands there already, and presses Enter. */
function type(d: Draft, attempt: Attempt, text: string | null, cursor: Cursor): void {
  const effect = d.owe({ do: 'submit', text, cursor });
  const counted = text === null ? { enters: attempt.enters + 1 } : { pastes: attempt.pastes + 1 };
  d.update({ attempt: { ...attempt, ...counted, step: 'typed', effect, checkAt: null } });
  for (const message of messagesOf(d, attempt)) {
    if (!isWaiting(message)) continue;
    d.put({ ...message, state: { is: 'typed', attempt: attempt.id, at: d.now } });
    d.emit({ type: 'message-typed', message: message.id, attempt: attempt.id });
  }
}

type Submitted = Extract<EffectResult, { of: 'submit' }>['outcome'];

/** The result of typing. Evidence may have come first, and then there is no such attempt any more. */
export function submitted(d: Draft, outcome: Submitted, effectId: string): void {
  const { attempt } = d.session;
  if (attempt?.effect !== effectId) return;
  const nothingWentOut = outcome === 'changed' || outcome === 'gone';
  if (nothingWentOut && attempt.pastes + attempt.enters === 1) {
    const why =
      outcome === 'gone' ? 'the pane is not there' : 'the composer changed before the text went out';
    hold(d, { ...attempt, step: 'looking', pastes: 0 }, why);
    return;
  }
  // If nothing went out now but something did earlier, its evidence is still what we wait for.
  awaitEvidence(d, { ...attempt, looks: 0 });
}

function awaitEvidence(d: Draft, attempt: Attempt): void {
  d.update({ attempt: { ...attempt, effect: null, checkAt: d.now + evidenceWait } });
}

/** No evidence came: what does the pane say? Nothing is typed while the session does anything at all. */
function judge(d: Draft, attempt: Attempt, seen: Look | null): void {
  const trace = phaseOf(d.session) === 'idle' ? traceOf(attempt.text, seen) : { is: 'unclear' as const };
  switch (trace.is) {
    case 'unclear':
      awaitEvidence(d, { ...attempt, looks: 0 });
      break;
    case 'standing':
      if (attempt.enters < maxEnters) type(d, attempt, null, trace.cursor);
      else fail(d, attempt, `its text stands in the composer and Enter had no effect ${maxEnters} times`);
      break;
    case 'none':
      // An agent that is slow to read its terminal shows an empty composer, too: one look is not enough.
      if (attempt.looks === 0) awaitEvidence(d, { ...attempt, looks: 1 });
      else if (attempt.pastes < maxPastes) type(d, attempt, attempt.text, trace.cursor);
      else fail(d, attempt, `it was typed ${maxPastes} times and left no trace in an empty composer`);
      break;
  }
}

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
  if (left.length === 0) d.update({ attempt: null });
  else if (left.length < attempt.messages.length) {
    d.update({ attempt: { ...attempt, messages: left.map(({ id }) => id), text: promptOf(left) } });
  }
}

/** Gives the attempt up; its messages wait again. */
export function abandon(d: Draft, why: string): void {
  const { attempt } = d.session;
  if (!attempt) return;
  d.update({ attempt: null });
  for (const message of messagesOf(d, attempt)) {
    if (message.state.is === 'queued') continue;
    d.put({ ...message, state: { is: 'queued' } });
    d.emit({ type: 'message-requeued', message: message.id, why });
  }
}

function fail(d: Draft, attempt: Attempt, why: string): void {
  d.update({ attempt: null });
  for (const message of messagesOf(d, attempt)) failMessage(d, message, why);
}

function messagesOf(d: Draft, attempt: Attempt): Message[] {
  return attempt.messages.flatMap((id) => d.message(id) ?? []);
}
