// What a history comes to before it is judged: the turns of every agent by its own log, and what is known of a message.
import type { Message } from '../../src/domain/core/message.ts';
import { returned } from '../../src/domain/core/message.ts';
import { type LoggedTurn, turnsIn } from './agent-log.ts';
import type { History, Told } from './history.ts';

export interface Case extends History {
  /** By the session's own log, in order. */
  turnsOf(session: string): readonly LoggedTurn[];
  /** All that was told of a message, oldest first. */
  toldOf(message: string): readonly Told[];
  byId(message: string): Message | undefined;
  isKilled(session: string): boolean;
  /** The turns that took it, one for each time that it stands there. */
  takenIn(message: Message): readonly LoggedTurn[];
  /** Some session has killed that one. */
  wasKilledBy(session: string, by: string): boolean;
}

export function caseOf(history: History): Case {
  const turns = new Map([...history.logs].map(([id, log]) => [id, turnsIn(log)]));
  const told = grouped(
    history.events.filter(({ body }) => 'message' in body && body.message),
    ({ body }) => String((body as { message: string }).message),
  );
  const messages = new Map(history.messages.map((message) => [message.id, message]));
  const alive = new Set(history.states.map(({ session }) => session.id));
  const killers = new Set(
    history.events.flatMap(({ session, body }) =>
      body.type === 'session' && body.step === 'killed' && body.by.kind === 'session'
        ? [`${session} ${body.by.id}`]
        : [],
    ),
  );
  const places = new Map([...turns].map(([id, all]) => [id, placesIn(all)]));
  const found = new Map<string, LoggedTurn[]>();
  return {
    ...history,
    turnsOf: (id) => turns.get(id) ?? [],
    toldOf: (id) => told.get(id) ?? [],
    byId: (id) => messages.get(id),
    isKilled: (id) => !alive.has(id),
    takenIn(message) {
      const known = found.get(message.id) ?? takenBy(message, places.get(message.to) ?? new Map());
      found.set(message.id, known);
      return known;
    },
    wasKilledBy: (session, by) => killers.has(`${session} ${by}`),
  };
}

/** By every part of a prompt that could be a message, which turns have it. */
type Places = Map<string, { readonly turn: LoggedTurn; readonly text: string }[]>;

const placesIn = (turns: readonly LoggedTurn[]): Places =>
  grouped(
    turns.flatMap((turn) =>
      turn.texts.flatMap((text) => [...new Set(marksIn(text))].map((mark) => ({ turn, text, mark }))),
    ),
    ({ mark }) => mark,
  );

/** Numbers of messages, and every line: a text of ours may begin at any, because what stands before it may end with an empty one. */
const marksIn = (text: string): string[] => [
  ...[...text.matchAll(/#[^\s:#]+:/g)].map(([mark]) => mark),
  ...text.split('\n'),
];

const firstLine = (text: string): string => text.split('\n', 1)[0] as string;

function takenBy(message: Message, places: Places): LoggedTurn[] {
  const mark = message.headed ? markOf(message) : firstLine(textOf(message));
  return (places.get(mark) ?? []).flatMap(({ turn, text }) => Array(timesIn(text, message)).fill(turn));
}

export const textOf = ({ shown, text }: Message): string => shown ?? text;
/** What it is known by in a prompt. Words of our own go without a number. */
export const markOf = (message: Message): string => (message.headed ? `#${message.id}:` : textOf(message));

/** A text without a header has to be a part of its own: another may begin with the same words. */
function timesIn(text: string, message: Message): number {
  const mark = markOf(message);
  if (message.headed) return text.split(mark).length - 1;
  const part = `\n\n${mark.trimEnd()}\n\n`;
  const all = `\n\n${text.trimEnd()}\n\n`;
  let times = 0;
  for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, at + part.length - 2)) times += 1;
  return times;
}

/** A human had it in his composer, and may have sent it, changed it, or dropped it. */
export const wasReturned = (c: Case, { id }: Message): boolean =>
  c.toldOf(id).some(({ body }) => body.type === 'message' && body.state === 'held' && body.why === returned);

/** Our own Escape had it given back unconsumed, and it was typed once more: the agent's log has both. */
export const wasGivenBack = (c: Case, { id }: Message): boolean =>
  c
    .toldOf(id)
    .some(
      ({ body }) =>
        body.type === 'message' &&
        body.state === 'queued' &&
        (body.why?.startsWith('the agent gave it back') ?? false),
    );

/** It is told that the agent has had it. */
export const isToldTaken = ({ state }: Message): boolean =>
  'turn' in state && (state.is !== 'failed' || state.turn !== undefined);

export function grouped<T>(all: readonly T[], by: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const key = by(each);
    const group = groups.get(key);
    if (group) group.push(each);
    else groups.set(key, [each]);
  }
  return groups;
}
