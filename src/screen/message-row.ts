// A message on one line, with how far it has come and what proves it.
import { stateText } from '../cli/text/message.ts';
import { oneLine } from '../cli/text/safe.ts';
import { actor, reason } from '../cli/text/session.ts';
import { shortClock } from '../cli/text/time.ts';
import type { MessageView } from '../protocol/message.ts';
import { faint, green, plain, red, yellow } from './style.ts';

/** `#35c2 from manager  accepted (hook)  "Fix the flaky login test"` */
export function messageRow(message: MessageView, now: number): { text: string; style: string } {
  const { state, why, evidence } = message;
  const proof = evidence ? ` (${evidence.source})` : '';
  const words = state === 'held' ? `held: ${reason(why)}` : stateText(state, why ?? '');
  const at = shortClock(message.created_at, now);
  return {
    text: `${at} #${message.id.slice(0, 4)} from ${actor(message.from)}  ${words}${proof}  ${oneLine(message.text)}`,
    style: stateStyle(state),
  };
}

function stateStyle(state: MessageView['state']): string {
  if (state === 'answered' || state === 'accepted') return green;
  if (state === 'queued' || state === 'typed') return plain;
  return state === 'held' ? yellow : state === 'withdrawn' || state === 'expired' ? faint : red;
}
