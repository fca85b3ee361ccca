// Brings one session back and says what came of it, as far as it is proven.

import { eventName } from '../../protocol/event-name.ts';
import type { SessionView } from '../../protocol/session.ts';
import { type Client, Refusal } from '../daemon/client.ts';
import { lastEvents, newestEvent } from '../events.ts';
import { Failure } from '../failure.ts';
import { environment, type Io, ownSessionId } from '../io.ts';
import { isLive, nameAndId } from '../text/session.ts';
import { untilStarted } from '../wait-for-start.ts';

export interface Brought {
  readonly session: SessionView;
  /** `unready`: it is started, and asks something or has not said anything yet; `why` says which. */
  readonly outcome: 'ready' | 'unready' | 'failed';
  /** Whether it has its conversation; null: it was not started. */
  readonly resumed: boolean | null;
  readonly why: string | null;
}

/** A daemon that dies in between is started once more: what it had begun, the next one goes on with. */
export async function bring(io: Io, client: Client, session: SessionView): Promise<Brought> {
  try {
    return await attempt(io, client, session);
  } catch (error) {
    if (!isDaemonGone(error)) throw error;
    return attempt(io, client, session);
  }
}

const isDaemonGone = (error: unknown): boolean => error instanceof Failure && error.exitCode === 2;

async function attempt(io: Io, client: Client, session: SessionView): Promise<Brought> {
  const { id } = session;
  try {
    // Asked for before the session: whatever it becomes after that look is among the events.
    const after = await newestEvent(client, id);
    const found = await client.ask('GET /sessions/{ref}', { ref: id });
    if (!isLive(found)) await restore(io, client, id);
    const isBack = isLive(found) && !found.stranded;
    const more = isBack ? '' : await untilStarted(io, client, { id, called: nameAndId(session), after });
    const restored = (await lastEvents(client, id, 100)).findLast(
      (event) => eventName(event) === 'session restored',
    );
    return {
      session,
      outcome: more === '' ? 'ready' : 'unready',
      resumed: restored?.resumed === true,
      why: more === '' ? null : more.trim(),
    };
  } catch (error) {
    if (!(error instanceof Failure) || isDaemonGone(error)) throw error;
    return { session, outcome: 'failed', resumed: null, why: error.message };
  }
}

async function restore(io: Io, client: Client, ref: string): Promise<void> {
  try {
    await client.ask('POST /sessions/{ref}/restore', {
      ref,
      body: { env: environment(io), requester_session_id: ownSessionId(io) },
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Somebody else has just restored it.
    if (!isLive(await client.ask('GET /sessions/{ref}', { ref }))) throw error;
  }
}
