// Delivery: look, type if the pane allows it, wait for evidence, look again. A text is pasted a second time only
// when it is proven that the first one left no trace; what is not recognised is not typed into.
import type { Draft } from './draft.ts';
import type { Look } from './fact.ts';
import type { Refusal, Send } from './input.ts';
import { type Attempt, type Evidence, isWaiting, type Message, type MessageId, promptOf } from './message.ts';
import { ask } from './questions.ts';
import { phaseOf } from './session.ts';

/** One prompt carries at most so many messages, and so many characters of them. */
const batch = { messages: 20, characters: 64_000 };
const maxPastes = 3;
const maxEnters = 5;
/** Evidence comes within tens of milliseconds; after this without any, we look. */
const evidenceWait = 1_500;
/** How soon a pane that did not allow typing is looked at again: quickly at first, because an agent that starts is slow to draw. */
const holdWaits = [50, 100, 200, 500, 1_000, 2_000];

export function send(d: Draft, input: Send): Refusal | undefined {
  if (d.message(input.id)) return undefined;
  if (d.session.process.state === 'exited' && d.session.process.killed) {
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
  if (d.session.attempt || phaseOf(d.session) !== 'idle') return;
  const messages = [...pick(d)];
  if (messages.length === 0) return;
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

function* pick(d: Draft): Iterable<Message> {
  let count = 0;
  let characters = 0;
  for (const mode of ['urgent', 'important', 'sequential'] as const) {
    for (const message of d.waiting(mode)) {
      characters += message.text.length;
      if (count > 0 && (count >= batch.messages || characters > batch.characters)) return;
      count += 1;
      yield message;
    }
  }
}

function look(d: Draft, attempt: Attempt): void {
  const effect = d.owe({ do: 'look' });
  d.update({ attempt: { ...attempt, effect, checkAt: null } });
}

/** The look that an attempt asked for. */
export function seenForAttempt(d: Draft, seen: Look | null): void {
  const attempt = d.session.attempt as Attempt;
  if (attempt.step === 'typed') return judge(d, attempt, seen);
  if (phaseOf(d.session) !== 'idle') return abandon(d, `the session is ${phaseOf(d.session)}`);

  const reading = seen?.reading;
  if (reading?.shows === 'dialog') {
    ask(d, { kind: 'dialog', since: d.now, text: reading.text, subject: null });
    return abandon(d, 'a dialog stands there');
  }
  if (!seen || !reading) return hold(d, attempt, 'the pane is not there');
  if (seen.copyMode) return hold(d, attempt, 'a human scrolls in the pane');
  if (reading.shows === 'unknown') return hold(d, attempt, 'the screen is not recognised');
  if (reading.draft !== '') return hold(d, attempt, 'draft');
  type(d, attempt, attempt.text, reading.cursor);
}

function hold(d: Draft, attempt: Attempt, why: string): void {
  for (const message of messagesOf(d, attempt)) {
    if (!isOutstanding(message) || (message.state.is === 'held' && message.state.why === why)) continue;
    d.put({ ...message, state: { is: 'held', why, since: d.now } });
    d.emit({ type: 'message-held', message: message.id, why });
  }
  const wait = holdWaits[Math.min(attempt.looks, holdWaits.length - 1)] as number;
  d.update({ attempt: { ...attempt, looks: attempt.looks + 1, effect: null, checkAt: d.now + wait } });
}

function type(d: Draft, attempt: Attempt, text: string | null, cursor: { x: number; y: number }): void {
  const effect = d.owe({ do: 'submit', text, cursor });
  const pasted = text !== null;
  d.update({
    attempt: {
      ...attempt,
      step: 'typed',
      pastes: attempt.pastes + (pasted ? 1 : 0),
      enters: attempt.enters + (pasted ? 0 : 1),
      effect,
      checkAt: null,
    },
  });
  for (const message of messagesOf(d, attempt)) {
    if (!isWaiting(message)) continue;
    d.put({ ...message, state: { is: 'typed', attempt: attempt.id, at: d.now } });
    d.emit({ type: 'message-typed', message: message.id, attempt: attempt.id });
  }
}

/** The result of typing. Evidence may have come first, and then there is no attempt any more. */
export function submitted(
  d: Draft,
  outcome: 'typed' | 'changed' | 'gone' | 'unknown',
  effectId: string,
): void {
  const { attempt } = d.session;
  if (attempt?.effect !== effectId) return;
  switch (outcome) {
    case 'typed':
    case 'unknown':
      return d.update({ attempt: { ...attempt, looks: 0, effect: null, checkAt: d.now + evidenceWait } });
    case 'changed':
      // Nothing went out this time; if an earlier paste did, evidence is still what we wait for.
      if (attempt.pastes + attempt.enters > 1)
        return d.update({ attempt: { ...attempt, effect: null, checkAt: d.now + evidenceWait } });
      return abandon(d, 'the composer changed before the text went out');
    case 'gone':
      return hold(d, { ...attempt, step: 'looking' }, 'the pane is not there');
  }
}

export function attemptDue(d: Draft): void {
  const { attempt } = d.session;
  if (attempt?.checkAt !== null && attempt?.checkAt !== undefined && d.now >= attempt.checkAt)
    look(d, attempt);
}

/** No evidence came: what does the pane say? */
function judge(d: Draft, attempt: Attempt, seen: Look | null): void {
  const again = { ...attempt, effect: null, checkAt: d.now + evidenceWait };
  // A dialog, a screen that we do not know, a turn that works: the text may have been taken. Wait for its evidence.
  if (
    !seen ||
    seen.copyMode ||
    seen.reading.shows !== 'composer' ||
    seen.reading.activity === 'working' ||
    d.session.turn
  )
    return d.update({ attempt: again });
  const { reading } = seen;
  if (holdsOurText(reading.draft, attempt.text)) {
    if (attempt.enters >= maxEnters)
      return fail(d, attempt, `its text stands in the composer and Enter had no effect ${maxEnters} times`);
    return type(d, attempt, null, reading.cursor);
  }
  if (reading.draft !== '') return d.update({ attempt: again });
  // An agent that is slow to read its terminal shows an empty composer, too: one look is not enough.
  if (attempt.looks === 0) return d.update({ attempt: { ...again, looks: 1 } });
  if (attempt.pastes >= maxPastes)
    return fail(
      d,
      attempt,
      `it was typed ${maxPastes} times and left no trace; the screen showed an empty composer`,
    );
  return type(d, attempt, attempt.text, reading.cursor);
}

/** A long text is shown as a placeholder; a short one as itself, perhaps wrapped. */
function holdsOurText(draftText: string, text: string): boolean {
  if (draftText === '') return false;
  if (/^\[Pasted text #\d+/.test(draftText)) return true;
  const squeeze = (each: string) => each.replace(/\s+/g, '');
  return squeeze(text).startsWith(squeeze(draftText).slice(0, 60));
}

/** Evidence that the agent has these messages. Gives back those that are ours and were open. */
export function accept(
  d: Draft,
  ids: readonly MessageId[],
  turn: string | null,
  evidence: Evidence,
): MessageId[] {
  const accepted: MessageId[] = [];
  for (const id of ids) {
    const message = d.message(id);
    if (!message || message.state.is === 'accepted') continue;
    d.put({ ...message, state: { is: 'accepted', at: d.now, evidence, turn } });
    d.emit({ type: 'message-accepted', message: id, turn, evidence });
    accepted.push(id);
  }
  const { attempt } = d.session;
  if (attempt && attempt.messages.every((id) => !isOutstanding(d.message(id)))) d.update({ attempt: null });
  return accepted;
}

const isOutstanding = (message: Message | undefined): boolean =>
  message !== undefined && (isWaiting(message) || message.state.is === 'typed');

/** Gives the attempt up; its messages wait again. */
export function abandon(d: Draft, why: string): void {
  const { attempt } = d.session;
  if (!attempt) return;
  d.update({ attempt: null });
  for (const message of messagesOf(d, attempt)) {
    if (message.state.is !== 'typed') continue;
    d.put({ ...message, state: { is: 'queued' } });
    d.emit({ type: 'message-requeued', message: message.id, why });
  }
}

function fail(d: Draft, attempt: Attempt, why: string): void {
  d.update({ attempt: null });
  for (const message of messagesOf(d, attempt)) {
    if (isOutstanding(message)) failMessage(d, message, why);
  }
}

export function failMessage(d: Draft, message: Message, why: string): void {
  d.put({ ...message, state: { is: 'failed', at: d.now, why } });
  d.emit({ type: 'message-failed', message: message.id, why });
}

function messagesOf(d: Draft, attempt: Attempt): Message[] {
  return attempt.messages.flatMap((id) => d.message(id) ?? []);
}
