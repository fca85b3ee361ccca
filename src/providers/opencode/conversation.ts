// What is known of one conversation while something is under way in it.
import type { Fact } from '../../domain/core/fact.ts';
import { number, record, text } from '../values.ts';

type Json = Record<string, unknown>;

/** It lasts for as long as the conversation is busy, and takes up whatever comes meanwhile. */
export interface Turn {
  readonly id: string;
  /** Answers that are being written. */
  readonly open: Set<string>;
  readonly tools: Set<string>;
  error: Json | null;
  finished: boolean;
  lastWords: string | null;
}

export interface Conversation {
  turn: Turn | null;
  /** Messages of the human, and of ours, whose text is still to come. */
  readonly prompts: Set<string>;
  newestPrompt: string;
  /** Given during the turn, and not taken up yet: their texts, by id. */
  readonly waiting: Map<string, string>;
  readonly summaries: Set<string>;
  compacting: boolean;
  model: string | null;
}

export const newTurn = (id: string): Turn => ({
  ...{ id, open: new Set(), tools: new Set() },
  ...{ error: null, finished: false, lastWords: null },
});

export const newConversation = (): Conversation => ({
  ...{ turn: null, newestPrompt: '', compacting: false, model: null },
  ...{ prompts: new Set(), waiting: new Map(), summaries: new Set() },
});

/** What an answer has used, of the context and of the account. `windows`: how large the contexts of models may be. */
export function usage(
  providerId: string,
  model: string | null,
  answer: string,
  told: Json,
  windows: Json | null,
): Fact[] {
  const cache = record(told.cache);
  const [cacheRead, cacheWrite] = [number(cache.read) ?? 0, number(cache.write) ?? 0];
  const [input, output] = [number(told.input) ?? 0, number(told.output) ?? 0];
  const tokens = input + cacheRead + cacheWrite;
  if (tokens === 0) return [];
  const windowSize = number(windows?.[model ?? '']);
  const percentage = windowSize ? Math.round((100 * tokens) / windowSize) : null;
  const before = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  const spent = { meter: answer, before, tokens: { input, cacheRead, cacheWrite, output }, model };
  return [
    { is: 'usage', providerId, usage: { percentage, tokens, windowSize, model, costUsd: null } },
    { is: 'spent', providerId, ...spent },
  ];
}

export function endOf(providerId: string, { id: turnId, error, finished, lastWords }: Turn): Fact {
  if (error && error.name !== 'MessageAbortedError') {
    const words = text(record(error.data).message) ?? text(error.name) ?? 'unknown error';
    return { is: 'turn-ended', end: 'failed', providerId, turnId, lastWords: words };
  }
  // Cut while it waited to try again, it says nothing of it.
  if (error || !finished) return { is: 'turn-ended', end: 'interrupted', providerId, turnId };
  return { is: 'turn-ended', end: 'ended', providerId, turnId, lastWords, stillRuns: 0 };
}
