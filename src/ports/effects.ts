// Runs one effect against the world and says what came of it. Never throws for what can be expected to fail.
import type { EffectResult, OwedEffect } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';

/** It was broken off: the effect stays owed, and runs again at the next start. */
export class StillOwed extends Error {
  override readonly name = 'StillOwed';
}

export interface EffectRunner {
  run(owed: OwedEffect, session: Session): Promise<EffectResult>;
  /** Whether this effect may be run twice, although its kind must not be as a rule. */
  mayRepeat?(owed: OwedEffect, session: Session): boolean;
}
