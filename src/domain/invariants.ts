// What is true of every session after every input, whatever came in and in whatever order.
// Tests check it everywhere; nothing in the product depends on it.

import { handoffDueAt } from './context/handoff.ts';
import { holdOf } from './core/budget.ts';
import type { OwedEffect } from './core/effect.ts';
import type { Manners } from './core/manners.ts';
import { isOutstanding, isReturned, isWaiting, type Message, mayHave, promptOf } from './core/message.ts';
import { modes } from './core/names.ts';
import { type Attempt, effectOf, isCommand, lookAtOf } from './core/parts.ts';
import { isAlive, isRetired, isUnderWay, phaseOf, type State, takesText } from './core/session.ts';
import { dueAt } from './due.ts';
import { standstillDueAt } from './limits/standstill.ts';
import { hardReminder, softReminder } from './notices/wording.ts';
import { oneShotsDueAt } from './promises/one-shots.ts';
import { reminderDueAt } from './promises/reminders.ts';
import { endOf } from './promises/waits.ts';
import { mostCommands } from './turns/commands.ts';

/** Every rule that this state breaks, in words; none, if all is well. */
export function violations(state: State, manners: Manners): string[] {
  const rules: ((state: State, manners: Manners) => Iterable<string>)[] = [
    queues,
    attempts,
    interrupts,
    turns,
    ends,
    liveness,
    watchers,
    locks,
    announced,
    reminders,
    handoffs,
    screen,
    commands,
  ];
  return rules.flatMap((rule) => [...rule(state, manners)]);
}

/** What the state waits for must be under way, or it would wait for ever; and nothing may be done out of turn. */
export function owedViolations(state: State, owed: readonly OwedEffect[]): string[] {
  const { session } = state;
  const broken: string[] = [];
  const check = (holds: boolean, rule: string) => void (holds || broken.push(rule));
  const count = (kind: string) => owed.filter(({ effect }) => effect.do === kind).length;
  const isOwed = (id: string) => owed.some((each) => each.id === id);

  const underWay = effectOf(session.attempt);
  check(underWay === null || isOwed(underWay), 'the effect of an attempt is owed');
  const pressing = effectOf(session.turn?.interrupt);
  check(pressing === null || isOwed(pressing), 'the effect of an interrupt is owed');
  const handing = session.question?.hook?.answer?.effect;
  check(!handing || isOwed(handing), 'an answer that no hook has yet is owed to it');
  check(
    session.rulings.every(({ effect }) => isOwed(effect)),
    'the answer of a rule that no agent has yet is owed to it',
  );
  const { handoff } = session;
  check(handoff?.step !== 'checking' || isOwed(handoff.effect), 'the check of a document is owed');
  check(!session.takeover || isOwed(session.takeover.effect), 'the look before a takeover is owed');
  check(!session.look || isOwed(session.look), 'the look that the session waits for is owed');
  check(new Set(owed.map(({ id }) => id)).size === owed.length, 'every effect has its own id');
  if (session.process.state === 'launching')
    check(count('launch') === 1, 'a launching session owes one launch');
  if (session.process.state === 'ending') check(count('kill') === 1, 'an ending session owes one kill');
  else check(count('kill') === 0, 'only an ending session owes a kill');
  return broken;
}

function* queues({ session, queue, active }: State): Iterable<string> {
  const all = [...modes.flatMap((mode) => [...queue[mode].values()]), ...active.values()];
  if (new Set(all.map(({ id }) => id)).size !== all.length) yield 'no message is both waiting and active';
  if (new Set(all.map(({ order }) => order)).size !== all.length) yield 'every message has its own place';
  if (all.some(({ to }) => to !== session.id)) yield 'a session has only messages to itself';
  if (all.some(({ order }) => order > session.serial)) yield 'no place is ahead of the serial';
  for (const mode of modes) {
    const waiting = [...queue[mode].values()];
    if (!waiting.every((each) => isWaiting(each) && each.mode === mode)) {
      yield `only waiting messages of its mode are in the ${mode} queue`;
    }
    if (!isSorted(waiting)) yield `the ${mode} queue is in order`;
  }
  if (![...active.values()].every(({ state: { is } }) => is === 'typed' || is === 'accepted')) {
    yield 'only typed and accepted messages are active';
  }
}

function* attempts(state: State): Iterable<string> {
  const { attempt, process } = state.session;
  const typed = [...state.active.values()].flatMap((each) => (each.state.is === 'typed' ? [each.state] : []));
  if (typed.some((each) => each.attempt !== attempt?.id)) yield 'typed messages belong to the open attempt';
  if (!attempt) return;
  const messages = attempt.messages.map((id) => find(state, id));
  if (process.state !== 'running') yield 'only a running session has an attempt';
  if (messages.length === 0 && !isCommand(attempt)) yield 'an attempt has messages, or a command';
  if (messages.length > 1 && messages.some((each) => each?.review)) yield 'a review goes alone';
  if (!messages.every((each) => each && isOutstanding(each)))
    yield 'nobody has the messages of an attempt yet';
  else if (attempt.back === null && !isCommand(attempt) && attempt.text !== promptOf(messages as Message[]))
    yield 'an attempt types exactly its messages';
  if (!messages.every((each) => each && fitsStep(each, attempt)))
    yield 'messages are typed when the attempt is';
}

function* interrupts({ session }: State): Iterable<string> {
  const { process, turn, attempt } = session;
  if (!turn?.interrupt) return;
  if (process.state !== 'running') yield 'only a running session is interrupted';
  if (attempt) yield 'nothing is typed while a turn is interrupted';
}

function* commands({ session }: State): Iterable<string> {
  const { attempt, process, turn } = session;
  const [head, ...rest] = session.commands;
  const isUnderWay = head !== undefined && head.is !== 'waiting';
  if ((attempt?.types.is === 'slash') !== isUnderWay) yield 'a command is under way with its attempt';
  if (!head) return;
  if (rest.length >= mostCommands) yield 'not too many commands wait';
  if (process.state !== 'running') yield 'only a running session has commands';
  if (head.is !== 'waiting' && head.attempt !== attempt?.id) yield 'the attempt is that of the first command';
  if (rest.some(({ is }) => is !== 'waiting')) yield 'one command goes at a time';
  const isFree = !attempt && !session.clear && !session.handoff && !turn;
  if (isFree && phaseOf(session) === 'idle' && head.is === 'waiting') yield 'a command goes when it can';
}

const fitsStep = (message: Message, attempt: Attempt): boolean =>
  attempt.step === 'typed' && !isCommand(attempt) ? message.state.is === 'typed' : isWaiting(message);

function* turns(state: State): Iterable<string> {
  const { turn, earlyEnds } = state.session;
  const endedTurns = state.session.endedTurns.map(({ id }) => id);
  const accepted = [...state.active.values()]
    .filter((each) => each.state.is === 'accepted')
    .map(({ id }) => id);
  const held = heldByAgent(state);
  if (new Set(held).size !== held.length) yield 'the agent has a message once';
  if (!held.every((id) => accepted.includes(id))) yield 'what the agent has is accepted';
  if (!accepted.every((id) => held.includes(id))) {
    yield 'accepted messages are of the turn that runs, enqueued, or carried on';
  }
  if (turn?.id && endedTurns.includes(turn.id)) yield 'a turn that has ended does not run';
  if (earlyEnds.some(({ id }) => id === turn?.id || endedTurns.includes(id))) {
    yield 'an end waits only for a start that is unknown';
  }
}

function* ends({ session, queue, active }: State): Iterable<string> {
  const { turn, question, compaction, attempt, clear, silence, look, process } = session;
  const held = heldByAgent({ session });
  const open = modes.reduce((sum, mode) => sum + queue[mode].size, active.size);
  if (
    !isAlive(session) &&
    (session.handoff ||
      session.standstill ||
      turn ||
      question ||
      compaction ||
      attempt ||
      clear ||
      silence ||
      look ||
      held.length > 0)
  ) {
    yield 'nothing goes on in a session that has ended';
  }
  const killed = process.state === 'ending' || (process.state === 'exited' && process.killed);
  if (killed && attempt) yield 'nothing is typed into a session that was killed';
  if (killed && open > held.length) yield 'nothing waits for a session that was killed';
}

function* liveness(state: State, manners: Manners): Iterable<string> {
  const { session, queue } = state;
  const { attempt, alarms, clear, turn, silence, look, compaction, process, watchers, question, lock } =
    session;
  const phase = phaseOf(session);
  const waits = modes.some((mode) => [...queue[mode].values()].some((each) => !isReturned(each)));
  const running = process.state === 'running';
  if (running && phase === 'idle' && (waits || clear) && !attempt && !session.takeover)
    yield 'what waits for an idle session is attempted';
  const mayCut = turn?.rotated?.steps === 0 ? [] : [...queue.urgent.values()];
  const mayAdd = turn?.rotated || !takesText(session, manners) ? [] : [...queue.important.values()];
  const pressing = !isUnderWay(session.handoff) && [...mayCut, ...mayAdd].some((each) => !isReturned(each));
  if (
    running &&
    phase === 'working' &&
    turn &&
    ((pressing && holdOf(session) === null) || turn.halt || (clear && !session.handoff)) &&
    !attempt &&
    !turn.interrupt
  ) {
    yield 'what does not wait for the end of a turn is attempted in it';
  }
  if ((running && phase !== 'idle') !== (silence !== null))
    yield 'the silence of a running session is measured unless it is idle';
  const pending = Boolean(
    lookAtOf(attempt) !== null ||
      lookAtOf(turn?.interrupt) !== null ||
      clear ||
      turn?.halt ||
      (silence && !look) ||
      compaction ||
      alarms.length > 0 ||
      watchers.length > 0 ||
      question?.overdueAt != null ||
      oneShotsDueAt(session) !== null ||
      handoffDueAt(session) !== null ||
      reminderDueAt(session) !== null ||
      standstillDueAt(session) !== null ||
      (lock?.waiters.length ?? 0) > 0,
  );
  if (pending !== (dueAt(session) !== null)) yield 'a due time stands exactly when something is pending';
}

function* watchers({ session, queue, active }: State): Iterable<string> {
  const first = modes.flatMap((mode) => [...queue[mode].values()].slice(0, 1));
  if (session.watchers.length > 0 && endOf(session, first, [...active.values()]) !== null)
    yield 'whoever waits for its end is told of it';
}

function* locks({ session }: State): Iterable<string> {
  const { id, lock } = session;
  if (!lock) return;
  if (!isAlive(session)) yield 'a session that has ended holds no lock';
  const waiting = lock.waiters.map(({ by }) => by);
  if (waiting.includes(id)) yield 'nobody waits for a lock of his own';
  if (new Set(waiting).size !== waiting.length) yield 'a session waits once for a lock';
}

function* announced({ session }: State): Iterable<string> {
  const { expectedClears } = session;
  if (!isAlive(session) && expectedClears.length > 0) yield 'nobody clears a session that has ended';
}

function* reminders({ session, queue }: State): Iterable<string> {
  const { reminder, oneShots } = session;
  if (reminder && !isAlive(session)) yield 'nobody reminds a session that has ended';
  if (oneShots.length > 0 && isRetired(session)) yield 'nothing is promised to a session that was killed';
  if (reminder && reminder.hard <= reminder.soft) yield 'a hard reminder comes after the soft one';
  // One that was typed before may wait again, because it may turn out to have arrived.
  const waiting = [...queue.important.values(), ...queue.urgent.values()].filter(
    (each) => isReminder(each) && !mayHave(each),
  );
  if (waiting.some(({ id }) => id !== reminder?.sent))
    yield 'of the reminders of a window only the last waits';
}

function* handoffs(state: State): Iterable<string> {
  const { handoff, clear, process } = state.session;
  if (!handoff) return;
  if (process.state !== 'running') yield 'only a running session hands over';
  if (handoff.step === 'clearing' && clear === null) yield 'the context is cleared in its step';
  if (handoff.step !== 'cleared' && handoff.step !== 'prompted') return;
  if (clear !== null) yield 'the context is cleared once';
  const prompt = find(state, handoff.message);
  if (!prompt || !isOutstanding(prompt)) yield 'the prompt of a handoff is on its way';
}

function* screen({ session }: State): Iterable<string> {
  const { unrecognised, process, attempt, turn, silence, look } = session;
  if (!unrecognised) return;
  const { told } = unrecognised;
  if (process.state !== 'running') yield 'only the screen of an agent that runs can be unknown';
  if (!told && !attempt && !turn?.interrupt && !silence && !look)
    yield 'a glimpse is forgotten when nobody looks';
  if (told && new Set(told).size !== told.length) yield 'nobody hears twice that a screen is not recognised';
}

/** All that the agent has of ours and is not done with. */
function heldByAgent({ session }: Pick<State, 'session'>): string[] {
  const { turn, enqueued, carried } = session;
  return [
    ...(turn?.earlier.flatMap(({ messages }) => messages) ?? []),
    ...(turn?.messages ?? []),
    ...enqueued,
    ...carried,
  ];
}

const isReminder = ({ from, text }: Message): boolean =>
  from.kind === 'sm' && (text === softReminder || text === hardReminder);

const find = (state: State, id: string): Message | undefined =>
  state.active.get(id) ?? modes.map((mode) => state.queue[mode].get(id)).find(Boolean);

const isSorted = (messages: readonly Message[]): boolean =>
  messages.every((each, i) => i === 0 || (messages[i - 1] as Message).order < each.order);
