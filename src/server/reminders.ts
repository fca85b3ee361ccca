// Which thresholds a request means: its own, or those of the configuration.

import type { Refusal } from '../domain/core/input.ts';
import type { Thresholds } from '../domain/core/names.ts';
import { invalid } from '../domain/core/refusal.ts';

export interface RemindSettings {
  readonly soft: number;
  /** From the soft to the hard one, where only the soft one is said. */
  readonly hardGap: number;
  /** For what is dispatched by a template; null: no reminder. */
  readonly dispatch: Thresholds | null;
}

interface Asked {
  readonly soft?: number | null | undefined;
  readonly hard?: number | null | undefined;
  /** In words: the thresholds that are configured. */
  readonly configured?: 'default' | 'dispatch' | null | undefined;
}

export function thresholdsOf(
  settings: RemindSettings,
  { soft, hard, configured }: Asked,
): { readonly thresholds: Thresholds | null } | { readonly refusal: Refusal } {
  if (soft === undefined || soft === null) {
    if (typeof hard === 'number') return { refusal: invalid('A hard threshold needs a soft one before it.') };
    if (configured === 'dispatch') return { thresholds: settings.dispatch };
    if (configured !== 'default') return { thresholds: null };
  }
  const from = soft ?? settings.soft;
  return { thresholds: { soft: from, hard: hard ?? from + settings.hardGap } };
}
