// The conversation of a session without a terminal, as text, with a line to type in. What is typed goes as a message: the
// agent has it at its next step.
import type { LiveItem } from '../client/stream.ts';
import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Client } from './daemon/client.ts';
import { lastEvents } from './events.ts';
import { type Io, ownSessionId, type Talk } from './io.ts';
import { conversationLines } from './text/conversation.ts';
import { oneLine } from './text/safe.ts';
import { nameAndId, whyItEnded } from './text/session.ts';

/** How much of what was said before is shown. */
const shownEvents = 100;

export async function openConversation(io: Io, client: Client, session: SessionView): Promise<number> {
  const { id } = session;
  const leave = new AbortController();
  const events = await lastEvents(client, id, shownEvents);
  const before = await linesOf(client, events);
  const talk = await io.talk(`${oneLine(session.display_name)}> `);
  const show = (lines: readonly string[]) => lines.length > 0 && talk.show(`${lines.join('\n')}\n`);
  const say = (error: unknown) => show([`(${(error as Error).message})`]);
  show([
    ...before,
    `${nameAndId(session)} has no terminal. Type a text to send it, Ctrl-C to interrupt, Ctrl-D to leave.`,
  ]);

  async function listen(): Promise<number> {
    for await (const item of client.stream({
      session: id,
      after: events.at(-1)?.number ?? 0,
      signal: leave.signal,
    })) {
      if (item.is === 'away') show(['(the daemon does not answer)']);
      if (item.is !== 'event') continue;
      show(await linesOf(client, [item.event]));
      if (isOver(item)) return 0;
    }
    return 0;
  }

  async function speak(lines: Talk['lines']): Promise<number> {
    for await (const line of lines) await act({ client, id, by: ownSessionId(io) }, line).catch(say);
    return 0;
  }

  try {
    return await Promise.race([listen(), speak(talk.lines)]);
  } finally {
    leave.abort();
    talk.close();
    const now = await client.ask('GET /sessions/{ref}', { ref: id }, { start: false }).catch(() => undefined);
    if (now?.ended) io.out(`${whyItEnded(now)}\n`);
    else if (now?.tmux_session) io.out(`It is in a terminal now. Attach with: sm attach ${id}\n`);
    else io.out(`${nameAndId(session)} goes on. Come back with: sm attach ${id}\n`);
  }
}

const isOver = (item: Extract<LiveItem, { is: 'event' }>): boolean =>
  item.event.type === 'session' && ['exited', 'lost', 'moved'].includes(String(item.event.step));

interface To {
  readonly client: Client;
  readonly id: string;
  readonly by: string | undefined;
}

/** Null: Ctrl-C. */
async function act({ client, id: ref, by }: To, line: string | null): Promise<void> {
  const requester = { requester_session_id: by };
  if (line === null) {
    await client.ask('POST /sessions/{ref}/interrupt', { ref, body: requester });
    return;
  }
  const text = line.trim();
  if (text === '') return;
  const answer = /^(y|yes|n|no)(?:\s+(.+))?$/is.exec(text);
  const { question } = answer ? await client.ask('GET /sessions/{ref}', { ref }) : { question: null };
  if (answer && question) {
    const decision = answer[1]?.toLowerCase().startsWith('y') ? 'allow' : 'deny';
    const body = {
      decision,
      question: question.id,
      ...(answer[2] && { text: answer[2] }),
      ...requester,
    } as const;
    await client.ask('POST /sessions/{ref}/answer', { ref, body });
  } else if (text.startsWith('/'))
    await client.ask('POST /sessions/{ref}/slash', { ref, body: { command: text, ...requester } });
  else
    await client.ask('POST /sessions/{ref}/input', {
      ref,
      body: { text, delivery_mode: 'important', sender_session_id: by },
    });
}

async function linesOf(client: Client, events: readonly EventView[]): Promise<string[]> {
  const lines: string[] = [];
  for (const event of events) {
    const isText = event.type === 'message' && event.state === 'accepted';
    const given = isText
      ? await client.ask('GET /messages/{id}', { id: String(event.message) }).catch(() => undefined)
      : undefined;
    lines.push(...conversationLines(event, given?.message));
    if (eventName(event) === 'question asked')
      lines.push('  y allows it, n denies it (n TEXT: with your reason)');
  }
  return lines;
}
