// What must be true in the end, by the agents' own transcripts and the store.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { EventBody } from '../../src/domain/core/event.ts';
import type { Message } from '../../src/domain/core/message.ts';
import { jsonLines } from '../support/json-lines.ts';
import type { Stage } from './stage.ts';

export interface Verdict {
  readonly messages: number;
  readonly states: Readonly<Record<string, number>>;
  /** What is wrong, a line each. */
  readonly faults: readonly string[];
}

export async function judge(stage: Stage): Promise<Verdict> {
  const { messages, events } = stored(join(stage.daemon.home, 'sm.db'));
  const taken = new Map<string, string[]>();
  for (const id of stage.ids) taken.set(id, await promptsOf(stage, id));
  const faults = [
    ...messages.flatMap((message) => exactlyOnce(message, taken.get(message.to) ?? [], events)),
    ...ownTexts(messages, taken),
    ...inOrder(messages, taken),
    ...noticesOnce(events),
  ];
  const states: Record<string, number> = {};
  for (const { state } of messages) states[state.is] = (states[state.is] ?? 0) + 1;
  return { messages: messages.length, states, faults };
}

function stored(file: string): { messages: Message[]; events: EventBody[] } {
  const db = new DatabaseSync(file, { readOnly: true });
  const bodies = (table: string) =>
    (db.prepare(`SELECT body FROM ${table}`).all() as { body: string }[]).map(({ body }) => JSON.parse(body));
  const all = { messages: bodies('message') as Message[], events: bodies('event') as EventBody[] };
  db.close();
  return all;
}

/** Every prompt that it has taken in all its conversations, in the order of its own clock. */
async function promptsOf(stage: Stage, id: string): Promise<string[]> {
  const { transcript_path: path } = await stage.session(id);
  if (!path) return [];
  const folder = dirname(path);
  const lines = readdirSync(folder).flatMap((name) => jsonLines(join(folder, name)));
  return lines
    .flatMap((line) => {
      const at = Date.parse(line.timestamp ?? '');
      if (line.type === 'user' && line.promptId && typeof line.message?.content === 'string')
        return [{ at, text: line.message.content as string }];
      return line.attachment?.type === 'queued_command'
        ? [{ at, text: line.attachment.prompt as string }]
        : [];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text);
}

const headOf = ({ id }: Message): string => `#${id}:`;
const timesIn = (prompts: readonly string[], part: string): number =>
  prompts.reduce((sum, text) => sum + text.split(part).length - 1, 0);
/** The human had it in his composer, and may have sent it himself. */
const wasReturned = (id: string, events: readonly EventBody[]): boolean =>
  events.some(
    (body) =>
      body.type === 'message' &&
      body.message === id &&
      'why' in body &&
      /composer|gave it back/.test(String(body.why)),
  );

function exactlyOnce(message: Message, prompts: readonly string[], events: readonly EventBody[]): string[] {
  if (!message.headed) return [];
  const times = timesIn(prompts, headOf(message));
  const { id, state } = message;
  const isReturned = times !== 1 && wasReturned(id, events);
  if (times > 1 && !isReturned) return [`${id} (${state.is}) was taken ${times} times`];
  const isTaken = 'turn' in state && state.is !== 'failed';
  if (isTaken && times === 0 && !isReturned) return [`${id} is told as ${state.is}, and was never taken`];
  const isOver = !['queued', 'held', 'typed', 'accepted'].includes(state.is);
  if (!isOver && !isReturned && !wasReturned(id, events)) return [`${id} is still ${state.is}`];
  if (!isTaken && times === 1 && ['withdrawn', 'expired'].includes(state.is) && !wasReturned(id, events))
    return [`${id} is told as ${state.is}, and was taken`];
  return [];
}

/** Notices and reminders have no number of their own: of equal ones at least as many were taken as are told as taken. */
function ownTexts(messages: readonly Message[], taken: ReadonlyMap<string, readonly string[]>): string[] {
  const own = messages.filter(({ headed }) => !headed);
  const groups = grouped(own, ({ to, text }) => `${to}\n${text}`);
  return [...groups.values()].flatMap((group) => {
    const [{ to, text, shown } = {} as Message] = group;
    const times = timesIn(taken.get(to) ?? [], shown ?? text);
    const told = group.filter(({ state }) => 'turn' in state && state.is !== 'failed').length;
    return times > group.length
      ? [`"${text.slice(0, 60)}" was taken ${times} times by ${to}, of ${group.length}, ${told} told`]
      : [];
  });
}

/** What one sender writes to one reader in one mode comes in the order in which it was written. */
function inOrder(messages: readonly Message[], taken: ReadonlyMap<string, readonly string[]>): string[] {
  const headed = messages.filter(({ headed, mode }) => headed && mode === 'sequential');
  const ways = grouped(headed, ({ to, from }) => `${to} ${JSON.stringify(from)}`);
  return [...ways.values()].flatMap((way) => {
    const all = (taken.get(way[0]?.to ?? '') ?? []).join('\n');
    const places = way
      .sort((a, b) => a.order - b.order)
      .filter(({ state }) => 'turn' in state && state.is !== 'failed')
      .map((message) => [message.id, all.indexOf(headOf(message))] as const)
      .filter(([, place]) => place >= 0);
    return places.flatMap(([id, place], i) => {
      const [before, earlier] = places[i - 1] ?? ['', -1];
      return place < earlier ? [`${id} came before ${before}, which was sent first`] : [];
    });
  });
}

/** Of one thing the same one is told once. */
function noticesOnce(events: readonly EventBody[]): string[] {
  const posted = events.filter((body) => body.type === 'notice-posted') as unknown as Record<
    string,
    unknown
  >[];
  const same = grouped(
    posted.filter(
      ({ about, message }) => message && ['turn-end', 'failed', 'accepted'].includes(String(about)),
    ),
    ({ about, message, to }) => `${about} ${message} ${to}`,
  );
  return [...same].flatMap(([what, all]) =>
    all.length > 1 ? [`notice ${what} was posted ${all.length} times`] : [],
  );
}

function grouped<T>(all: readonly T[], by: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(by(each), [...(groups.get(by(each)) ?? []), each]);
  return groups;
}
