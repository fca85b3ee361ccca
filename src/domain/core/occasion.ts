// Occasions: what happens to a session that somebody outside may want to be told of.
import { type EventBody, type EventName, isNamed } from './event.ts';

export const occasions = ['waiting', 'failed', 'died', 'silent', 'finished', 'limit', 'budget'] as const;
export type Occasion = (typeof occasions)[number];

export function occasionOf(body: EventBody): Occasion | null {
  if (isNamed(body, 'question asked', 'screen unrecognised')) return 'waiting';
  if (isNamed(body, 'turn ended')) {
    if (body.end === 'failed') return 'failed';
    return body.end === 'ended' ? 'finished' : null;
  }
  if (isNamed(body, 'session lost')) return 'died';
  // Whoever killed it need not be told.
  if (isNamed(body, 'session exited')) return body.killed || body.code === 0 ? null : 'died';
  if (isNamed(body, 'limit reached')) return 'limit';
  if (isNamed(body, 'budget near', 'budget used-up', 'budget unknown')) return 'budget';
  return isNamed(body, 'reminder unheeded') ? 'silent' : null;
}

/** Those that may be one. */
export const occasionEvents = [
  'question asked',
  'screen unrecognised',
  'turn ended',
  'session lost',
  'session exited',
  'reminder unheeded',
  'limit reached',
  'budget near',
  'budget used-up',
  'budget unknown',
] as const satisfies readonly EventName[];
