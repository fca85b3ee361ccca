// Nothing lost, nothing twice: random lives of an agent, its human and our daemon, counted at the agent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact, FactInput } from '../../src/domain/fact.ts';
import { isReturned, type Mode, modes, quietly } from '../../src/domain/message.ts';
import { isAlive, person, phaseOf } from '../../src/domain/session.ts';
import { sent as aMessage, restoreIt } from '../../src/domain/test-session.ts';
import { type Lane, openLane } from '../../src/engine/test-lane.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { createWorld, type Fault, noticeText, turnsOf, type World } from './every-mode-world.ts';

interface Life {
  readonly lane: Lane;
  readonly world: World;
  /** What was posted to whom. Every message has a sender of its own, so that each notice names its message. */
  readonly posted: Map<string, string[]>;
}

/** Everything that was said comes in, in the order in which it was said. */
async function drain({ lane, world }: Life): Promise<void> {
  const all = [...world.hooks.splice(0), ...world.transcript.splice(0)];
  for (const fact of all.sort((a, b) => numberOf(a.id) - numberOf(b.id))) await lane.take(fact);
}

const numberOf = (id: string): number => Number(id.slice(1));

/** Runs the oldest effect as the daemon does: what was said before a look is known before the look is judged. */
async function runEffect(life: Life, fault: Fault, meanwhile: () => void = () => {}): Promise<void> {
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
      return lane.result(owed.id, submit(life, effect, fault));
    case 'launch':
      return lane.result(owed.id, world.launch(effect));
    case 'post':
      return lane.result(owed.id, post(life, effect));
    case 'escape':
      return lane.result(owed.id, world.escapeOfOurs(effect));
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
  const ours = [effect.text, attempt && (attempt.onTopOf ?? '') + attempt.text];
  for (const text of sent) if (!ours.includes(text)) throw new Error(`we submitted ${JSON.stringify(text)}`);
  return outcome;
}

/** A notice of an end names the turn that took the message, or the one in which what we cut went on. */
function post({ world, posted }: Life, { to, text }: { to: string; text: string }) {
  posted.set(to, [...(posted.get(to) ?? []), text]);
  const [, id] = /^peer-(.*)$/.exec(to) ?? [];
  const [, words] = /words of (t\d+)/.exec(text) ?? [];
  if (id !== undefined && words !== undefined && !world.dropped.has(id)) {
    const turns = turnsOf(world, id);
    const wentOn = turns.some((turn) => world.cutByUs.has(turn));
    if (!turns.includes(words) && !wentOn)
      throw new Error(`${id} was taken in ${turns.join() || 'no turn'}, and its sender heard of ${words}`);
  }
  if (id !== undefined && /stopped|completed|interrupted/.test(text) && !/did not reach|is back/.test(text)) {
    const running = turnsOf(world, id).some((turn) => turn === world.turn?.id);
    if (running && !world.returned.has(id))
      throw new Error(`${id} is being worked on, and its sender was told: ${text}`);
  }
  return { of: 'post', outcome: 'posted' } as const;
}

type Step = (life: Life) => Promise<unknown> | unknown;

/** The steps of a life, by name, so that a failing one can be read. */
const steps: Record<string, Step> = {
  'an effect runs': (life) => runEffect(life, 'none'),
  'an effect runs, and again': async (life) => {
    await runEffect(life, 'none');
    await runEffect(life, 'none');
  },
  'an effect runs, and what was typed is swallowed': (life) => runEffect(life, 'swallowed'),
  'an effect runs, and its Enter is lost': (life) => runEffect(life, 'enter lost'),
  'the human types during the look': (life) => runEffect(life, 'none', () => life.world.type()),
  'a turn ends during the look': (life) => runEffect(life, 'none', () => life.world.finish()),
  'a turn ends before an effect runs': async (life) => {
    life.world.finish();
    await runEffect(life, 'none');
  },
  'the human presses Escape during the look': (life) =>
    runEffect(life, 'none', () => humanEscapes(life, true)),
  'a message is sent': ({ lane }) => send(lane, 'sequential'),
  'an important message is sent': ({ lane }) => send(lane, 'important'),
  'an urgent message is sent': ({ lane }) => send(lane, 'urgent'),
  'a notice comes': ({ lane }) => notice(lane, 'sequential'),
  'an important notice comes': ({ lane }) => notice(lane, 'important'),
  'a message is sent that may expire': ({ lane }) => send(lane, 'urgent', lane.now + 1_000),
  'the oldest waiting message is withdrawn': ({ lane }) => withdraw(lane),
  'a clear is asked for': ({ lane }) => lane.take({ type: 'clear', by: person, prompt: null }),
  'a clear with a prompt is asked for': ({ lane }) =>
    lane.take({ type: 'clear', by: person, prompt: nextMessage('sequential') }),
  'the oldest hook is heard': (life) => hearHook(life, 0),
  'the newest hook is heard': (life) => hearHook(life, life.world.hooks.length - 1),
  'a line of the transcript is read': readLine,
  'a hook is heard twice': async ({ lane, world }) => {
    const [fact] = world.hooks;
    if (fact && fact.source !== 'pane') await lane.take(fact);
  },
  'all facts are heard': drain,
  'the human types': ({ world }) => world.type(),
  'the human deletes what stands there': ({ world }) => world.drop(),
  'the human presses Enter': ({ world }) => world.enter(),
  'the human presses Escape': (life) => humanEscapes(life, true),
  'the human presses Escape and nothing tells it': (life) => humanEscapes(life, false),
  'the human clears': ({ world }) => {
    if (world.turn || world.composer !== '' || !world.alive || world.scrolled) return;
    world.composer = '/clear';
    world.enter();
  },
  'the human scrolls': ({ world }) => {
    world.scrolled = world.alive && !world.scrolled;
  },
  'the agent speaks': ({ world }) => world.speak(),
  'the agent uses a tool': ({ world }) => world.useTool(),
  'the agent asks': ({ world }) => world.askPermission(),
  'the agent is answered': ({ world }) => world.answerPermission(),
  'the agent finishes': ({ world }) => world.finish(),
  'the agent dies': ({ world }) => world.die(),
  'the session is restored': restore,
  'the daemon crashes': (life) => crash(life, false),
  'the daemon crashes after the keys went out': (life) => crash(life, true),
  'a moment passes': ({ lane }) => lane.wait(200),
  'two seconds pass': ({ lane }) => lane.wait(2_000),
  'a minute passes': ({ lane }) => lane.wait(60_000),
};

const often = [
  'an effect runs',
  'an effect runs, and again',
  'a message is sent',
  'an important message is sent',
  'an important notice comes',
  'an urgent message is sent',
  'all facts are heard',
  'two seconds pass',
];

let sent = 0;
function nextId(): string {
  sent += 1;
  return sent.toString(16).padStart(8, '0');
}

function nextMessage(mode: Mode, expiresAt: number | null = null) {
  const id = nextId();
  const from = { kind: 'session', id: `peer-${id}`, name: 'peer' } as const;
  const notify = { onStop: true, onDelivery: false, afterSeconds: null };
  return aMessage({ id, mode, from, notify, expiresAt });
}

const send = (lane: Lane, mode: Mode, expiresAt: number | null = null): Promise<unknown> =>
  lane.take(nextMessage(mode, expiresAt));

function notice(lane: Lane, mode: Mode): Promise<unknown> {
  const id = nextId();
  const unheaded = { text: noticeText(id), headed: false, from: { kind: 'sm' }, notify: quietly } as const;
  return lane.take(aMessage({ id, mode, ...unheaded }));
}

function withdraw(lane: Lane): Promise<unknown> | undefined {
  const [first] = modes.flatMap((mode) => [...lane.state.queue[mode].keys()]);
  return first === undefined ? undefined : lane.take({ type: 'withdraw', id: first, by: person });
}

async function hear(lane: Lane, among: FactInput[], index: number): Promise<void> {
  const [fact] = among.splice(Math.max(index, 0), 1);
  if (fact) await lane.take(fact);
}

/**
 * The transcript of a conversation is followed when its start was heard: nobody knows of the file before. A prompt is
 * written there when its hook has run, and what hooks said is taken in first.
 */
async function readLine({ lane, world }: Life): Promise<void> {
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
 * Two things do not happen here. That the line of an interrupt is read later than the end of the whole next turn is
 * heard: then what was cut would be told with the last words of that turn. And that of two prompts which were typed
 * under the same turn the second is heard first: then it would be taken for the one that began the turn.
 */
async function hearHook(life: Life, index: number): Promise<void> {
  const { lane, world } = life;
  const { hooks, transcript } = world;
  // What the agent said before its end is heard before its end.
  if (hooks[index]?.source === 'pane') return drain(life);
  const isCut = transcript.some(({ fact }) => fact.is === 'turn-interrupted');
  while (isCut && hooks[index]?.fact.is === 'turn-ended' && transcript.length > 0)
    await hear(lane, transcript, 0);
  const { fact } = hooks[index] ?? {};
  const first = hooks.findIndex((each) => isPromptOf(each.fact, fact));
  await hear(lane, hooks, first < 0 ? index : first);
}

const isPromptOf = (one: Fact, other: Fact | undefined): boolean =>
  one.is === 'prompt-submitted' && other?.is === 'prompt-submitted' && one.turnId === other.turnId;

/** While our own Escape is on its way, nobody can say whose it was that cut the turn. */
function humanEscapes({ lane, world }: Life, isTold: boolean): void {
  if (world.turn && lane.owed.some(({ effect }) => effect.do === 'escape')) world.cutByUs.add(world.turn.id);
  world.escape(isTold);
}

async function restore(life: Life): Promise<void> {
  if (life.world.alive || isAlive(life.lane.state.session)) return;
  await drain(life);
  await life.lane.take(restoreIt);
}

/** Keys whose result was not stored may have gone out or not; the next start only knows that they were owed. */
async function crash(life: Life, keysWentOut: boolean): Promise<void> {
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

/** From here on everybody behaves: whatever is open must come to its end. */
async function comeToRest(life: Life): Promise<void> {
  const { lane, world } = life;
  for (let round = 0; round < 200; round += 1) {
    await drain(life);
    await restore(life);
    world.scrolled = false;
    world.answerPermission();
    world.finish();
    const { attempt, interrupt } = lane.state.session;
    const ours = attempt && [attempt.onTopOf, attempt.text, (attempt.onTopOf ?? '') + attempt.text];
    if (!interrupt && !ours?.includes(world.composer)) world.drop();
    for (let i = 0; i < 5; i += 1) await runEffect(life, 'none');
    await lane.wait(2_000);
    const { session, queue, active } = lane.state;
    const waiting = modes.flatMap((mode) => [...queue[mode].values()].filter((each) => !isReturned(each)));
    const open =
      waiting.length + active.size + lane.owed.length + world.hooks.length + world.transcript.length;
    if (open === 0 && phaseOf(session) === 'idle' && !world.turn && session.carried.length === 0) return;
  }
  throw new Error(`it does not come to rest: ${JSON.stringify(lane.state.session)}`);
}

const stepName = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...often) },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(steps)) },
);

function checkOnce({ lane, world }: Life): void {
  for (const id of lane.messages.keys()) {
    const turns = turnsOf(world, id);
    if (turns.length > 1) throw new Error(`${id} was taken in ${turns.join(' and ')}`);
  }
}

/** How many notices of its end, or of never having arrived, the sender of a message must have. */
function checkAtRest({ lane, world, posted }: Life, seen: Record<string, number>): void {
  const isInHumanHands = (id: string) => world.dropped.has(id) || world.returned.has(id);
  for (const [id, { state, from }] of lane.messages) {
    seen[state.is] = (seen[state.is] ?? 0) + 1;
    const times = turnsOf(world, id).length;
    if (state.is === 'answered' && !isInHumanHands(id)) expect(times, `${id} was answered`).toBe(1);
    else if (state.is === 'failed' || state.is === 'answered') expect(times, id).toBeLessThanOrEqual(1);
    else expect([id, state, times]).toEqual([id, state, 0]);
    const notices = (posted.get(`peer-${id}`) ?? []).filter((text) => !text.includes('is blocked'));
    const last = notices.filter((text) => !text.includes('is back in its composer'));
    const isTold = from.kind === 'session' && ['answered', 'failed', 'expired'].includes(state.is);
    expect([id, state.is, last]).toEqual([id, state.is, isTold ? [expect.any(String)] : []]);
  }
}

describe('every message', () => {
  it('is taken by the agent exactly once, and its sender told exactly once, whatever happens on the way', async () => {
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(stepName, { maxLength: 60, size: 'max' }),
        async (canStash, names) => {
          const store = openSqliteStore(':memory:');
          try {
            const lane = await openLane(store);
            const world = createWorld(() => lane.now, canStash);
            const life = { lane, world, posted: new Map() };
            for (const name of names) {
              await steps[name]?.(life);
              checkOnce(life);
            }
            await comeToRest(life);
            checkOnce(life);
            checkAtRest(life, seen);
          } finally {
            await store.close();
          }
        },
      ),
      // Other histories every time, unless somebody wants to know what a change has changed.
      { numRuns: 2_000, seed: Number(process.env.FAULTS_SEED ?? Date.now()) },
    );
    expect(seen.answered).toBeGreaterThan(700);
    expect(seen.failed ?? 0).toBeLessThan((seen.answered as number) / 20);
  });
});
