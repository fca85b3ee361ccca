// What an event is called in a word or two: its kind, and the step of it or the state that a message has come to.
import type { EventView } from './event.ts';

/** `message accepted`, `handoff done`, `said`. */
export function eventName({ type, state, step }: EventView): string {
  const part = state ?? step;
  return part === undefined ? type : `${type} ${part}`;
}
