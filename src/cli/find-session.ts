// The session that is meant, and what has to be said when others had the same name.
import type { FoundSession, SessionView } from '../protocol/session.ts';
import { type Client, Refusal } from './daemon/client.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { oneLine } from './text/safe.ts';
import { nameAndId, whyItEnded } from './text/session.ts';

/** To look at: alive, or gone and perhaps killed. */
export async function findSession(io: Io, client: Client, ref: string): Promise<SessionView> {
  const session = await client.ask('GET /sessions/{ref}', { ref });
  tellWhich(io, ref, session);
  return session;
}

/** To act on: it may have exited, but nobody has killed it. */
export async function presentSession(client: Client, ref: string): Promise<SessionView> {
  const session = await client.ask('GET /sessions/{ref}', { ref });
  if (session.ended?.killed) throw new Failure(whyItEnded(session));
  return session;
}

/** Which of several this is, for the person; what is printed stays what was asked for. */
export function tellWhich(io: Io, ref: string, { id, ended, namesakes = [] }: FoundSession): void {
  if (namesakes.length === 0) return;
  const list = namesakes.join(', ');
  const several = namesakes.length > 1;
  if (ended?.killed) {
    const count = namesakes.length + 1;
    io.err(`"${oneLine(ref)}" matches ${count} ended sessions; this is the newest, ${id}. Older: ${list}\n`);
  } else
    io.err(
      `"${oneLine(ref)}" is ${id}. Killed ${several ? 'sessions' : 'session'} with the same name: ${list}\n`,
    );
}

/** `NAME (ID)`; the id alone for one that is no longer known. */
export async function nameOf(client: Client, id: string): Promise<string> {
  try {
    return nameAndId(await client.ask('GET /sessions/{ref}', { ref: id }));
  } catch (error) {
    if (error instanceof Refusal) return oneLine(id);
    throw error;
  }
}
