// Gives something to a session, and puts into words what came of it.
import type { InputAnswer } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import { type Client, sessionPath } from './client.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { saysWhy, sentLine } from './message-text.ts';

export async function giveInput(
  io: Io,
  client: Client,
  session: SessionView,
  rest: '/input' | '/slash',
  body: unknown,
): Promise<{ answer: InputAnswer; line: string }> {
  const sentAt = io.now();
  const answer = await client.send<InputAnswer>('POST', sessionPath(session.id, rest), body);
  const now = answer.state === 'queued' && !saysWhy(answer) ? await asItIsNow(client, session) : session;
  return { answer, line: sentLine(now, answer, sentAt) };
}

/** What a message waits for is what the session does after it came, not before. */
async function asItIsNow(client: Client, session: SessionView): Promise<SessionView> {
  try {
    return await client.get<SessionView>(sessionPath(session.id), { start: false });
  } catch (error) {
    // That the message is queued is known, and must be told.
    if (error instanceof Failure) return session;
    throw error;
  }
}
