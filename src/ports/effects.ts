// Runs one effect against the world and says what came of it. Never throws for what can be expected to fail.
import type { EffectResult, OwedEffect } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';

/** It was broken off, and is to be run again at the next start: the effect stays owed. */
export class StillOwed extends Error {
  override readonly name = 'StillOwed';
}

export interface EffectRunner {
  run(owed: OwedEffect, session: Session): Promise<EffectResult>;
  /** Of what must not be done twice as a rule: whether here it may be. */
  mayRepeat?(owed: OwedEffect, session: Session): boolean;
}
