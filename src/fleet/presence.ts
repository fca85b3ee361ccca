// Which nodes there are. Each says so every few seconds; whoever is not heard for long enough is away, and stays known. The
// time is that of the fleet's server alone: no decision compares the clocks of two machines.
import type { Clock } from '../ports/clock.ts';
import type { NodeState } from '../ports/fleet.ts';
import { type Presence, presence } from '../protocol/node.ts';
import type { Line } from './link.ts';

/** In ms. */
const beat = 3_000;
/** Not heard for so long: away. */
const timeToLive = 10_000;

export interface PresenceDeps {
  readonly node: string;
  readonly clock: Clock;
  /** What this node says of itself. */
  readonly self: () => Omit<Presence, 'connection' | 'now'>;
  /** A node has come or gone. `since`: when it was last heard before it went, by the server's clock. */
  readonly onChange: (node: string, isHere: boolean, since: number) => void;
  /** A node speaks; `isNew`: over another connection than before. */
  readonly onWord: (node: string, isNew: boolean) => void;
}

interface Known {
  readonly said: Presence;
  /** By the server's clock. */
  readonly at: number;
  /** By ours. */
  readonly heard: number;
  /** How far its clock is ahead of ours, in ms, but for the way of its word; null: not known. */
  readonly offset: number | null;
  isHere: boolean;
}

export function createPresence({ node, clock, self, onChange, onWord }: PresenceDeps) {
  const known = new Map<string, Known>();
  let line: Line | null = null;
  let timer: { cancel(): void } | null = null;

  async function say(): Promise<void> {
    const here = line;
    if (!here) return;
    timer?.cancel();
    timer = clock.timer(beat, () => void say());
    judge();
    const said: Presence = { ...self(), connection: here.id, now: clock.now() };
    await here.nodes.put(node, JSON.stringify(said)).catch(() => {});
  }

  function judge(): void {
    const now = clock.now();
    for (const [name, each] of known) {
      if (!each.isHere || name === node || now - each.heard < timeToLive) continue;
      each.isHere = false;
      onChange(name, false, each.at);
    }
  }

  /** The server has just taken a word of ours: so it is known now who was heard shortly before. */
  function welcome(now: number): void {
    for (const [name, each] of known) {
      if (name === node || each.isHere) continue;
      each.isHere = now - each.at < timeToLive;
      onChange(name, each.isHere, each.at);
    }
  }

  async function watch(at: Line): Promise<void> {
    const entries = await at.nodes.watch();
    at.cut.addEventListener('abort', () => entries.stop());
    let first = true;
    for await (const entry of entries) {
      if (entry.operation !== 'PUT') {
        known.delete(entry.key);
        continue;
      }
      const said = presence.safeParse(parsed(entry.string()));
      if (!said.success) continue;
      const before = known.get(entry.key);
      const time = entry.created.getTime();
      // What was there before us may be of a node that is long gone.
      const isHere = entry.isUpdate || (before?.isHere ?? false);
      // What was there before us tells nothing of the time: it has waited.
      const { now } = said.data;
      const offset = entry.isUpdate && now !== null ? now - clock.now() : (before?.offset ?? null);
      known.set(entry.key, { said: said.data, at: time, heard: clock.now(), isHere, offset });
      if (entry.key !== node) {
        if (entry.isUpdate) onWord(entry.key, before?.said.connection !== said.data.connection);
        if (isHere && before?.isHere !== true) onChange(entry.key, true, before?.at ?? time);
      } else if (entry.isUpdate && first) {
        first = false;
        welcome(time);
      }
    }
  }

  return {
    begin(at: Line): void {
      line = at;
      // A cut of our own says nothing about the others: they get their time again.
      for (const [name, each] of known) known.set(name, { ...each, heard: clock.now() });
      void watch(at).catch(() => at.nats.close());
      void say();
    },
    cut(): void {
      line = null;
      timer?.cancel();
    },
    /** Says it at once. */
    say,
    isHere: (name: string): boolean => name === node || (line !== null && known.get(name)?.isHere === true),
    /** When it was heard last; null: it is here. */
    awaySince: (name: string): number | null => {
      const it = known.get(name);
      return it && !(it.isHere && line) ? it.at : null;
    },
    /** Null: not known. */
    protocolOf: (name: string): number | null => known.get(name)?.said.protocol ?? null,
    nodes(): NodeState[] {
      const own: NodeState = { name: node, isOwn: true, awaySince: null, clockOffset: 0, ...self() };
      const others = [...known]
        .filter(([name]) => name !== node)
        .map(([name, { said, at, isHere, offset }]): NodeState => {
          const awaySince = isHere && line ? null : at;
          return { name, isOwn: false, ...said, awaySince, clockOffset: offset };
        });
      return [own, ...others.sort((a, b) => (a.name < b.name ? -1 : 1))];
    },
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
