// What every test with sessions on a real daemon does: start one, send to it, and read what its agent has.
import { expect } from 'vitest';
import type { EventView } from '../../src/protocol/event.ts';
import { eventName } from '../../src/protocol/event-name.ts';
import type { InputAnswer } from '../../src/protocol/message.ts';
import type { TestDaemon } from './daemon.ts';
import { jsonLines } from './json-lines.ts';
import { until } from './until.ts';

/** `name`: `message accepted`, `said`. */
export const is =
  (name: string, more: Record<string, unknown> = {}) =>
  (event: EventView) =>
    eventName(event) === name && Object.entries(more).every(([key, value]) => event[key] === value);

/** An idle session of the scripted agent. */
export async function startIdle(daemon: TestDaemon, name: string, more: object = {}): Promise<string> {
  const { status, body } = await daemon.call<{ id: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: daemon.work,
    name,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
  return body.id;
}

/** One that has its first prompt to do. */
export async function startWith(daemon: TestDaemon, prompt: string, more: object = {}): Promise<string> {
  const { status, body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
    prompt,
    provider: 'scripted',
    working_dir: daemon.work,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.session_id;
}

export async function sendText(
  daemon: TestDaemon,
  to: string,
  text: string,
  more: object = {},
): Promise<InputAnswer> {
  const { status, body } = await daemon.call<InputAnswer>('POST', `/sessions/${to}/input`, { text, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Every prompt that the agent itself has, also those that it took up in the middle of a turn. */
export async function promptsOf(daemon: TestDaemon, id: string): Promise<string[]> {
  return (await linesOf(daemon, id))
    .filter((line) => !/^<(command-name|local-command)/.test(String(line.message?.content)))
    .flatMap((line) => {
      if (line.type === 'user' && typeof line.message?.content === 'string') return [line.message.content];
      return line.attachment?.type === 'queued_command' ? [line.attachment.prompt] : [];
    });
}

/** What the model was told as the results of its tools. */
export async function toolResultsOf(daemon: TestDaemon, id: string): Promise<string[]> {
  return (await linesOf(daemon, id))
    .flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
    .flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []));
}

/** Until the terminal of a session shows this, of which nobody tells. */
export async function untilScreen(daemon: TestDaemon, id: string, shown: string | RegExp): Promise<void> {
  const look = () => daemon.tmux('capture-pane', '-p', '-t', `=sm-${id}:`);
  const fits = (rows: string) => (typeof shown === 'string' ? rows.includes(shown) : shown.test(rows));
  await until(`${shown} on the screen of ${id}`, async () => fits(await look()), { instead: look });
}

interface Line {
  readonly type: string;
  readonly message?: { readonly content?: unknown };
  readonly attachment?: { readonly type: string; readonly prompt: string };
}

async function linesOf(daemon: TestDaemon, id: string): Promise<Line[]> {
  const { transcript_path: path } = await daemon.session(id);
  return jsonLines(path as string);
}
