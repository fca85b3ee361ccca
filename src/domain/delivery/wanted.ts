import type { OwedEffect } from '../core/effect.ts';
import { effectOf } from '../core/parts.ts';
import type { Session } from '../core/session.ts';

/**
 * Whether somebody still waits for these keys. Since they were decided on, the agent may have got the text in another
 * way, and what stands in the composer now may be a human's.
 */
export function isWanted(
  { attempt, turn }: Session,
  { id, effect }: Pick<OwedEffect, 'id' | 'effect'>,
): boolean {
  if (effect.do === 'submit') return effectOf(attempt) === id;
  return effect.do === 'escape' ? effectOf(turn?.interrupt) === id : true;
}
