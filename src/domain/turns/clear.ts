// Clearing a context: interrupt what runs, type the agent's own command, and believe it only when the agent starts a
// conversation under an id that was never seen. Nothing else is typed meanwhile.

import { failHandoff, handoffCleared } from '../context/handoff.ts';
import type { Draft } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import { phaseOf } from '../core/session.ts';
import { beginAttempt } from '../delivery/attempt.ts';
import { abandon } from '../delivery/outcome.ts';
import { enqueue } from '../delivery/queue.ts';
import { checkThresholds } from '../promises/reminders.ts';
import { asSender } from './expected-clears.ts';
import { beginInterrupt } from './interrupt.ts';

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

/** A command of the agent's own, for a person who wants it: typed alone, and only into an idle agent. */
export function slash(d: Draft, { command }: Extract<Input, { type: 'slash' }>): Refusal | undefined {
  const refusal = isThere(d);
  if (refusal) return refusal;
  if (!/^\/[^\s/][^\n\r\0\x1b]{0,500}$/.test(command)) {
    return { code: 'invalid', message: 'A command begins with / and is one line.' };
  }
  const phase = phaseOf(d.session);
  if (phase !== 'idle' || d.session.attempt || d.session.clear) {
    const why = phase === 'idle' ? 'something else is being typed' : `the session is ${phase}`;
    return { code: 'conflict', message: `The command was not typed: ${why}. Try again when it is idle.` };
  }
  d.emit({ type: 'command-typed', command });
  beginAttempt(d, [], { command: { kind: 'slash', text: command } });
  return undefined;
}

export function isThere(d: Draft): Refusal | null {
  if (d.session.process.state === 'running') return null;
  return {
    code: 'conflict',
    message: `The session is ${phaseOf(d.session)}. Restore it first: sm restore ${d.session.id}`,
  };
}
