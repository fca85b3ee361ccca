// What Claude Code without a terminal tells of its tokens and of the limits of its account.
import type { Fact } from '../../domain/core/fact.ts';
import { noTokens } from '../../domain/core/spending.ts';
import { usedUp, windowNames } from '../claude/hooks.ts';
import { limitWindow } from '../limits.ts';
import { number, record, text } from '../values.ts';

type Json = Record<string, unknown>;

/** It comes with each answer on a subscription. */
export function limitsTold({ rate_limit_info: info }: Json): Fact[] {
  const windows = Object.entries(record(record(info).unifiedWindows)).flatMap(([name, told]) => {
    const part = number(record(told).utilization);
    const used = part === null ? null : Math.round(part * 1_000) / 10;
    return limitWindow(windowNames.get(name) ?? name, used, record(told).resetsAt);
  });
  return windows.length > 0 ? [{ is: 'limits', windows }] : [];
}

/** When it resets was told just before. A server that is asked too fast refuses with the same status. */
export function limitReached(result: Json): { limit?: { resetsAt: null } } {
  const isLimit =
    result.api_error === 'usage_limit_reached' ||
    (result.api_error_status === 429 && usedUp.test(text(result.result) ?? ''));
  return isLimit ? { limit: { resetsAt: null } } : {};
}

/** What was used since the last result, by all models, and by the agent's own agents. The result is the meter. */
export function spentIn(providerId: string, result: Json): Fact[] {
  const id = text(result.uuid);
  if (id === null) return [];
  return Object.entries(record(result.model_usage_since_last_result)).map(([model, told]) => {
    const used = record(told);
    const count = (key: string) => number(used[key]) ?? 0;
    const tokens = {
      input: count('inputTokens'),
      cacheRead: count('cacheReadInputTokens'),
      cacheWrite: count('cacheCreationInputTokens'),
      output: count('outputTokens'),
    };
    return { is: 'spent', providerId, meter: `${id} ${model}`, before: noTokens, tokens, model };
  });
}
