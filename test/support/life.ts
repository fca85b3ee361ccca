// For property tests: a life of an agent, its human and our daemon, and what may happen in it.
import type { Fact, FactInput } from '../../src/domain/core/fact.ts';
import { isAlive } from '../../src/domain/core/session.ts';
import { isWanted } from '../../src/domain/delivery/wanted.ts';
import { provesEnd } from '../../src/intake/intake.ts';
import type { Lane } from './lane.ts';
import { restoreIt } from './session.ts';
import { type Fault, turnsOf, type World } from './world.ts';

export interface Life {
  readonly lane: Lane;
  readonly world: World;
  /** What was posted to whom. Every message has a sender of its own, so that each notice names its message. */
  readonly posted: Map<string, string[]>;
}

/** Everything that was said comes in, in the order in which it was said. */
export async function drain({ lane, world }: Life): Promise<void> {
  const all = [...world.hooks.splice(0), ...world.transcript.splice(0)];
  for (const fact of all.sort((a, b) => numberOf(a.id) - numberOf(b.id))) await lane.take(fact);
}

const numberOf = (id: string): number => Number(id.slice(1));

/** Runs the oldest effect as the daemon does: what was said before a look is known before the look is judged. */
export async function runEffect(life: Life, fault: Fault, meanwhile: () => void = () => {}): Promise<void> {
  const { lane, world } = life;
  const [owed] = lane.owed;
  if (!owed) return;
  const { effect } = owed;
  switch (effect.do) {
    case 'look': {
      const look = world.look();
      meanwhile();
      await drain(life);
      return lane.result(owed.id, { of: 'look', look });
    }
    case 'submit':
      if (!isWanted(lane.state.session, owed))
        return lane.result(owed.id, { of: 'submit', outcome: 'changed' });
      return lane.result(owed.id, submit(life, effect, fault));
    case 'launch':
      return lane.result(owed.id, world.launch(effect));
    case 'pass-on':
      return lane.result(owed.id, { of: 'pass-on' });
    case 'post':
      return lane.result(owed.id, post(life, effect));
    case 'escape':
      if (!isWanted(lane.state.session, owed))
        return lane.result(owed.id, { of: 'escape', outcome: 'changed' });
      return lane.result(owed.id, world.escapeOfOurs(effect));
    case 'remove-worktree':
    case 'restore-worktree':
    case 'finish-worktree':
      throw new Error('it has no worktree');
    case 'press':
      throw new Error('nobody asked for a key');
    case 'check-document':
      return lane.result(owed.id, { of: 'check-document', outcome: 'bad', why: 'nobody wrote one' });
    case 'answer':
      return lane.result(owed.id, { of: 'answer', outcome: 'nobody' });
    case 'leave-copy-mode':
      world.scrolled = false;
      return lane.result(owed.id, { of: effect.do });
    default:
      return lane.result(owed.id, { of: effect.do });
  }
}

/** A human's words must never go out by our Enter. */
function submit({ lane, world }: Life, effect: Parameters<World['submit']>[0], fault: Fault) {
  const before = [world.taken.length, world.queue.length];
  const { attempt } = lane.state.session;
  const outcome = world.submit(effect, fault);
  const sent = [...world.taken.slice(before[0]).map(({ text }) => text), ...world.queue.slice(before[1])];
  const ours = [effect.text, attempt && (attempt.back?.draft ?? '') + attempt.text];
  for (const text of sent) if (!ours.includes(text)) throw new Error(`we submitted ${JSON.stringify(text)}`);
  return outcome;
}

/** A notice of an end names the turn that took the message, or the one in which what we cut went on. */
function post({ lane, world, posted }: Life, { to, text }: { to: string; text: string }) {
  posted.set(to, [...(posted.get(to) ?? []), text]);
  const [, id] = /^peer-(.*)$/.exec(to) ?? [];
  const [, words] = /words of (t\d+)/.exec(text) ?? [];
  if (id !== undefined && words !== undefined && !world.dropped.has(id)) {
    const turns = turnsOf(world, id);
    const wentOn = turns.some((turn) => world.cutByUs.has(turn));
    if (!turns.includes(words) && !wentOn)
      throw new Error(`${id} was taken in ${turns.join() || 'no turn'}, and its sender heard of ${words}`);
    const isOwn = turns.includes(words) || text.includes('was cut off') || wasReminded(lane);
    if (!isOwn) throw new Error(`${id} was cut off in ${turns.join()}, and heard ${words} as its own answer`);
  }
  if (id !== undefined && /stopped|completed|interrupted/.test(text) && !/did not reach|is back/.test(text)) {
    const running = turnsOf(world, id).some((turn) => turn === world.turn?.id);
    if (running && !world.returned.has(id))
      throw new Error(`${id} is being worked on, and its sender was told: ${text}`);
  }
  return { of: 'post', outcome: 'posted' } as const;
}

/** What a text of our own cut goes on in the turn that it begins. */
export const wasReminded = (lane: Lane): boolean =>
  [...lane.messages.values()].some(({ from, mode }) => from.kind === 'sm' && mode === 'urgent');

export async function hear(lane: Lane, among: FactInput[], index: number): Promise<void> {
  const [fact] = among.splice(Math.max(index, 0), 1);
  if (fact) await lane.take(fact);
}

/**
 * The transcript of a conversation is followed when its start was heard: nobody knows of the file before. A prompt is
 * written there when its hook has run, and what hooks said is taken in first.
 */
export async function readLine({ lane, world }: Life): Promise<void> {
  const [line] = world.transcript;
  const of = line && 'providerId' in line.fact ? line.fact.providerId : null;
  const isUnknown =
    world.hooks.some(({ fact }) => fact.is === 'agent-started' && fact.providerId === of) ||
    lane.state.session.context.successor?.providerId === of;
  if (isUnknown) return;
  const hook = world.hooks.findIndex(({ fact }) => isPromptOf(fact, line?.fact));
  if (hook >= 0) await hear(lane, world.hooks, hook);
  await hear(lane, world.transcript, 0);
}

/**
 * Three things do not happen here. That the line of an interrupt is read later than the end of the whole next turn is
 * heard: then what was cut would be told with the last words of that turn. That of two prompts the second is heard
 * first: an agent takes no other while the hook of one runs, and what a hook keeps in the spool is heard in its order.
 * And, for the same reason, that a conversation is announced before what was told of the turns of those before it.
 */
export async function hearHook(life: Life, index: number): Promise<void> {
  const { lane, world } = life;
  const { hooks, transcript } = world;
  // What the agent said before its end is heard before its end.
  if (hooks[index]?.source === 'pane') return drain(life);
  const isCut = transcript.some(({ fact }) => fact.is === 'turn-ended' && fact.end === 'interrupted');
  while (isCut && hooks[index]?.fact.is === 'turn-ended' && transcript.length > 0)
    await hear(lane, transcript, 0);
  const isPrompt = ({ fact }: FactInput) => fact.is === 'prompt-submitted';
  if (hooks[index]?.fact.is === 'agent-started') return hearStart(life, hooks[index]);
  await readBefore(life, hooks[index]);
  const among = hooks[index] && isPrompt(hooks[index]) ? hooks.findIndex(isPrompt) : index;
  await hear(lane, hooks, among);
}

async function hearStart(life: Life, start: FactInput): Promise<void> {
  const { hooks } = life.world;
  const before = hooks.slice(0, hooks.indexOf(start));
  // Only the end of the one just before it may be heard later.
  if (before.at(-1)?.fact.is === 'context-ended') before.pop();
  for (const told of [...before, start]) {
    await readBefore(life, told);
    await hear(life.lane, hooks, hooks.indexOf(told));
  }
}

/** How a turn ended is asked of the transcript before anything is taken in that proves that it is over. */
async function readBefore(life: Life, told: FactInput | undefined): Promise<void> {
  const { lane, world } = life;
  if (!told || !provesEnd(lane.state.session, told.fact)) return;
  for (let lines = world.transcript.length; lines > 0; lines -= 1) await readLine(life);
}

/** It stays to be heard once more. */
export async function hearTwice(life: Life): Promise<void> {
  const [told] = life.world.hooks;
  if (!told || told.source === 'pane') return;
  await readBefore(life, told);
  await life.lane.take(told);
}

const isPromptOf = (one: Fact, other: Fact | undefined): boolean =>
  one.is === 'prompt-submitted' && other?.is === 'prompt-submitted' && one.turnId === other.turnId;

/** While our own Escape is on its way, nobody can say whose it was that cut the turn. */
export function humanEscapes({ lane, world }: Life, isTold: boolean): void {
  if (world.turn && lane.owed.some(({ effect }) => effect.do === 'escape')) world.cutByUs.add(world.turn.id);
  world.escape(isTold);
}

export async function restore(life: Life): Promise<void> {
  if (life.world.alive || isAlive(life.lane.state.session)) return;
  await drain(life);
  await life.lane.take(restoreIt);
}

/** Keys whose result was not stored may have gone out or not; the next start only knows that they were owed. */
export async function crash(life: Life, keysWentOut: boolean): Promise<void> {
  const [owed] = life.lane.owed;
  const effect = owed?.effect;
  if (keysWentOut && effect?.do === 'submit') submit(life, effect, 'none');
  if (keysWentOut && effect?.do === 'escape') life.world.escapeOfOurs(effect);
  // Nobody can say then whose Escape it was that cut the last turn.
  const last = life.world.turn?.id ?? life.world.taken.at(-1)?.turn;
  if (effect?.do === 'escape' && last) life.world.cutByUs.add(last);
  await life.lane.crash();
  if (effect?.do === 'submit' || effect?.do === 'escape')
    await life.lane.result(owed?.id as string, { of: effect.do, outcome: 'unknown' });
}
