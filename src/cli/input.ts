// Gives something to a session, and puts into words what came of it.
import type { InputAnswer } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import type { ClearAnswer } from './answers.ts';
import { type Client, sessionPath } from './client.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { saysWhy, sentLine } from './message-text.ts';
import { reason } from './reason.ts';
import type { RemindFields } from './remind-fields.ts';
import { nameAndId } from './session-text.ts';

export async function giveInput(
  io: Io,
  client: Client,
  session: SessionView,
  rest: '/input' | '/slash',
  body: unknown,
): Promise<{ answer: InputAnswer; line: string }> {
  const sentAt = io.now();
  const answer = await client.send<InputAnswer>('POST', sessionPath(session.id, rest), body);
  return { answer, line: await toldLine(client, session, answer, sentAt) };
}

export interface ClearBody extends RemindFields {
  readonly prompt: string | undefined;
  readonly requester_session_id: string | undefined;
}

/** Clears a session; `answer` is that of the prompt that follows, if one was given and is known. */
export async function giveClear(
  io: Io,
  client: Client,
  session: SessionView,
  body: ClearBody,
): Promise<{ answer: InputAnswer | null; line: string }> {
  const sentAt = io.now();
  const { status, why, message } = await client.send<ClearAnswer>(
    'POST',
    sessionPath(session.id, '/clear'),
    body,
  );
  const cleared =
    status === 'cleared'
      ? `Cleared ${nameAndId(session)}`
      : `No proof yet that ${nameAndId(session)} is cleared${why ? `: ${reason(why)}` : ''}. See: sm tail ${session.id} -f`;
  if (message)
    return { answer: message, line: `${cleared}\n${await toldLine(client, session, message, sentAt)}` };
  return {
    answer: null,
    line: body.prompt === undefined ? cleared : `${cleared}\nThe prompt follows after the clear.`,
  };
}

async function toldLine(
  client: Client,
  session: SessionView,
  answer: InputAnswer,
  sentAt: number,
): Promise<string> {
  const now = answer.state === 'queued' && !saysWhy(answer) ? await asItIsNow(client, session) : session;
  return sentLine(now, answer, sentAt);
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
