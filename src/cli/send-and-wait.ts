// Gives a session a message or a clear, waits for its end if that is wanted, and puts into words what came of it.
import type { InputAnswer } from '../protocol/message.ts';
import type { RequestOf } from '../protocol/routes.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Client } from './daemon/client.ts';
import { endText, isAnswered, type MessageEnd, messageEnd, newestEvent } from './events.ts';
import { Failure } from './failure.ts';
import { presentSession } from './find-session.ts';
import type { Io } from './io.ts';
import { isDead, sentLine } from './text/message.ts';
import { oneLine, safeText } from './text/safe.ts';
import { nameAndId } from './text/session.ts';
import { cut } from './text/width.ts';

export async function giveInput(
  io: Io,
  client: Client,
  session: SessionView,
  body: RequestOf<'POST /sessions/{ref}/input'>['body'],
): Promise<{ answer: InputAnswer; line: string }> {
  const sentAt = io.now();
  const answer = await client.ask('POST /sessions/{ref}/input', { ref: session.id, body });
  return { answer, line: await toldLine(client, session, answer, sentAt) };
}

/** Clears a session; `answer` is that of the prompt that follows, if one was given and is known. */
export async function giveClear(
  io: Io,
  client: Client,
  session: SessionView,
  body: NonNullable<RequestOf<'POST /sessions/{ref}/clear'>['body']>,
): Promise<{ answer: InputAnswer | null; line: string }> {
  const sentAt = io.now();
  const { message } = await client.ask('POST /sessions/{ref}/clear', { ref: session.id, body });
  const cleared = `Cleared ${nameAndId(session)}`;
  if (message)
    return { answer: message, line: `${cleared}\n${await toldLine(client, session, message, sentAt)}` };
  return { answer: null, line: cleared };
}

async function toldLine(
  client: Client,
  session: SessionView,
  answer: InputAnswer,
  sentAt: number,
): Promise<string> {
  const now = answer.state === 'queued' && answer.why === null ? await asItIsNow(client, session) : session;
  return sentLine(now, answer, sentAt);
}

/** Asked again: what keeps a message waiting is what the session does now. */
async function asItIsNow(client: Client, session: SessionView): Promise<SessionView> {
  try {
    return await client.ask('GET /sessions/{ref}', { ref: session.id }, { start: false });
  } catch (error) {
    // The message is queued all the same, and that must be said.
    if (error instanceof Failure) return session;
    throw error;
  }
}

/** What --json prints of one recipient. */
export interface Report extends Partial<Omit<InputAnswer, 'why'>>, Partial<MessageEnd> {
  readonly to: string;
  readonly name?: string;
  readonly error?: string;
}

export interface Sending {
  readonly io: Io;
  readonly client: Client;
  readonly print: { out(text: string): void; error(to: string, message: string): void };
}

/** How a session gets it: the answer (null: nothing is known of it yet), and that in words. */
export type Give = (session: SessionView) => Promise<{ answer: InputAnswer | null; line: string }>;

/** One refusal must not keep the text from the other recipients: it is told, and becomes a value. */
export async function sendTo(
  { io, client, print }: Sending,
  to: string,
  give: Give,
  waitSeconds: number,
): Promise<{ report: Report; exitCode: number }> {
  let report: Report = { to };
  try {
    const session = await presentSession(client, to);
    const after = waitSeconds > 0 ? await newestEvent(client, session.id) : 0;
    const { answer, line } = await give(session);
    report = { to, name: session.display_name, ...answer };
    if (answer && isDead(answer.state)) throw new Failure(line);
    print.out(`${line}\n`);
    if (answer && waitSeconds > 0) {
      const end = await messageEnd(io, client, { ...answer, after }, waitSeconds);
      report = { ...report, ...end };
      print.out(lastWords(session, answer, end));
      if (!isAnswered(end)) {
        const why = cut(oneLine(endText(end)), 200);
        throw new Failure(`${nameAndId(session)} did not answer: ${why}. See: sm trace ${answer.message_id}`);
      }
    }
    return { report, exitCode: 0 };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    print.error(to, error.message);
    return { report: { ...report, error: error.message }, exitCode: error.exitCode };
  }
}

function lastWords(session: SessionView, { message_id }: InputAnswer, end: MessageEnd): string {
  const who = nameAndId(session);
  const message = `#${message_id}`;
  const words = end.last_message === null ? null : `${safeText(end.last_message).trimEnd()}\n`;
  if (isAnswered(end))
    return words
      ? `${who} answered ${message}:\n${words}`
      : `${who} ended the turn of ${message} without words.\n`;
  return words && end.outcome === 'cut-off'
    ? `${who} was cut off from ${message}; the next turn ended with:\n${words}`
    : '';
}
