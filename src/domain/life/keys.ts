// Single keys, for whoever steers an agent's own dialogs from afar. They go through the lane like everything else, so
// that none falls between our look and our typing.

import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import { stands } from '../core/refusal.ts';
import { isThere } from '../turns/clear.ts';

export function press(c: Change, { id, key }: Extract<Input, { type: 'press' }>): Refusal | undefined {
  const refusal = isThere(c);
  if (refusal) return refusal;
  const { attempt, turn } = c.session;
  if (attempt?.step === 'typed' || (turn?.interrupt && turn.interrupt.step !== 'looking'))
    return stands(c.session, 'typing', 'Key not pressed: sm is typing into this session. Try again.');
  c.owe({ do: 'press', press: id, key });
  return undefined;
}
