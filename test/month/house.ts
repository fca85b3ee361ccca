// Many sessions in virtual time: the real engine on the real store, and a modelled agent, pane and human for each
// session. What is asked of time is done in its order, and between two things everything that follows has followed.
import type { EffectResult, OwedEffect } from '../../src/domain/core/effect.ts';
import type { FactInput } from '../../src/domain/core/fact.ts';
import type { Input } from '../../src/domain/core/input.ts';
import type { Message } from '../../src/domain/core/message.ts';
import type { Session } from '../../src/domain/core/session.ts';
import { isWanted } from '../../src/domain/delivery/wanted.ts';
import { violations } from '../../src/domain/invariants.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type VirtualClock, virtualClock } from '../../src/engine/virtual-clock.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { silentLog } from '../../src/ports/log.ts';
import type { Store } from '../../src/ports/store.ts';
import { creation, settings } from '../support/session.ts';
import { createWorld, type World } from '../support/world.ts';
import type { Told } from '../torture/history.ts';
import { type Agenda, openAgenda } from './agenda.ts';

export interface House {
  readonly clock: VirtualClock;
  readonly agenda: Agenda;
  readonly worlds: ReadonlyMap<string, World>;
  /** The last that was stored of each message, also of those that are forgotten. */
  readonly messages: ReadonlyMap<string, Message>;
  readonly events: readonly Told[];
  /** Effects that were owed and never settled. */
  readonly owed: ReadonlyMap<string, OwedEffect>;
  /** The broken rules, with the moment. */
  readonly broken: string[];
  readonly inputs: number;
  readonly engine: Engine;
  create(id: string, parentId: string | null): Promise<void>;
  give(id: string, input: Input): Promise<boolean>;
  /** What the agent and its human do; what is said of it is heard. */
  move(id: string, how: (world: World) => void): Promise<void>;
  /** The daemon ends like a power cut, and starts again. */
  crash(): Promise<void>;
  /** Lets time pass until then, doing what is on the agenda. */
  until(at: number): Promise<void>;
}

/** How long an agent works on a turn, and when its first tool ends. */
export type Pace = (session: string, turn: string) => { readonly tool: number; readonly end: number };

export async function openHouse(store: Store, pace: Pace): Promise<House> {
  const clock = virtualClock();
  const agenda = openAgenda();
  const worlds = new Map<string, World>();
  const messages = new Map<string, Message>();
  const events: Told[] = [];
  const owed = new Map<string, OwedEffect>();
  const broken: string[] = [];
  const turns = new Map<string, string>();
  let inputs = 0;
  let activity = 0;
  /** The number of the daemon that lives: what an earlier one would still do happens no more. */
  let life = 0;

  const watched = (mine: number): Store => ({
    ...store,
    async commit(batch) {
      if (mine !== life) return new Promise(() => {});
      await store.commit(batch);
      activity += 1;
      for (const message of batch.messages) messages.set(message.id, message);
      for (const { sessionId, at, body } of batch.events)
        events.push({ number: events.length + 1, session: sessionId, at, body });
      for (const each of batch.owed) owed.set(each.id, each);
      for (const id of batch.settled) owed.delete(id);
    },
  });

  const ownClock = (mine: number): Clock => ({
    now: clock.now,
    timer: (delay, callback) => clock.timer(delay, () => mine === life && callback()),
  });

  function begin(): Engine {
    const mine = ++life;
    const made = createEngine({
      store: watched(mine),
      clock: ownClock(mine),
      log: silentLog,
      settings,
      runner: {
        async run(effect, session) {
          if (mine !== life) return new Promise(() => {});
          activity += 1;
          const result = await carryOut(effect, session);
          return mine === life ? result : new Promise(() => {});
        },
      },
    });
    made.onCommit(({ id, provider }) => {
      const state = made.get(id);
      for (const rule of state ? violations(state, settings.manners(provider)) : [])
        broken.push(`${id} at ${clock.now()}: ${rule}`);
    });
    return made;
  }

  async function carryOut(each: OwedEffect, session: Session): Promise<EffectResult> {
    const { effect } = each;
    const world = worlds.get(each.sessionId) as World;
    // What the agent says of it is heard a moment later.
    const heard = (result: EffectResult) => {
      setImmediate(() => void listen(each.sessionId));
      return result;
    };
    switch (effect.do) {
      case 'look': {
        const look = world.look();
        await listen(each.sessionId);
        return { of: 'look', look };
      }
      case 'submit':
        return isWanted(session, each)
          ? heard(world.submit(effect, 'none'))
          : { of: 'submit', outcome: 'changed' };
      case 'escape':
        return isWanted(session, each)
          ? heard(world.escapeOfOurs(effect))
          : { of: 'escape', outcome: 'changed' };
      case 'launch':
        return heard(world.launch(effect));
      case 'kill':
        world.die();
        world.hooks.splice(0);
        world.transcript.splice(0);
        return { of: 'kill' };
      case 'check-document':
        return { of: 'check-document', outcome: 'kept', copy: `/copies${effect.path}` };
      case 'answer':
        return { of: 'answer', outcome: 'nobody' };
      case 'bury':
      case 'leave-copy-mode':
      case 'publish-document':
        return { of: effect.do };
      default:
        throw new Error(`nobody asked for ${effect.do}`);
    }
  }

  /** Everything that was said is heard, in the order in which it was said. */
  async function listen(id: string): Promise<void> {
    const world = worlds.get(id) as World;
    const said = [...world.hooks.splice(0), ...world.transcript.splice(0)];
    for (const fact of said.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))))
      await give(id, asOf(id, fact));
    follow(id, world);
  }

  /** A turn that has begun goes its way. */
  function follow(id: string, world: World): void {
    const { turn } = world;
    if (!turn || turns.get(id) === turn.id) return;
    turns.set(id, turn.id);
    const { tool, end } = pace(id, turn.id);
    const isIt = () => worlds.get(id)?.turn?.id === turn.id;
    agenda.add(clock.now() + tool, () => (isIt() ? move(id, (w) => w.useTool()) : undefined));
    agenda.add(clock.now() + end, () => (isIt() ? move(id, (w) => w.finish()) : undefined));
  }

  async function give(id: string, input: Input): Promise<boolean> {
    inputs += 1;
    activity += 1;
    return (await engine.submit(id, input)).ok;
  }

  async function move(id: string, how: (world: World) => void): Promise<void> {
    how(worlds.get(id) as World);
    await listen(id);
  }

  /** All that is ready, and what follows from it. */
  async function quiet(): Promise<void> {
    for (let still = 0, before = -1; still < 4; still = before === activity ? still + 1 : 0) {
      before = activity;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  let engine = begin();
  engine.resume();
  return {
    clock,
    agenda,
    worlds,
    messages,
    events,
    owed,
    broken,
    get inputs() {
      return inputs;
    },
    get engine() {
      return engine;
    },
    async create(id, parentId) {
      worlds.set(id, createWorld(clock.now));
      await give(id, {
        ...creation,
        id,
        name: id,
        parentId,
        providerId: `${id}-c1`,
        workingDir: `/work/${id}`,
      });
      await quiet();
    },
    give,
    move,
    async crash() {
      engine = begin();
      await engine.load();
      engine.resume();
      await quiet();
    },
    async until(at) {
      for (;;) {
        const timer = clock.next === null ? Number.POSITIVE_INFINITY : clock.now() + clock.next;
        const next = Math.min(timer, Math.max(agenda.next, clock.now()), at);
        clock.advance(Math.max(next - clock.now(), 0));
        for (let due = agenda.take(clock.now()); due; due = agenda.take(clock.now())) await due();
        await quiet();
        if (next >= at) return;
      }
    },
  };
}

/** In a house with many, every session has conversations and facts of its own. */
function asOf(id: string, input: FactInput): FactInput {
  const { fact } = input;
  const own = (name: string) => (name.startsWith(`${id}-`) ? name : `${id}-${name}`);
  const named =
    'providerId' in fact && fact.providerId ? { ...fact, providerId: own(fact.providerId) } : fact;
  return { ...input, id: `${id}-${input.id}`, fact: named };
}
