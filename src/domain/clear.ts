// Clearing a context: interrupt what runs, type the agent's own command, and believe it only when the agent starts a
// conversation under an id that was never seen. Nothing else is typed meanwhile.
import { beginAttempt } from './attempt.ts';
import { enqueue } from './delivery.ts';
import type { Draft } from './draft.ts';
import { asSender } from './expected-clears.ts';
import { failHandoff, handoffCleared } from './handoff.ts';
import type { Input, Refusal, Send } from './input.ts';
import { beginInterrupt } from './interrupt.ts';
import { abandon } from './outcome.ts';
import { checkThresholds } from './reminder.ts';
import { type Actor, phaseOf } from './session.ts';

export interface Clear {
  readonly by: Actor;
  /** The first prompt of the new context. */
  readonly prompt: Omit<Send, 'type'> | null;
  /** When it has failed. */
  readonly until: number;
}

/** An agent that has not started afresh by then will not. */
const patience = 30_000;

export function clear(d: Draft, { by, prompt }: Extract<Input, { type: 'clear' }>): Refusal | undefined {
  const refusal = isThere(d) ?? (prompt?.remind && checkThresholds(prompt.remind));
  if (refusal) return refusal;
  if (d.session.clear) return { code: 'conflict', message: 'The session is being cleared already.' };
  // What has not been typed yet waits for the new context.
  if (d.session.attempt?.step === 'looking') abandon(d, 'the session is to be cleared');
  d.update({ clear: { by, prompt, until: d.now + patience } });
  d.emit({ type: 'clear-asked', by });
  return undefined;
}

/** The next step towards a clear that somebody wants, if one can be made now. */
export function pursueClear(d: Draft): void {
  const phase = phaseOf(d.session);
  if (phase === 'idle' || phase === 'rotating')
    beginAttempt(d, [], { command: { kind: 'clear', text: '/clear' } });
  // A turn that began in the middle of a handoff is a human's: it is waited for.
  else if (phase === 'working' && d.session.turn && !d.session.handoff && d.session.clear)
    beginInterrupt(d, { message: null, from: asSender(d.session.clear.by) });
}

/** The new context is there. */
export function cleared(d: Draft): void {
  const { clear: wanted, attempt } = d.session;
  if (!wanted) return;
  d.update({ clear: null, attempt: attempt?.command ? null : attempt });
  d.emit({ type: 'session-cleared', by: wanted.by, context: d.session.context.number });
  if (wanted.prompt) enqueue(d, wanted.prompt);
  handoffCleared(d);
}

export function failClear(d: Draft, why: string): void {
  if (!d.session.clear) return;
  d.update({ clear: null });
  // What stands in the composer of its own attempt may still stand there.
  if (d.session.attempt?.command === 'clear') abandon(d, why);
  d.emit({ type: 'clear-failed', why });
  if (d.session.handoff?.step === 'clearing') failHandoff(d, why);
}

export function clearDue(d: Draft): void {
  const { clear: wanted } = d.session;
  if (!wanted || d.now < wanted.until) return;
  const phase = phaseOf(d.session);
  if (d.session.handoff && phase === 'working') {
    d.update({ clear: { ...wanted, until: d.now + patience } });
    return;
  }
  failClear(
    d,
    phase === 'idle' || phase === 'rotating'
      ? `the agent did not start afresh within ${patience / 1_000} s`
      : `the session is ${phase}`,
  );
}

export function isThere(d: Draft): Refusal | null {
  if (d.session.process.state === 'running') return null;
  return {
    code: 'conflict',
    message: `The session is ${phaseOf(d.session)}. Restore it first: sm restore ${d.session.id}`,
  };
}
