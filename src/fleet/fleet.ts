// The fleet, put together: presence, directory and mail over one connection. Loaded only where it is configured.
import { cpus, loadavg } from 'node:os';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Letter, NewLetter } from '../ports/fleet.ts';
import type { Log } from '../ports/log.ts';
import type { Store, StoredEvent } from '../ports/store.ts';
import type { EventView } from '../protocol/event.ts';
import { fleetProtocol, type LetterMail } from '../protocol/node.ts';
import type { Power } from '../server/allowed.ts';
import type { Fleet } from '../server/fleet.ts';
import type { ViewTexts } from '../server/view-texts.ts';
import { createAway } from './away.ts';
import { type CallDeps, type CallPoint, createCalls } from './calls.ts';
import { createDirectory } from './directory.ts';
import { createIncoming } from './incoming.ts';
import { type FleetConfig, openLink } from './link.ts';
import { createOutgoing } from './outgoing.ts';
import { createPresence } from './presence.ts';
import { createStates, type StatesDeps } from './states.ts';
import { createTaking, type Receive } from './taking.ts';
import { createWelcome, type Hub } from './welcome.ts';

/** The first version of the protocol with parcels of several pieces. */
const withParcels = 2;

type FleetPoint = `fleet:${'publish' | 'take'}:${'before' | 'after'}` | CallPoint;

export interface FleetDeps {
  readonly config: FleetConfig;
  readonly version: string;
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly texts: ViewTexts;
  readonly eventView: (event: StoredEvent) => EventView;
  /** Puts a letter into the queue of the session that it is for; a refusal is told to its sender. */
  readonly receive: Receive;
  readonly parked: StatesDeps['parked'];
  readonly allows: (node: string, power: Power) => boolean;
  /** Whether any other node may see what runs here. */
  readonly isSeen: boolean;
  /** Answers a call of another node. */
  readonly answer: CallDeps['answer'];
  /** Null: this machine is not the hub. */
  readonly hub: Hub | null;
  readonly crash: (point: FleetPoint) => void;
}

export interface FleetService extends Fleet {
  /** How many sessions of other nodes are known. */
  known(): number;
  /** Mail was owed by somebody else. */
  wake(): void;
  stop(): Promise<void>;
}

export async function startFleet(deps: FleetDeps): Promise<FleetService> {
  const { config, version, store, engine, clock, log, texts, crash } = deps;
  const { node } = config;
  const listeners = new Set<(letter: Letter) => void>();
  const onLetter = (letter: Letter) => {
    for (const listener of listeners) listener(letter);
  };
  let latency: number | null = null;
  /** Whoever waits for a word of a node. */
  const words = new Map<string, Set<() => void>>();

  const presence = createPresence({
    node,
    clock,
    self: () => ({
      version,
      protocol: fleetProtocol,
      labels: [...config.labels],
      load: Math.round(((loadavg()[0] ?? 0) / Math.max(1, cpus().length)) * 100) / 100,
      sessions: [...engine.all()].length,
      latency,
    }),
    onChange(name, isHere, since) {
      log.info({ node: name }, isHere ? 'a node is here' : 'a node is away');
      tellOfNode(name, since, isHere);
      if (!isHere) calls.lost(name);
      outgoing.wake();
    },
    onWord(name, isNew) {
      if (isNew) calls.lost(name);
      for (const heard of words.get(name) ?? []) heard();
    },
  });
  const directory = createDirectory({
    node,
    clock,
    own: () =>
      engine.whenStored(() => {
        const sessions = deps.isSeen ? [...engine.all()] : [];
        return new Map(sessions.map(({ session }) => [session.id, texts.of(session)]));
      }),
  });
  const tellOfNode = createAway({ engine, store, log, ready: directory.ready, sessions: directory.sessions });
  const outgoing = createOutgoing({
    node,
    store: store.fleet,
    clock,
    log,
    isHere: presence.isHere,
    fits: (name) => misfit(presence.protocolOf(name)) === null,
    unpacks: (name) => (presence.protocolOf(name) ?? 0) >= withParcels,
    onLetter,
    crash,
  });
  const { wake } = outgoing;
  const calls = createCalls({ node, clock, log, answer: deps.answer, crash });
  const states = createStates({ store, engine, clock, log, view: deps.eventView, parked: deps.parked, wake });
  const take = createTaking({
    ...{ store, engine, states, onLetter, wake },
    receive: deps.receive,
    allows: deps.allows,
  });
  const incoming = createIncoming({ node, clock, log, take, crash });
  const off = engine.onCommit(() => directory.changed());

  const fresh = ({ notify: _, remind: __, ...letter }: NewLetter): Letter => ({
    ...letter,
    createdAt: clock.now(),
    leftAt: null,
    state: 'queued',
    why: null,
    turn: null,
    evidence: null,
    parked: null,
    told: [],
  });

  await states.start();
  const link = openLink(
    config,
    { clock, log },
    (line) => {
      presence.begin(line);
      directory.begin(line);
      incoming.begin(line);
      calls.begin(line);
      if (deps.hub) createWelcome(deps.hub, log).begin(line);
      outgoing.begin(line);
      void line.nats.rtt().then(
        (ms) => {
          latency = Math.round(ms * 100) / 100;
        },
        () => {},
      );
    },
    () => {
      presence.cut();
      directory.cut();
      outgoing.cut();
    },
  );

  return {
    node,
    away: () => link.why,
    isKnown: directory.isLoaded,
    known: directory.known,
    nodes() {
      const counts = directory.counts();
      return presence
        .nodes()
        .map((each) => (each.isOwn ? each : { ...each, sessions: counts.get(each.name) ?? 0 }));
    },
    sessions: () =>
      directory.sessions().map((view) => {
        const since = presence.awaySince(view.node ?? '');
        return since === null ? view : { ...view, away_since: new Date(since).toISOString() };
      }),
    watched: (letter) => store.fleet.keep({ ...fresh(letter), state: 'accepted' }),
    async send(letter: NewLetter) {
      const { notify, remind } = letter;
      const kept = fresh(letter);
      const { id, session: to, from, text, mode } = letter;
      const body: LetterMail = {
        kind: 'letter',
        id,
        to,
        from: from.kind === 'session' ? { id: from.id, name: from.name } : null,
        text,
        mode,
        notify,
        remind,
        expires_in: null,
      };
      await store.fleet.send(kept, {
        id,
        node: letter.node,
        body: JSON.stringify(body),
        expiresAt: letter.expiresAt,
      });
      outgoing.wake();
      return kept;
    },
    letter: store.fleet.letter,
    lettersStarting: store.fleet.lettersStarting,
    awayWhy(name) {
      if (!link.line) return `the fleet is away (${link.why})`;
      return presence.isHere(name) ? misfit(presence.protocolOf(name)) : `node ${name} is away`;
    },
    onLetter(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    call(to, request) {
      const { line } = link;
      return line ? calls.call(line, to, request) : Promise.reject(new Error('the fleet is away'));
    },
    heard(name, limit) {
      return new Promise((resolve) => {
        const waiting = words.get(name) ?? new Set();
        words.set(name, waiting);
        const end = (isHeard: boolean) => {
          timer.cancel();
          waiting.delete(hear);
          resolve(isHeard);
        };
        const hear = () => end(true);
        const timer = clock.timer(limit, () => end(false));
        waiting.add(hear);
      });
    },
    async withdraw(letter, why) {
      const back: Letter = { ...letter, state: 'withdrawn', why };
      const isBack = await store.fleet.keepBack(back);
      if (isBack) onLetter(back);
      return isBack;
    },
    misfit,
    async forget(name) {
      const { line } = link;
      if (!line) return 'the fleet is away';
      if (name === node) return 'it is this one';
      try {
        await directory.forget(line, name);
        await line.nodes.purge(name);
        return null;
      } catch (error) {
        return (error as Error).message;
      }
    },
    wake: outgoing.wake,
    async stop() {
      off();
      directory.stop();
      await states.stop();
      await outgoing.stop();
      await link.close();
    },
  };
}

/** Why a node of that version of the fleet's protocol cannot be understood; null: it can. */
export function misfit(protocol: number | null): string | null {
  if (protocol === null || Math.abs(protocol - fleetProtocol) <= 1) return null;
  const older = protocol < fleetProtocol ? 'there' : 'here';
  return `it speaks version ${protocol} of the fleet's protocol and this node version ${fleetProtocol}; upgrade sm ${older}`;
}
