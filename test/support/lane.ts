// For property tests: one session whose every decision is stored, and which can crash and be rebuilt at any point.
// After each step the invariants hold, and memory is what the store would load.
import { isDeepStrictEqual } from 'node:util';
import { apply, emptyState } from '../../src/domain/core/change.ts';
import type { EffectResult, OwedEffect } from '../../src/domain/core/effect.ts';
import type { Input, Others, Refusal } from '../../src/domain/core/input.ts';
import type { Message, MessageState } from '../../src/domain/core/message.ts';
import type { State } from '../../src/domain/core/session.ts';
import { decide } from '../../src/domain/decide.ts';
import { dueAt } from '../../src/domain/due.ts';
import { owedViolations, violations } from '../../src/domain/invariants.ts';
import type { Store } from '../../src/ports/store.ts';
import { alone, creation } from './session.ts';

/** How a message may go on; what the agent has waits again only if the agent gave it back. */
const next: Record<MessageState['is'], readonly MessageState['is'][]> = {
  queued: ['held', 'typed', 'accepted', 'failed', 'withdrawn', 'expired'],
  held: ['queued', 'held', 'typed', 'accepted', 'failed', 'withdrawn', 'expired'],
  typed: ['queued', 'held', 'accepted', 'failed'],
  accepted: [
    'accepted',
    'answered',
    'cut-off',
    'interrupted',
    'failed',
    'died',
    'cleared',
    'unknown',
    'queued',
    'held',
  ],
  answered: [],
  'cut-off': [],
  interrupted: [],
  died: [],
  cleared: [],
  unknown: [],
  failed: [],
  withdrawn: [],
  expired: [],
};

export interface Lane {
  readonly state: State;
  readonly owed: readonly OwedEffect[];
  readonly messages: ReadonlyMap<string, Message>;
  now: number;
  take(input: Input): Promise<Refusal | undefined>;
  /** Decides, and then finds the disk full. */
  takeInVain(input: Input): void;
  result(effectId: string, result: EffectResult): Promise<void>;
  /** Lets time pass, with everything that falls due on the way. */
  wait(ms: number): Promise<void>;
  /** Only what is stored lives on. Effects that were owed then may have run or not. */
  crash(): Promise<void>;
}

export async function openLane(store: Store, given: Others = alone): Promise<Lane> {
  // A parent may answer, so that histories know of such answers, too.
  const world: Others = { ...given, settings: { ...given.settings, parentsMayAnswer: true } };
  let state: State | null = null;
  let owed: OwedEffect[] = [];
  const messages = new Map<string, Message>();

  function check(after: unknown): void {
    if (!state) return;
    const manners = world.settings.manners(state.session.provider);
    const broken = [...violations(state, manners), ...owedViolations(state, owed)];
    if (broken.length) throw new Error(`${broken.join('; ')}, after ${JSON.stringify(after)}`);
  }

  async function take(input: Input): Promise<Refusal | undefined> {
    if (input.type === 'fact' && (await store.knownFacts([input.id])).size) return undefined;
    if (input.type === 'send' && (await store.message(input.id))) return undefined;
    const outcome = decide(state, input, lane.now, world);
    if (!outcome.ok) return outcome.refusal;
    const { decision } = outcome;
    for (const message of decision.messages) follow(message);
    state ??= emptyState(decision.session);
    apply(state, decision);
    owed = [...owed, ...decision.effects].filter(({ id }) => !decision.settled.includes(id));
    await store.commit({
      sessions: [decision.session],
      messages: decision.messages,
      events: decision.events,
      owed: decision.effects,
      settled: decision.settled,
      spent: decision.spent,
      facts: input.type === 'fact' ? [{ id: input.id, at: input.at }] : [],
    });
    check(input);
    return undefined;
  }

  function follow(message: Message): void {
    const before = messages.get(message.id)?.state.is;
    const after = message.state.is;
    // Within one decision a message may go on by more than one step.
    const ways = before ? [...next[before], ...next[before].flatMap((is) => next[is])] : null;
    if (before !== after && ways && !ways.includes(after)) {
      throw new Error(`a message went from ${before} to ${after}`);
    }
    messages.set(message.id, message);
  }

  const lane: Lane = {
    now: 1_000_000,
    get state() {
      return state as State;
    },
    get owed() {
      return owed;
    },
    messages,
    take,
    takeInVain(input) {
      const outcome = decide(state, input, lane.now, world);
      if (!state || !outcome.ok) return;
      const before = plain(state);
      const undo = apply(state, outcome.decision);
      undo();
      if (!isDeepStrictEqual(plain(state), before)) throw new Error('a failed commit has changed memory');
    },
    async result(effectId, result) {
      await take({ type: 'result', effectId, result });
    },
    async wait(ms) {
      const until = lane.now + ms;
      let atOnce = 0;
      for (let at = dueAt(lane.state.session); at !== null && at <= until; at = dueAt(lane.state.session)) {
        atOnce = at <= lane.now ? atOnce + 1 : 0;
        if (atOnce > 3) throw new Error('something is due again and again');
        lane.now = Math.max(lane.now, at);
        await take({ type: 'due' });
      }
      lane.now = until;
    },
    async crash() {
      const stored = await store.state(creation.id);
      const { states, owed: storedOwed } = await store.load();
      if (!isDeepStrictEqual(plain(stored as State), plain(lane.state))) {
        throw new Error('memory is not what the store would load');
      }
      if (!isDeepStrictEqual(storedOwed, owed)) throw new Error('the store owes something else');
      state = states[0] ?? stored;
      check('a crash');
    },
  };
  await take(creation);
  return lane;
}

/** As it would be read from a store: no maps, and nothing that JSON cannot hold. */
function plain({ session, queue, active }: State): unknown {
  const listed = (map: ReadonlyMap<string, Message>) => [...map.values()];
  const { sequential, important, urgent } = queue;
  return JSON.parse(
    JSON.stringify([session, listed(sequential), listed(important), listed(urgent), listed(active)]),
  );
}
