// Sends a message to one of its recipients, and waits for its end if that is wanted.
import type { InputAnswer } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Client } from './client.ts';
import { newestEvent } from './events.ts';
import { Failure } from './failure.ts';
import { presentSession } from './find-session.ts';
import { oneLine, safeText } from './format/text.ts';
import { cut } from './format/width.ts';
import type { Io } from './io.ts';
import { endText, isAnswered, type MessageEnd, messageEnd } from './message-end.ts';
import { isDead } from './message-text.ts';
import { nameAndId } from './session-text.ts';

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
