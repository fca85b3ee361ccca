// Codex's rollout file, one JSON object a line, milliseconds old: how turns begin and end, and how full the context is.
import type { Fact } from '../../domain/core/fact.ts';
import { beyond, type Tokens } from '../../domain/core/spending.ts';
import type { ReadingFrom, TranscriptReader } from '../../ports/provider.ts';
import { hasPromptIn } from '../has-prompt.ts';
import { limitWindow, windowName } from '../limits.ts';
import { list, number, record, text } from '../values.ts';

/** Most lines are long and say nothing that we need: do not even parse them. */
const telling =
  /^.{0,120}"type":"(compacted|turn_context|event_msg","payload":\{"type":"(task_complete|turn_aborted|token_count|item_completed)|response_item","payload":\{"type":"(function_call|custom_tool_call|local_shell_call)(_output)?)"/;

export function readCodexRollout({ turnId, providerId }: ReadingFrom): TranscriptReader {
  let current = turnId;
  let model: string | null = null;

  function readLine(words: string): Fact[] {
    if (providerId === null || !telling.test(words)) return [];
    const { type, payload } = parse(words);
    const facts = [told(type, payload, providerId), spentIn(payload, providerId), limitsIn(payload)];
    return facts.filter((fact) => fact !== null);
  }

  function told(type: string | null, payload: Payload, providerId: string): Fact | null {
    if (type === 'turn_context') {
      model = text(payload.model) ?? model;
      return null;
    }
    if (type === 'compacted') return { is: 'compaction-ended', providerId };
    if (type === 'response_item') {
      const step = text(payload.type)?.endsWith('_output') ? 'tool-ended' : 'tool-began';
      return current === null ? null : { is: 'activity', providerId, turnId: current, subject: null, step };
    }
    switch (payload.type) {
      case 'item_completed':
        return item(payload, providerId);
      case 'token_count':
        return usage(payload, providerId);
      case 'turn_aborted':
        return payload.turn_id === current
          ? { is: 'turn-ended', end: 'interrupted', providerId, turnId: current }
          : null;
      case 'task_complete': {
        // A compaction is a task, too, and no turn.
        if (payload.turn_id !== current) return null;
        if (payload.error)
          return {
            is: 'turn-ended',
            end: 'failed',
            providerId,
            turnId: current,
            lastWords: errorOf(payload),
            ...(record(payload.error).codex_error_info === 'usage_limit_exceeded' && {
              limit: { resetsAt: null },
            }),
          };
        const lastWords = text(payload.last_agent_message);
        return { is: 'turn-ended', end: 'ended', providerId, turnId: current, lastWords, stillRuns: 0 };
      }
      default:
        return null;
    }
  }

  function item(payload: Payload, providerId: string): Fact | null {
    const done = record(payload.item);
    const turn = text(payload.turn_id);
    if (done.type === 'CommandExecution' && current)
      return { is: 'activity', providerId, turnId: current, subject: text(list(done.command).at(-1)) };
    if (done.type !== 'UserMessage' || !turn) return null;
    const prompt = list(done.content)
      .map((part) => text(record(part).text) ?? '')
      .join('');
    if (turn === current) return { is: 'prompt-absorbed', providerId, turnId: current, text: prompt };
    current = turn;
    return { is: 'prompt-submitted', providerId, turnId: current, text: prompt, transcriptPath: null };
  }

  function usage(payload: Payload, providerId: string): Fact | null {
    const info = record(payload.info);
    const tokens = number(record(info.last_token_usage).total_tokens);
    // None is known in the moment after a compaction.
    if (!tokens) return null;
    const windowSize = number(info.model_context_window);
    const percentage = windowSize ? Math.min(100, (100 * tokens) / windowSize) : null;
    return { is: 'usage', providerId, usage: { percentage, tokens, windowSize, model, costUsd: null } };
  }

  /** The file tells of the whole thread, and of its last step: what was before that step is not ours to count. */
  function spentIn(payload: Payload, providerId: string): Fact | null {
    const info = record(payload.info);
    if (payload.type !== 'token_count' || !info.total_token_usage) return null;
    const tokens = codexTokens(record(info.total_token_usage));
    const before = beyond(tokens, codexTokens(record(info.last_token_usage)));
    return { is: 'spent', providerId, meter: providerId, before, tokens, model };
  }

  return {
    line: readLine,
    get turnId() {
      return current;
    },
  };
}

/** A thread without a prompt is not kept, and cannot be resumed. */
export const hasPrompt = (path: string | null): Promise<boolean> =>
  hasPromptIn(path, readCodexRollout({ turnId: null, providerId: 'any' }));

/** Its input counts what came from a cache as well. */
function codexTokens(told: Record<string, unknown>): Tokens {
  const cacheRead = number(told.cached_input_tokens) ?? 0;
  const cacheWrite = number(told.cache_write_input_tokens) ?? 0;
  const input = Math.max(0, (number(told.input_tokens) ?? 0) - cacheRead - cacheWrite);
  return { input, cacheRead, cacheWrite, output: number(told.output_tokens) ?? 0 };
}

function limitsIn(payload: Payload): Fact | null {
  if (payload.type !== 'token_count') return null;
  const { primary, secondary } = record(payload.rate_limits);
  const windows = [primary, secondary].map(record).flatMap((window) => {
    const name = windowName(number(window.window_minutes) ?? 0);
    return limitWindow(name, window.used_percent, window.resets_at);
  });
  return windows.length > 0 ? { is: 'limits', windows } : null;
}

type Payload = Record<string, unknown>;

function parse(words: string): { readonly type: string | null; readonly payload: Payload } {
  try {
    const line = record(JSON.parse(words));
    return { type: text(line.type), payload: record(line.payload) };
  } catch {
    return { type: null, payload: {} };
  }
}

/** The model's own words, where the error repeats its whole answer. */
function errorOf({ error }: Payload): string {
  const message = text(record(error).message) ?? 'unknown error';
  try {
    return text(record(record(JSON.parse(message)).error).message) ?? message;
  } catch {
    return message;
  }
}
