// Which conversation an agent has, asked of its process: some agents name it before any hook of theirs runs, and start
// the next one without a word. What their own process has open is no other agent's.

import { type FSWatcher, watch } from 'node:fs';
import type { Fact } from '../domain/core/fact.ts';
import type { SessionId } from '../domain/core/names.ts';
import { isAlive, type Session } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { OpenConversation, Provider } from '../ports/provider.ts';

export interface Conversations {
  /** Tells the engine what is new; `heard` is a fact that names a conversation. */
  find(id: SessionId, heard?: Fact): Promise<void>;
  /** An agent is about to be started that will open one; something changes in this folder then. */
  await(id: SessionId, folder: string): void;
  close(): void;
}

interface Deps {
  readonly engine: Engine;
  readonly provider: (name: string) => Provider | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export function findConversations({ engine, provider, clock, log }: Deps): Conversations {
  /** The folders that tell of new ones, with whom they may be of. */
  const watched = new Map<string, { watcher: FSWatcher; sessions: Set<SessionId> }>();

  async function find(id: SessionId, heard?: Fact): Promise<void> {
    const before = engine.get(id)?.session;
    if (before?.process.state !== 'running') return;
    const { pid } = before.process;
    const seen = await provider(before.provider)?.conversations?.(pid, before);
    // It may have become another one, or begun a turn, meanwhile.
    const session = engine.get(id)?.session;
    if (!seen || session?.process.state !== 'running' || session.process.pid !== pid) return;
    if (seen.folder !== null) watchOnly(seen.folder, id);
    const { number, providerId: present } = session.context;
    for (const fact of newsOf(session, seen.open, heard)) {
      const what = fact.is === 'agent-started' && fact.transcriptPath ? 'written' : fact.is;
      const name = `${id}.conversation.${pid}.${number}.${present}.${fact.providerId}.${what}`;
      await engine.submit(id, { type: 'fact', id: name, at: clock.now(), source: 'pane', fact });
    }
  }

  /** The folder may be that of its present conversation: the one before tells nothing any more. */
  function watchOnly(folder: string, id: SessionId): void {
    for (const [other, { watcher, sessions }] of watched) {
      if (other === folder || !sessions.delete(id) || sessions.size > 0) continue;
      watcher.close();
      watched.delete(other);
    }
    watchFolder(folder, id);
  }

  /** Nobody tells of a human who starts afresh in an idle agent, but a file is made, or goes. */
  function watchFolder(folder: string, id: SessionId): void {
    const known = watched.get(folder);
    if (known) {
      known.sessions.add(id);
      return;
    }
    const sessions = new Set([id]);
    const forget = () => {
      watched.get(folder)?.watcher.close();
      watched.delete(folder);
    };
    try {
      const watcher = watch(folder, (what) => {
        // What is only written to says nothing.
        if (what !== 'rename') return;
        for (const each of sessions) {
          const session = engine.get(each)?.session;
          if (!session || !isAlive(session)) sessions.delete(each);
          else
            find(each).catch((error: unknown) =>
              log.warn({ session: each, error: String(error) }, 'cannot ask for its conversation'),
            );
        }
        if (sessions.size === 0) forget();
      });
      watcher.on('error', forget);
      watched.set(folder, { watcher, sessions });
    } catch {
      // Not there yet, in a fresh home: then they are seen by looking.
    }
  }

  return {
    find,
    await: (id, folder) => watchFolder(folder, id),
    close() {
      for (const { watcher } of watched.values()) watcher.close();
      watched.clear();
    },
  };
}

type News = Extract<Fact, { is: 'agent-started' | 'context-ended' }>;

export function newsOf(session: Session, open: readonly OpenConversation[], heard?: Fact): News[] {
  const { context, process, turn } = session;
  const present = context.providerId;
  const isReady = process.state === 'running' && process.ready;
  const [first] = open;
  if (present === null) return first ? [started(first, 'startup')] : [];
  const same = open.find(({ providerId }) => providerId === present);
  if (!isReady) return same ? [started(same, 'resume')] : [];
  // Where its hooks do not run, nobody else says where its transcript is.
  if (same?.transcriptPath && !context.transcript) return [started(same, 'startup')];
  // A new one begins only between turns; what is opened during one is of agents inside the agent.
  const next = turn ? undefined : nextOf(open, present, heard);
  if (!next) return [];
  const resumed = heard?.is === 'agent-started' && heard.source === 'resume';
  return [
    ...(context.ended ? [] : [{ is: 'context-ended', providerId: present, reason: 'clear' } as const]),
    started(next, resumed ? 'resume' : 'clear'),
  ];
}

/**
 * The one that was heard of, if the process has it open; else one that is newer than the present one, or that is open when
 * the present one is not any more.
 */
function nextOf(
  open: readonly OpenConversation[],
  present: string,
  heard?: Fact,
): OpenConversation | undefined {
  if (heard && 'providerId' in heard && heard.providerId !== present)
    return open.find(({ providerId }) => providerId === heard.providerId);
  const place = open.findIndex(({ providerId }) => providerId === present);
  return place === open.length - 1 ? undefined : open.at(-1);
}

const started = (
  { providerId, transcriptPath }: OpenConversation,
  source: 'startup' | 'resume' | 'clear',
): News => ({
  is: 'agent-started',
  providerId,
  source,
  transcriptPath,
  model: null,
});
