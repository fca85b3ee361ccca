// Somebody wants the turn that runs to be interrupted, and nothing else. Escape does it, as it does for an urgent
// message; the wish is over when the turn is, however that ended, or when it is plain that it cannot be done.

import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import { asSender } from '../core/names.ts';
import { conflict, stands } from '../core/refusal.ts';
import { nameAndId, named, phaseOf } from '../core/session.ts';
import { abandon } from '../delivery/outcome.ts';
import { isThere } from './clear.ts';
import { beginInterrupt } from './interrupt.ts';

/** An agent whose turn still runs then does not obey Escape, or may not be sent one. */
const patience = 20_000;

export function halt(c: Change, { by }: Extract<Input, { type: 'interrupt' }>): Refusal | undefined {
  const refusal = isThere(c) ?? whyNot(c);
  if (refusal) return refusal;
  if (c.session.halt) return undefined;
  // What has not been typed yet waits for the end of the turn.
  if (c.session.attempt?.step === 'looking') abandon(c, 'the turn is being interrupted');
  c.update({ halt: { by, until: c.now + patience, held: null } });
  c.emit({ type: 'interrupt', step: 'asked', by });
  const { interrupt } = c.session;
  // What was to cut the turn off goes when it is over.
  if (interrupt) c.update({ interrupt: { ...interrupt, for: { halt: asSender(by) } } });
  return undefined;
}

function whyNot({ session }: Change): Refusal | null {
  const phase = phaseOf(session);
  const who = nameAndId(session);
  if (session.clear) return stands(session, 'clearing', `${who} is being cleared, which interrupts it.`);
  if (session.question) {
    const { text } = session.question;
    const data = { is: 'asks', session: named(session), question: text } as const;
    return conflict(`${who} waits for an answer: ${text}.`, data);
  }
  if (phase === 'working' && session.turn) return null;
  const doing = phase === 'working' ? 'about to begin a turn' : phase;
  return conflict(`${who} is ${doing}: no turn runs.`, { is: 'no-turn', session: named(session), phase });
}

/** The next step towards it, if one can be made now. */
export function pursueHalt(c: Change): void {
  const { halt: wanted, question, attempt, interrupt, turn, process } = c.session;
  if (!wanted) return;
  if (question) failHalt(c, `it asks: ${question.text}`);
  else if (!attempt && !interrupt && turn && process.state === 'running' && phaseOf(c.session) === 'working')
    beginInterrupt(c, { halt: asSender(wanted.by) });
}

export function haltDue(c: Change): void {
  const { halt: wanted } = c.session;
  if (!wanted || c.now < wanted.until) return;
  const phase = phaseOf(c.session);
  failHalt(
    c,
    wanted.held ??
      (phase === 'working' ? `its turn still runs after ${patience / 1_000} s` : `it is ${phase}`),
  );
}

function failHalt(c: Change, why: string): void {
  const { interrupt } = c.session;
  const isOnlyLooking = interrupt?.for && 'halt' in interrupt.for && interrupt.step === 'looking';
  c.update({ halt: null, ...(isOnlyLooking && { interrupt: null }) });
  c.emit({ type: 'interrupt', step: 'failed', why });
}
