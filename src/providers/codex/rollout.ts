// Codex's rollout file, one JSON object a line, milliseconds old: how turns begin and end, and how full the context is.
import type { Fact } from '../../domain/core/fact.ts';
import { beyond, type Tokens } from '../../domain/core/spending.ts';
import type { ReadingFrom, TranscriptReader } from '../../ports/provider.ts';
import { hasPromptIn } from '../has-prompt.ts';
import { limitWindow, windowName } from '../limits.ts';

/** Most lines are long and say nothing that we need: do not even parse them. */
const telling =
  /^.{0,120}"type":"(compacted|turn_context|event_msg","payload":\{"type":"(task_complete|turn_aborted|token_count|item_completed)|response_item","payload":\{"type":"(function_call|custom_tool_call|local_shell_call)(_output)?)"/;

export function readCodexRollout({ turnId, providerId }: ReadingFrom): TranscriptReader {
  let current = turnId;
  let model: string | null = null;

  function readLine(text: string): Fact[] {
    if (providerId === null || !telling.test(text)) return [];
    const { type, payload } = parse(text);
    if (!payload) return [];
    const facts = [told(type, payload, providerId), spentIn(payload, providerId), limitsIn(payload)];
    return facts.filter((fact) => fact !== null);
  }

  function told(type: string | undefined, payload: Payload, providerId: string): Fact | null {
    if (type === 'turn_context') {
      model = payload.model ?? model;
      return null;
    }
    if (type === 'compacted') return { is: 'compaction-ended', providerId };
    if (type === 'response_item') {
      const step = payload.type?.endsWith('_output') ? 'tool-ended' : 'tool-began';
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
            ...(payload.error.codex_error_info === 'usage_limit_exceeded' && { limit: { resetsAt: null } }),
          };
        const lastWords = payload.last_agent_message ?? null;
        return { is: 'turn-ended', end: 'ended', providerId, turnId: current, lastWords, stillRuns: 0 };
      }
      default:
        return null;
    }
  }

  function item({ turn_id, item: done }: Payload, providerId: string): Fact | null {
    if (done?.type === 'CommandExecution' && current)
      return { is: 'activity', providerId, turnId: current, subject: done.command?.at(-1) ?? null };
    if (done?.type !== 'UserMessage' || !turn_id) return null;
    const text = (done.content ?? []).flatMap((part) => part.text ?? []).join('');
    if (turn_id === current) return { is: 'prompt-absorbed', providerId, turnId: current, text };
    current = turn_id;
    return { is: 'prompt-submitted', providerId, turnId: current, text, transcriptPath: null };
  }

  function usage({ info }: Payload, providerId: string): Fact | null {
    const tokens = info?.last_token_usage?.total_tokens;
    // None is known in the moment after a compaction.
    if (!tokens) return null;
    const windowSize = info?.model_context_window ?? null;
    const percentage = windowSize ? Math.min(100, (100 * tokens) / windowSize) : null;
    return { is: 'usage', providerId, usage: { percentage, tokens, windowSize, model, costUsd: null } };
  }

  /** The file tells of the whole thread, and of its last step: what was before that step is not ours to count. */
  function spentIn({ type, info }: Payload, providerId: string): Fact | null {
    if (type !== 'token_count' || !info?.total_token_usage) return null;
    const tokens = codexTokens(info.total_token_usage);
    const before = beyond(tokens, codexTokens(info.last_token_usage));
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

interface RolloutTokens {
  input_tokens?: number;
  cached_input_tokens?: number;
  cache_write_input_tokens?: number;
  output_tokens?: number;
  total_tokens?: number;
}

/** Its input counts what came from a cache as well. */
function codexTokens(told: RolloutTokens = {}): Tokens {
  const { input_tokens: all = 0, output_tokens: output = 0 } = told;
  const { cached_input_tokens: cacheRead = 0, cache_write_input_tokens: cacheWrite = 0 } = told;
  return { input: Math.max(0, all - cacheRead - cacheWrite), cacheRead, cacheWrite, output };
}

interface RolloutWindow {
  used_percent?: number;
  window_minutes?: number | null;
  resets_at?: number | null;
}

function limitsIn({ type, rate_limits }: Payload): Fact | null {
  if (type !== 'token_count') return null;
  const windows = [rate_limits?.primary, rate_limits?.secondary].flatMap((window) =>
    window ? limitWindow(windowName(window.window_minutes ?? 0), window.used_percent, window.resets_at) : [],
  );
  return windows.length > 0 ? { is: 'limits', windows } : null;
}

interface Payload {
  type?: string;
  turn_id?: string;
  model?: string;
  last_agent_message?: string | null;
  error?: { message?: string; codex_error_info?: unknown };
  item?: { type?: string; command?: string[]; content?: { text?: string }[] };
  rate_limits?: { primary?: RolloutWindow | null; secondary?: RolloutWindow | null } | null;
  info?: {
    total_token_usage?: RolloutTokens;
    last_token_usage?: RolloutTokens;
    model_context_window?: number;
  } | null;
}

function parse(text: string): { type?: string; payload?: Payload } {
  try {
    return JSON.parse(text) as { type?: string; payload?: Payload };
  } catch {
    return {};
  }
}

/** The model's own words, where the error repeats its whole answer. */
function errorOf({ error }: Payload): string {
  const message = error?.message ?? 'unknown error';
  try {
    return String((JSON.parse(message) as { error?: { message?: string } }).error?.message ?? message);
  } catch {
    return message;
  }
}
