// Whether a session that was just launched has started: its agent is ready or asks something, or it is gone.
import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';
import type { Client } from './daemon/client.ts';
import { followEvents } from './events.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { oneLine, safeText } from './text/safe.ts';

/** An agent takes a second or two. One that takes longer is reported, and may still become ready. */
const patienceSeconds = 20;

interface Launched {
  readonly id: string;
  /** `NAME (ID)` */
  readonly called: string;
  /** The number of an event from before it was launched. */
  readonly after?: number;
  /** How long the caller waits in all; 0 or nothing: as long as a start may take. */
  readonly seconds?: number;
}

/** What is to be said of its start, if anything; one that did not start is a failure. */
export async function untilStarted(io: Io, client: Client, launched: Launched): Promise<string> {
  const patience = Math.min(patienceSeconds, launched.seconds || patienceSeconds);
  let end = io.now() + patience * 1000;
  const left = () => (end - io.now()) / 1000;
  for await (const event of followEvents(client, launched.id, launched.after ?? 0, left)) {
    // The agent's time begins when its worktree is there.
    if (tellWorktree(io, event)) end = io.now() + patience * 1000;
    if (isGone(event)) throw await didNotStart(client, launched, event);
    if (eventName(event) === 'question asked')
      return `It asks: ${oneLine(String(event.text))}\nAnswer in its terminal: sm attach ${launched.id}\n`;
    if (eventName(event) === 'session ready') return '';
  }
  return `It is not ready after ${patience} s. See: sm output ${launched.id}\n`;
}

/** Until its terminal is there, which comes before its agent has started. */
export async function untilLaunched(io: Io, client: Client, launched: Launched): Promise<void> {
  for await (const event of followEvents(client, launched.id, launched.after ?? 0)) {
    tellWorktree(io, event);
    if (isGone(event)) throw await didNotStart(client, launched, event);
    if (eventName(event) === 'session launched') return;
  }
}

/** What is said while its worktree is made, as it is said; whether the event is about that. */
function tellWorktree(io: Io, { type, step, text }: EventView): boolean {
  if (type === 'worktree' && step === 'output') io.err(`${safeText(String(text))}\n`);
  return type === 'worktree';
}

const isGone = (event: EventView): boolean =>
  ['session exited', 'session lost', 'session not-moved'].includes(eventName(event));

async function didNotStart(
  client: Client,
  { id, called }: Launched,
  { reason, not_started, why: stays }: EventView,
): Promise<Failure> {
  if (typeof stays === 'string')
    return new Failure(`${called} was not taken over, and runs as before: ${oneLine(stays)}`);
  const why = oneLine(String(reason));
  const again = `Try again with: sm restore ${id}. Remove it with: sm kill ${id}`;
  if (typeof not_started === 'string')
    return new Failure(`${called} did not start: ${oneLine(not_started)}. ${again}`);
  const shown = await lastLines(client, id);
  const last = shown === '' ? ' It showed nothing.' : ` Its last output:\n${shown}\n`;
  return new Failure(`${called} ended at once: ${why}.${last}${shown === '' ? ' ' : ''}${again}`);
}

/** The last lines that a session showed, each a little to the right. */
export async function lastLines(client: Client, id: string): Promise<string> {
  const { output } = await client.ask('GET /sessions/{ref}/output', { ref: id, query: { lines: 12 } });
  const lines = safeText(output)
    .trimEnd()
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => `  ${line}`).join('\n');
}
