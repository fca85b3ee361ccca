// Clearing a context: interrupt what runs, type the agent's own command, and believe it only when the agent starts a
// conversation under an id that was never seen. Nothing else is typed meanwhile.

import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { Actor } from '../core/names.ts';
import { asSender } from '../core/names.ts';
import { type Clear, isCommand } from '../core/parts.ts';
import { notRunning, stands } from '../core/refusal.ts';
import { phaseOf } from '../core/session.ts';
import { checkThresholds } from '../core/thresholds.ts';
import { beginAttempt } from '../delivery/attempt.ts';
import { abandon } from '../delivery/outcome.ts';
import { enqueue } from '../delivery/queue.ts';
import { beginInterrupt } from './interrupt.ts';

/** An agent that has not started a new context by then will not. */
const patience = 30_000;

export function clear(c: Change, { by, prompt }: Extract<Input, { type: 'clear' }>): Refusal | undefined {
  const refusal = isThere(c) ?? (prompt?.remind && checkThresholds(prompt.remind));
  if (refusal) return refusal;
  if (c.session.clear) return stands(c.session, 'clearing', 'The session is already being cleared.');
  // What has not been typed yet waits for the new context.
  if (c.session.attempt?.step === 'looking') abandon(c, 'the session is being cleared');
  wantClear(c, by, prompt);
  c.emit({ type: 'clear', step: 'asked', by });
  return undefined;
}

export function wantClear(c: Change, by: Actor, prompt: Clear['prompt']): void {
  c.update({ clear: { by, prompt, until: c.now + patience } });
}

/** The next step towards a clear that somebody wants, if one can be made now. */
export function pursueClear(c: Change): void {
  const phase = phaseOf(c.session);
  if (phase === 'idle' || phase === 'rotating')
    beginAttempt(c, [], { command: { kind: 'clear', text: c.manners.commandTo.clear } });
  // A turn that began in the middle of a handoff is a human's: it is waited for.
  else if (phase === 'working' && c.session.turn && !c.session.handoff && c.session.clear)
    beginInterrupt(c, { message: null, from: asSender(c.session.clear.by) });
}

export function cleared(c: Change): void {
  const { clear: wanted, attempt } = c.session;
  if (!wanted) return;
  c.update({ clear: null, attempt: attempt && isCommand(attempt) ? null : attempt });
  c.emit({ type: 'clear', step: 'done', by: wanted.by, context: c.session.context.number });
  if (wanted.prompt) enqueue(c, wanted.prompt);
  c.announce({ is: 'cleared' });
}

export function failClear(c: Change, why: string): void {
  if (!c.session.clear) return;
  c.update({ clear: null });
  // What stands in the composer of its own attempt may still stand there.
  if (c.session.attempt?.types.is === 'clear') abandon(c, why);
  c.emit({ type: 'clear', step: 'failed', why });
  c.announce({ is: 'clear-failed', why });
}

export function clearDue(c: Change): void {
  const { clear: wanted } = c.session;
  if (!wanted || c.now < wanted.until) return;
  const phase = phaseOf(c.session);
  if (c.session.handoff && phase === 'working') {
    c.update({ clear: { ...wanted, until: c.now + patience } });
    return;
  }
  failClear(
    c,
    phase === 'idle' || phase === 'rotating'
      ? `the agent did not start a new context within ${patience / 1_000} s`
      : `the session is ${phase}`,
  );
}

export function isThere(c: Change): Refusal | null {
  return c.session.process.state === 'running' ? null : notRunning(c.session);
}
