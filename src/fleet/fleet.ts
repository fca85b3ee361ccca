// The fleet, put together: presence, directory and mail over one connection. Loaded only where it is configured.
import { cpus, loadavg } from 'node:os';
import type { Refusal } from '../domain/core/input.ts';
import { ownText } from '../domain/delivery/own-texts.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Letter, NewLetter, Told } from '../ports/fleet.ts';
import type { Log } from '../ports/log.ts';
import type { Store, StoredEvent } from '../ports/store.ts';
import type { EventView } from '../protocol/event.ts';
import { fleetProtocol, type LetterMail, type MailBody, type Presence } from '../protocol/node.ts';
import type { Power } from '../server/allowed.ts';
import type { Fleet } from '../server/fleet.ts';
import type { ViewTexts } from '../server/view-texts.ts';
import { createAway } from './away.ts';
import { type CallDeps, createCalls } from './calls.ts';
import { createDirectory } from './directory.ts';
import { createIncoming } from './incoming.ts';
import { type FleetConfig, openLink } from './link.ts';
import { createOutgoing } from './outgoing.ts';
import { createPresence } from './presence.ts';
import { createStates } from './states.ts';

type FleetPoint = `fleet:${'publish' | 'take'}:${'before' | 'after'}`;

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
  readonly receive: (from: string, letter: LetterMail) => Promise<Refusal | null>;
  readonly allows: (node: string, power: Power) => boolean;
  /** Whether any other node may see what runs here. */
  readonly isSeen: boolean;
  /** Answers a call of another node. */
  readonly answer: CallDeps['answer'];
  readonly crash: (point: FleetPoint) => void;
}

export interface FleetService extends Fleet {
  /** Mail was owed by somebody else. */
  wake(): void;
  stop(): Promise<void>;
}

export async function startFleet(deps: FleetDeps): Promise<FleetService> {
  const { config, version, store, engine, clock, log, texts, receive, crash } = deps;
  const { node } = config;
  const listeners = new Set<(letter: Letter) => void>();
  const onLetter = (letter: Letter) => {
    for (const listener of listeners) listener(letter);
  };
  let latency: number | null = null;

  const presence = createPresence({
    node,
    clock,
    self: (): Presence => ({
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
      outgoing.wake();
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
    onLetter,
    crash,
  });
  const incoming = createIncoming({ node, clock, log, take, crash });
  const calls = createCalls({ node, clock, log, answer: deps.answer });
  const states = createStates({ store, engine, clock, log, view: deps.eventView, wake: outgoing.wake });
  const off = engine.onCommit(() => directory.changed());

  async function take(from: string, mail: MailBody): Promise<void> {
    switch (mail.kind) {
      case 'letter':
        return takeLetter(from, mail);
      case 'post':
        if (!deps.allows(from, 'send')) return;
        // Whoever it is for may be gone: then nobody is told.
        await engine.submit(mail.to, { type: 'send', ...ownText(mail.id, mail.mode, mail.text) });
        return;
      case 'told':
        return change(from, mail.message, (letter) => withTold(letter, mail.event));
      case 'refused':
        return change(from, mail.message, (letter) => ({ ...letter, state: 'failed', why: mail.why }));
    }
  }

  async function takeLetter(from: string, letter: LetterMail): Promise<void> {
    if (await store.message(letter.id)) return;
    await states.expect(letter.id, from);
    const refusal = await receive(from, letter);
    if (!refusal) return;
    const body: MailBody = { kind: 'refused', message: letter.id, why: refusal.message };
    const mail = { id: `r${letter.id}`, node: from, body: JSON.stringify(body), expiresAt: null };
    await store.fleet.owe([mail]);
    outgoing.wake();
  }

  /** Only its own node can tell what became of a letter. */
  async function change(from: string, id: string, next: (letter: Letter) => Letter | null): Promise<void> {
    const letter = await store.fleet.letter(id);
    const after = letter?.node === from ? next(letter) : null;
    if (!after) return;
    await store.fleet.put(after);
    onLetter(after);
  }

  await states.start();
  const link = openLink(
    config,
    { clock, log },
    (line) => {
      presence.begin(line);
      directory.begin(line);
      incoming.begin(line);
      calls.begin(line);
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
    nodes: () =>
      presence
        .nodes()
        .map((each) => (each.isOwn ? each : { ...each, sessions: directory.ofNode(each.name) })),
    sessions: () =>
      directory.sessions().map((view) => {
        const since = presence.awaySince(view.node ?? '');
        return since === null ? view : { ...view, away_since: new Date(since).toISOString() };
      }),
    async send(letter: NewLetter) {
      const { notify, remind, ...rest } = letter;
      const kept: Letter = {
        ...rest,
        createdAt: clock.now(),
        leftAt: null,
        state: 'queued',
        why: null,
        turn: null,
        evidence: null,
        told: [],
      };
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

/** With one more event; null: it is known. They may come again, but not out of order. */
function withTold(letter: Letter, event: { number: number; at: string; state: string }): Letter | null {
  if (letter.told.some(({ number }) => number === event.number)) return null;
  const { why, turn, evidence } = event as Partial<Letter>;
  return {
    ...letter,
    state: event.state,
    why: typeof why === 'string' ? why : null,
    turn: typeof turn === 'string' ? turn : letter.turn,
    evidence: evidence ?? letter.evidence,
    told: [...letter.told, event as Told],
  };
}
