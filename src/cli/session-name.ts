// The name of a session of which only the id is known.
import type { SessionView } from '../protocol/session.ts';
import { type Client, Refusal, sessionPath } from './client.ts';
import { oneLine } from './format/text.ts';
import { nameAndId } from './session-text.ts';

/** `NAME (ID)`; the id alone for one that is no longer known. */
export async function nameOf(client: Client, id: string): Promise<string> {
  try {
    return nameAndId(await client.get<SessionView>(sessionPath(id)));
  } catch (error) {
    if (error instanceof Refusal) return oneLine(id);
    throw error;
  }
}
