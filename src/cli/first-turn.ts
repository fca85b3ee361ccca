// Waits for the turn that a first message starts.
import type { EventView } from '../protocol/session.ts';
import { type Client, sessionPath } from './client.ts';
import { followEvents } from './events.ts';
import type { Io } from './io.ts';

export interface FirstTurn {
  /** How the turn ended, or why there is no end to tell of. */
  readonly outcome: string;
  readonly last_message: string | null;
}

export async function firstTurn(
  io: Pick<Io, 'now'>,
  client: Client,
  { session_id, message_id }: { session_id: string; message_id: string },
  seconds: number,
): Promise<FirstTurn> {
  const end = io.now() + seconds * 1000;
  const seen: EventView[] = [];
  for await (const events of followEvents(client, session_id, 0, () => (end - io.now()) / 1000)) {
    seen.push(...events);
    const outcome = outcomeOf(seen, message_id);
    if (outcome === undefined) continue;
    const { last_message } = await client.get<{ last_message: string | null }>(
      sessionPath(session_id, '/last-message'),
    );
    return { outcome, last_message };
  }
  return { outcome: `not finished after ${seconds} s`, last_message: null };
}

function outcomeOf(events: readonly EventView[], message: string): string | undefined {
  const answered = events.find((event) => event.type === 'message-answered' && event.message === message);
  if (answered) {
    const turn = events.find((event) => event.type === 'turn-ended' && event.turn === answered.turn);
    return String(turn?.end ?? 'ended');
  }
  const failed = events.find((event) => event.type === 'message-failed' && event.message === message);
  if (failed) return `the message failed: ${failed.why}`;
  const gone = events.find((event) => event.type === 'session-exited' || event.type === 'session-lost');
  return gone && `the session ended: ${gone.reason}`;
}
