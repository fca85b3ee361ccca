// Waits for the end of the turn that took a message.
import type { EventView } from '../protocol/session.ts';
import type { Client } from './client.ts';
import { followEvents } from './events.ts';
import type { Io } from './io.ts';

export interface MessageEnd {
  /** `ended`, or why there is no such end to tell of. */
  readonly outcome: string;
  /** The last words of that turn. */
  readonly last_message: string | null;
}

export interface SentMessage {
  readonly session_id: string;
  readonly message_id: string;
  /** The number of an event from before it was sent. */
  readonly after: number;
  /** From when on its end is waited for; from now on, if it is not said. */
  readonly since?: number;
}

export async function messageEnd(
  io: Pick<Io, 'now'>,
  client: Client,
  { session_id, message_id, after, since = io.now() }: SentMessage,
  seconds: number,
): Promise<MessageEnd> {
  const end = since + seconds * 1000;
  const seen: EventView[] = [];
  for await (const events of followEvents(client, session_id, after, () => (end - io.now()) / 1000)) {
    seen.push(...events);
    const found = endIn(seen, message_id);
    if (found) return found;
  }
  const last = seen.findLast(({ type, message }) => type.startsWith('message-') && message === message_id);
  const state = last ? ` (it is ${last.type.slice('message-'.length)})` : '';
  return { outcome: `not answered after ${seconds} s${state}`, last_message: null };
}

function endIn(events: readonly EventView[], message: string): MessageEnd | undefined {
  const told = (type: string) => events.findLast((event) => event.type === type && event.message === message);
  const gone = events.findLast(({ type }) => type === 'session-exited' || type === 'session-lost');
  const answered = told('message-answered');
  if (answered) {
    const turn = events.findLast((event) => event.type === 'turn-ended' && event.turn === answered.turn);
    const words = turn?.last_words;
    return { outcome: turnOutcome(turn, gone), last_message: typeof words === 'string' ? words : null };
  }
  for (const end of ['failed', 'expired', 'withdrawn']) {
    const event = told(`message-${end}`);
    if (event) return noAnswer(`the message ${verbs[end]}${event.why ? `: ${event.why}` : ''}`);
  }
  return gone && noAnswer(`the session ended: ${gone.reason}`);
}

const verbs: Readonly<Record<string, string>> = {
  failed: 'failed',
  expired: 'expired',
  withdrawn: 'was withdrawn',
};

function turnOutcome(turn: EventView | undefined, gone: EventView | undefined): string {
  if (turn === undefined || turn.end === 'ended') return 'ended';
  if (gone) return `the session ended: ${gone.reason}`;
  return turn.end === 'interrupted' ? 'its turn was interrupted' : `its turn ${turn.end}`;
}

const noAnswer = (outcome: string): MessageEnd => ({ outcome, last_message: null });
