// One turn as its updates tell it: what is said, message by message, which tools run, and how it ended.
import type { Fact } from '../../domain/core/fact.ts';
import { noTokens } from '../../domain/core/spending.ts';
import { longestWords, type Told } from '../../headless/reader.ts';
import { number, record, text } from '../values.ts';
import type { Known } from './known.ts';
import type { StopReason } from './protocol.ts';

type Json = Record<string, unknown>;

export interface Turn {
  readonly id: string;
  /** What it is saying, and in how many pieces that came. */
  words: string;
  pieces: number;
  messageId: string | null;
  /** What it has said last, when that is whole. */
  last: { readonly words: string; readonly pieces: number } | null;
  thinks: boolean;
  readonly tools: Set<string>;
}

export const newTurn = (id: string): Turn => ({
  ...{ id, words: '', pieces: 0, messageId: null, last: null, thinks: false },
  tools: new Set(),
});

const working = (providerId: string, turnId: string, subject: string | null): Told[] => [
  { fact: { is: 'activity', providerId, turnId, subject } },
];

/** A piece of a message. Only its first one says anything new: that it speaks. */
export function spoken(providerId: string, turn: Turn, update: Json): Told[] {
  const piece = text(record(update.content).text);
  if (piece === null) return [];
  const id = text(update.messageId);
  const before = id !== turn.messageId ? closed(providerId, turn) : [];
  const begins = turn.pieces === 0 ? working(providerId, turn.id, null) : [];
  turn.messageId = id;
  turn.thinks = false;
  turn.pieces += 1;
  turn.words = (turn.words + piece).slice(0, longestWords);
  return [...before, ...begins];
}

/** What it was saying is whole. */
export function closed(providerId: string, turn: Turn): Told[] {
  const { words, pieces } = turn;
  turn.words = '';
  turn.pieces = 0;
  turn.thinks = false;
  if (words.trim() === '') return [];
  turn.last = { words, pieces };
  return [{ fact: { is: 'said', providerId, turnId: turn.id, text: words } }];
}

export function thought(providerId: string, turn: Turn): Told[] {
  if (turn.thinks) return [];
  const before = closed(providerId, turn);
  turn.thinks = true;
  return [...before, ...working(providerId, turn.id, null)];
}

export function tool(providerId: string, turn: Turn, id: string, status: unknown): Told[] {
  const before = closed(providerId, turn);
  if (status === 'completed' || status === 'failed') {
    turn.tools.delete(id);
    return [...before, ...working(providerId, turn.id, id)];
  }
  if (turn.tools.has(id)) return before;
  turn.tools.add(id);
  return [...before, ...working(providerId, turn.id, null)];
}

export const step = (providerId: string, turn: Turn): Told[] => [
  ...closed(providerId, turn),
  ...working(providerId, turn.id, null),
];

/** How it ended, by the agent's answer to its prompt. */
export function ended(providerId: string, turn: Turn, result: Json, known: Known): Told[] {
  const said = closed(providerId, turn);
  return [
    ...said,
    { fact: end(providerId, turn, result.stopReason, known) },
    ...spent(providerId, turn, result),
  ];

  function spent(conversation: string, { id }: Turn, { usage }: Json): Told[] {
    if (!known.tellsTokens) return [];
    const count = (key: string) => number(record(usage)[key]) ?? 0;
    const tokens = {
      input: count('inputTokens'),
      cacheRead: count('cachedReadTokens'),
      cacheWrite: count('cachedWriteTokens'),
      output: count('outputTokens'),
    };
    const meter = `${conversation} ${id}`;
    return [
      { fact: { is: 'spent', providerId: conversation, meter, before: noTokens, tokens, model: null } },
    ];
  }
}

function end(providerId: string, { id: turnId, last }: Turn, reason: unknown, { errorWords }: Known): Fact {
  const told = { is: 'turn-ended' as const, providerId, turnId };
  const failed = (lastWords: string): Fact => ({ ...told, end: 'failed', lastWords });
  switch (reason as StopReason) {
    case 'cancelled':
      return { ...told, end: 'interrupted' };
    case 'end_turn': {
      // It comes in one piece, where a model speaks in many.
      const isError = errorWords !== null && last?.pieces === 1 && last.words.startsWith(errorWords);
      return isError
        ? failed(last.words)
        : { ...told, end: 'ended', lastWords: last?.words ?? null, stillRuns: 0 };
    }
    case 'max_tokens':
      return failed('It has come to the largest number of tokens that it may say.');
    case 'max_turn_requests':
      return failed('It has come to the largest number of requests that a turn may make.');
    case 'refusal':
      return failed('It refuses to go on.');
    default:
      return failed(`It ended for a reason that is not known: ${String(reason).slice(0, 100)}`);
  }
}
