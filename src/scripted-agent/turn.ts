// A turn in the making: what is known of it, and how a piece of its answer is written.

import type { Agent } from './agent.ts';
import { newId, OUTPUT_TOKENS, TOKENS_PER_ANSWER } from './session.ts';

export interface Turn {
  readonly promptId: string;
  /** The text that went in, given back to the composer if nothing was answered. */
  readonly prompt: string;
  readonly startedAt: number;
  readonly abort: AbortController;
  /** Something of the answer is in the transcript. */
  answered: boolean;
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
    toolUse: null,
    toolRounds: 0,
    lastMessage: '',
    lastToolOutput: '',
    ending: false,
  };
}

/** Writes a piece of the model's answer. */
export function answer(
  agent: Agent,
  turn: Turn,
  content: Record<string, unknown>[],
  extra: Record<string, unknown>,
): string {
  const { session } = agent;
  const messageId = `msg_${newId().replaceAll('-', '').slice(0, 24)}`;
  const failed = extra.isApiErrorMessage === true;
  if (!failed) {
    session.tokens.input = session.tokens.fixed ?? session.tokens.next;
    session.tokens.next += TOKENS_PER_ANSWER;
  }
  turn.answered = true;
  session.transcript.add({
    type: 'assistant',
    message: {
      id: messageId,
      type: 'message',
      role: 'assistant',
      model: failed ? '<synthetic>' : agent.options.model,
      content,
      stop_reason: content[0]?.type === 'tool_use' ? 'tool_use' : 'end_turn',
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
  agent.statusLine.schedule(agent);
  return messageId;
}
