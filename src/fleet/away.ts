// Tells the sessions here that have something to do with a node when it is away, and once more when it is back: parents of its
// sessions, and who waits for an answer from there. The id of a notice is made from what it says, so that none comes twice.
import { createHash } from 'node:crypto';
import { ownText } from '../domain/delivery/own-texts.ts';
import { nodeAway, nodeBack } from '../domain/notices/wording.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { SessionView } from '../protocol/session.ts';

export interface AwayDeps {
  readonly engine: Engine;
  readonly store: Store;
  readonly log: Log;
  /** Resolves when they are known. */
  readonly ready: Promise<void>;
  readonly sessions: () => readonly SessionView[];
}

export function createAway({ engine, store, log, ready, sessions }: AwayDeps) {
  /** Who here has something to do with whom there. */
  async function concerned(node: string): Promise<Map<string, SessionView[]>> {
    const there = sessions().filter((view) => view.node === node);
    const found = new Map<string, SessionView[]>();
    const add = (id: string | null, view: SessionView | undefined) => {
      if (id === null || !view || !engine.get(id)) return;
      const known = found.get(id) ?? [];
      if (!known.includes(view)) found.set(id, [...known, view]);
    };
    for (const view of there) if (!view.ended) add(view.parent_session_id, view);
    for (const { from, session } of await store.fleet.openLetters(node))
      if (from.kind === 'session')
        add(
          from.id,
          there.find(({ id }) => id === `${session}@${node}`),
        );
    return found;
  }

  async function tell(node: string, since: number, isHere: boolean): Promise<void> {
    await ready;
    for (const [id, views] of await concerned(node)) {
      const [away, back] = ['away', 'back'].map((what) => noticeId(`${what} ${node} ${since} ${id}`));
      // Who has not heard that it was away does not care that it is back.
      if (isHere && !(await store.message(away as string))) continue;
      const named = views.map((view) => ({ id: view.id, name: view.display_name }));
      const text = isHere ? nodeBack(node, named) : nodeAway(node, named);
      const notice = ownText((isHere ? back : away) as string, 'important', text);
      await engine.submit(id, { type: 'send', ...notice });
    }
  }

  return (node: string, since: number, isHere: boolean): void =>
    void tell(node, since, isHere).catch((error: unknown) =>
      log.error({ node, error: String(error) }, 'nobody was told of a node'),
    );
}

const noticeId = (of: string): string => `f${createHash('sha256').update(of).digest('hex').slice(0, 15)}`;
