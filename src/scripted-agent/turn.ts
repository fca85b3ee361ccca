// A turn in the making: what is known of it, and how a piece of its answer is written.

import type { Agent } from './agent.ts';
import { newId, OUTPUT_TOKENS, TOKENS_PER_ANSWER } from './session.ts';

export interface Turn {
  readonly promptId: string;
  /** The text that went in, given back to the composer if nothing was answered. */
  readonly prompt: string;
  readonly startedAt: number;
  readonly abort: AbortController;
  /** Something of the answer has come. */
  answered: boolean;
  /** What is being said and not yet in the transcript. */
  speech: string | null;
  /** The tool call that has no result yet. */
  toolUse: { id: string; messageId: string; stopped: Promise<unknown> } | null;
  toolRounds: number;
  lastMessage: string;
  lastToolOutput: string;
  /** Its Stop is being told: too late to interrupt. */
  ending: boolean;
}

export function createTurn(prompt: string): Turn {
  return {
    promptId: newId(),
    prompt,
    startedAt: Date.now(),
    abort: new AbortController(),
    answered: false,
    speech: null,
    toolUse: null,
    toolRounds: 0,
    lastMessage: '',
    lastToolOutput: '',
    ending: false,
  };
}

/** Writes a piece of the model's answer, and lets the status line know. Only what nothing follows is said to be the last. */
export function answer(
  agent: Agent,
  turn: Turn,
  content: Record<string, unknown>[],
  extra: Record<string, unknown> = {},
  isLast = true,
): string {
  const stopReason = content[0]?.type === 'tool_use' || !isLast ? 'tool_use' : 'end_turn';
  const messageId = writeAnswer(agent, content, stopReason, extra);
  turn.answered = true;
  turn.speech = null;
  agent.statusLine.schedule(agent);
  return messageId;
}

/** A `stopReason` of null: it was cut short. */
export function writeAnswer(
  agent: Agent,
  content: Record<string, unknown>[],
  stopReason: string | null,
  extra: Record<string, unknown> = {},
): string {
  const { session } = agent;
  const messageId = `msg_${newId().replaceAll('-', '').slice(0, 24)}`;
  const failed = extra.isApiErrorMessage === true;
  if (!failed) {
    session.tokens.input = session.tokens.fixed ?? session.tokens.next;
    session.tokens.next += TOKENS_PER_ANSWER;
  }
  session.transcript.add({
    type: 'assistant',
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model: failed ? '<synthetic>' : agent.options.model,
      content,
      stop_reason: stopReason,
      stop_sequence: null,
      usage: {
        input_tokens: failed ? 0 : session.tokens.input,
        output_tokens: failed ? 0 : OUTPUT_TOKENS,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    },
    ...extra,
  });
  return messageId;
}
