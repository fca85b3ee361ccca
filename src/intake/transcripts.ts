// Follows the transcripts of sessions for as long as something may happen in them that no hook tells.
import { dirname, relative } from 'node:path';
import type { SessionId } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Provider, TranscriptReader } from '../ports/provider.ts';
import { followFile, type Tail } from './tail.ts';

export interface Transcripts {
  /** Follows, or stops to follow, as the session's state asks for. */
  attend(session: Session): void;
  /** Reads a session's transcript to its present end. */
  catchUp(id: SessionId): Promise<void>;
  close(): Promise<void>;
}

interface Deps {
  readonly engine: Engine;
  readonly provider: (name: string) => Provider | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface Followed {
  readonly path: string;
  readonly reader: TranscriptReader;
  readonly tail: Tail;
  /** A turn has run since its place was kept. */
  ran: boolean;
}

export function followTranscripts({ engine, provider, clock, log }: Deps): Transcripts {
  const followed = new Map<SessionId, Followed>();

  function attend(session: Session): void {
    const present = followed.get(session.id);
    const wanted = wantedPath(session) ?? (present && isBehind(session, present) ? present.path : null);
    if (present && present.path !== wanted) {
      followed.delete(session.id);
      void finish(session.id, present);
    }
    if (wanted && present?.path !== wanted) follow(session, wanted);
    const now = followed.get(session.id);
    if (!now) return;
    const isOver = now.ran && !session.turn;
    now.ran = session.turn !== null;
    if (isOver) void keepPlace(session.id, now);
  }

  function follow(session: Session, path: string): void {
    const { id } = session;
    const { providerId, transcript, beganBy, beganAt, copiedAt } = session.context;
    const { offset = 0, turnId = null } = transcript ?? {};
    const since = copiedAt ?? (beganBy === 'fork' ? beganAt : undefined);
    const reader = provider(session.provider)?.transcript({ providerId, turnId, since });
    if (!reader) return;
    const tail = followFile({
      path,
      isOwn: ownTranscripts(provider(session.provider), session),
      offset,
      clock,
      async onLine(line, offset) {
        for (const [i, fact] of reader.line(line).entries())
          await engine.submit(id, {
            type: 'fact',
            id: `${path}@${offset}${i ? `.${i}` : ''}`,
            at: clock.now(),
            source: 'transcript',
            fact,
          });
      },
    });
    followed.set(id, { path, reader, tail, ran: false });
  }

  async function finish(id: SessionId, present: Followed): Promise<void> {
    await keepPlace(id, present);
    await present.tail.close();
  }

  /**
   * The last lines of a turn may come after its end was told; then the place is kept for the next one. Also while
   * something else is open, for weeks perhaps: what was told of turns that are over must not be told again when it is
   * forgotten that it was. In the middle of a turn no place is one to begin at.
   */
  async function keepPlace(id: SessionId, { path, reader, tail }: Followed): Promise<void> {
    try {
      await tail.catchUp();
      if (followed.get(id)?.path === path && engine.get(id)?.session.turn) return;
      const { offset } = tail;
      await engine.submit(id, {
        type: 'transcript-read',
        transcript: { path, offset, turnId: reader.turnId },
      });
    } catch (error) {
      log.warn({ session: id, error: String(error) }, 'the transcript was not read to its end');
    }
  }

  return {
    attend,
    async catchUp(id) {
      await followed.get(id)?.tail.catchUp();
    },
    async close() {
      await Promise.all([...followed.values()].map(({ tail }) => tail.close()));
      followed.clear();
    },
  };
}

/**
 * An agent in a sandbox tells us where its transcript is, and can put a link there. Only what really lies in the folder
 * for the conversations of its directory is its own.
 */
function ownTranscripts(
  agent: Provider | undefined,
  session: Session,
): ((path: string) => boolean) | undefined {
  if (!session.options.sandbox) return undefined;
  const { config, transcripts } = agent?.visible?.(session, {}) ?? { config: '/', transcripts: '/' };
  const folder = `/${relative(config, transcripts)}`;
  return (path) => dirname(path).endsWith(folder);
}

/** The end of a turn was told by a hook, and the file has not got that far: what the turn has used comes last. */
function isBehind({ process, context, lastTurn }: Session, { path, reader }: Followed): boolean {
  if (process.state !== 'running' || context.transcript?.path !== path) return false;
  if (reader.endedTurn === undefined || lastTurn?.id == null) return false;
  return (lastTurn.end === 'ended' || lastTurn.end === 'failed') && reader.endedTurn !== lastTurn.id;
}

/**
 * While a turn runs, a question stands or something is to be typed, the transcript may say more than the hooks: also
 * that the agent took, before it died, what would be typed now.
 */
function wantedPath(session: Session): string | null {
  if (session.process.state !== 'running') return null;
  const open =
    session.turn !== null ||
    session.enqueued.length > 0 ||
    session.question !== null ||
    // Not every agent has a hook for its end.
    session.compaction !== null ||
    // Its error may tell when the limit resets.
    session.standstill?.until === null ||
    session.attempt !== null;
  return open ? (session.context.transcript?.path ?? null) : null;
}
