// The sessions of all nodes. Each node publishes the views of its own, when they change; every node has all of them at hand.

import type { Clock } from '../ports/clock.ts';
import { type SessionView, sessionView } from '../protocol/session.ts';
import { idFromHere } from '../server/forward.ts';
import type { Line } from './link.ts';
import { abroad } from './names.ts';
import { parsed } from './presence.ts';

/** What changes many times in a moment is told once, after so many ms. */
const pause = 100;

/** What a node has told of one of its sessions. */
interface Entry {
  readonly owner: string;
  /** At its node. */
  readonly id: string;
  /** Until it is read. */
  text: string;
  view: SessionView | null | undefined;
}

export interface DirectoryDeps {
  readonly node: string;
  readonly clock: Clock;
  /** The views of our own sessions, as text. */
  readonly own: () => Promise<ReadonlyMap<string, string>>;
}

export function createDirectory({ node, clock, own }: DirectoryDeps) {
  const others = new Map<string, Entry>();
  /** What the fleet has of ours, as far as we have heard. */
  const told = new Map<string, string>();
  let line: Line | null = null;
  let timer: { cancel(): void } | null = null;
  let telling = Promise.resolve();
  let isLoaded = false;
  let loaded = () => {};
  const ready = new Promise<void>((resolve) => {
    loaded = () => {
      isLoaded = true;
      resolve();
    };
  });

  async function watch(at: Line): Promise<void> {
    const entries = await at.sessions.watch();
    at.cut.addEventListener('abort', () => entries.stop());
    if ((await at.sessions.status()).values === 0) loaded();
    for await (const entry of entries) {
      take(entry.key, entry.operation === 'PUT' ? entry.string() : null);
      if (entry.delta === 0) loaded();
    }
  }

  function take(key: string, text: string | null): void {
    const dot = key.indexOf('.');
    const [owner, id] = [key.slice(0, dot), key.slice(dot + 1)];
    if (owner === node) {
      // Somebody took us for gone.
      if (text === null && told.delete(id)) changed();
      return;
    }
    const name = abroad(id, owner);
    if (text === null) others.delete(name);
    else others.set(name, { owner, id, text, view: undefined });
  }

  /** Read only when somebody wants to see it: most of what is told nobody ever looks at. Null: it makes no sense. */
  function viewOf(entry: Entry): SessionView | null {
    if (entry.view === undefined) {
      const read = sessionView.safeParse(parsed(entry.text));
      const isIt = read.success && read.data.id === entry.id;
      entry.view = isIt ? seenFromHere(read.data, entry.owner, node) : null;
      entry.text = '';
    }
    return entry.view;
  }

  const ofNode = (name: string): Entry[] => [...others.values()].filter(({ owner }) => owner === name);

  /** Tells what is not told yet. */
  async function tell(): Promise<void> {
    const at = line;
    if (!at) return;
    const now = await own();
    const changed = [...now].filter(([id, text]) => told.get(id) !== text);
    const gone = [...told.keys()].filter((id) => !now.has(id));
    await Promise.all([
      ...changed.map(async ([id, text]) => {
        await at.sessions.put(`${node}.${id}`, text);
        told.set(id, text);
      }),
      ...gone.map(async (id) => {
        await at.sessions.delete(`${node}.${id}`);
        told.delete(id);
      }),
    ]);
  }

  /** What the fleet has of us from an earlier life. */
  async function recall(at: Line): Promise<void> {
    const entries = await at.sessions.history({ key: `${node}.>` });
    for await (const entry of entries) {
      const id = entry.key.slice(node.length + 1);
      if (entry.operation === 'PUT') told.set(id, entry.string());
      else told.delete(id);
    }
  }

  function changed(): void {
    timer ??= clock.timer(pause, () => {
      timer = null;
      telling = telling.then(tell).catch(() => line?.nats.close());
    });
  }

  return {
    begin(at: Line): void {
      line = at;
      void watch(at).catch(() => at.nats.close());
      telling = telling
        .then(() => recall(at))
        .then(tell)
        .catch(() => at.nats.close());
    },
    cut(): void {
      line = null;
    },
    /** Resolves when all that was there is known. */
    ready,
    isLoaded: (): boolean => isLoaded,
    /** Something of ours may have changed. */
    changed,
    /** Removes what a node has told. */
    async forget(at: Line, name: string): Promise<void> {
      await Promise.all(ofNode(name).map(({ id }) => at.sessions.purge(`${name}.${id}`)));
    },
    stop: () => timer?.cancel(),
    sessions: (): SessionView[] => [...others.values()].flatMap((entry) => viewOf(entry) ?? []),
    known: (): number => others.size,
    /** How many each node has. */
    counts(): ReadonlyMap<string, number> {
      const counts = new Map<string, number>();
      for (const { owner } of others.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
      return counts;
    },
  };
}

/** Ids are told by the owner; from here, those of others have the name of their node, and ours have none. */
function seenFromHere(view: SessionView, owner: string, here: string): SessionView {
  return {
    ...view,
    id: abroad(view.id, owner),
    parent_session_id: view.parent_session_id && idFromHere(view.parent_session_id, owner, here),
    node: owner,
  };
}
