// What tests read: events by their shape, and what an agent itself has in its transcript.
import { readFileSync } from 'node:fs';
import type { EventView } from '../../src/protocol/session.ts';
import type { TestDaemon } from './daemon.ts';

export const is =
  (type: string, more: Record<string, unknown> = {}) =>
  (event: EventView): boolean =>
    event.type === type && Object.entries(more).every(([key, value]) => event[key] === value);

interface Line {
  readonly type: string;
  readonly message?: { readonly content?: unknown };
}

async function linesOf(daemon: TestDaemon, id: string): Promise<Line[]> {
  const { transcript_path: path } = await daemon.session(id);
  const text = readFileSync(path as string, 'utf8').trim();
  return text.split('\n').map((line) => JSON.parse(line) as Line);
}

/** Every prompt that the agent has, commands left out. */
export async function promptsOf(daemon: TestDaemon, id: string): Promise<string[]> {
  const lines = await linesOf(daemon, id);
  return lines.flatMap(({ type, message }) =>
    type === 'user' && typeof message?.content === 'string' && !message.content.startsWith('<command-name>')
      ? [message.content]
      : [],
  );
}

/** What the model was told as the results of its tools. */
export async function toolResultsOf(daemon: TestDaemon, id: string): Promise<string[]> {
  const lines = await linesOf(daemon, id);
  return lines
    .flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
    .flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []));
}
