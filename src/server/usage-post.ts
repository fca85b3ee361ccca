// Posts to `/hooks/context-usage`: samples of how full a context is, and the beginning and end of its compaction, as
// small scripts in a user's own settings send them.
import type { Fact } from '../domain/core/fact.ts';
import type { HookInput } from '../ports/provider.ts';

interface Told {
  /** Null: there is nothing to learn from it. */
  readonly fact: Fact | null;
  readonly answer: object;
}

export function usagePost(body: HookInput, providerId: string): Told {
  switch (body.event) {
    case 'compaction':
      return {
        fact: { is: 'compaction-began', providerId, trigger: textOr(body.trigger, 'unknown') },
        answer: { status: 'compaction_logged' },
      };
    case 'compaction_complete':
      return {
        fact: { is: 'compaction-ended', providerId },
        answer: { status: 'compaction_complete_logged' },
      };
    case 'context_reset':
      return { fact: { is: 'usage-reset', providerId }, answer: { status: 'ok' } };
    default:
      return sample(body, providerId);
  }
}

function sample(body: HookInput, providerId: string): Told {
  const percentage = numberIn(body.used_percentage, 100);
  // A program that knows of none yet says null; anything else that is no percentage says nothing.
  if (percentage === null && body.used_percentage !== null)
    return { fact: null, answer: { status: 'ok', used_percentage: null } };
  const usage = {
    percentage,
    tokens: numberIn(body.total_input_tokens),
    windowSize: numberIn(body.context_window_size),
    model: null,
    costUsd: null,
  };
  return { fact: { is: 'usage', providerId, usage }, answer: { status: 'ok', used_percentage: percentage } };
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value.slice(0, 100) : otherwise;

const numberIn = (value: unknown, most = Number.MAX_SAFE_INTEGER): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= most ? value : null;
