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

/** If the turn still runs then, the agent does not obey Escape, or nothing may be typed into it. */
const patience = 20_000;

export function halt(c: Change, { by }: Extract<Input, { type: 'interrupt' }>): Refusal | undefined {
  const refusal = isThere(c) ?? whyNot(c);
  if (refusal) return refusal;
  const { turn } = c.session;
  if (!turn || turn.halt) return undefined;
  // What has not been typed yet waits for the end of the turn.
  if (c.session.attempt?.step === 'looking') abandon(c, 'the turn is being interrupted');
  // What was to cut the turn off goes when it is over.
  const interrupt = turn.interrupt && { ...turn.interrupt, for: { halt: asSender(by) } };
  c.update({ turn: { ...turn, halt: { by, until: c.now + patience, held: null }, interrupt } });
  c.emit({ type: 'interrupt', step: 'asked', by });
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
  const { question, attempt, turn, process } = c.session;
  if (!turn?.halt) return;
  if (question) failHalt(c, `it asks: ${question.text}`);
  else if (!attempt && !turn.interrupt && process.state === 'running' && phaseOf(c.session) === 'working')
    beginInterrupt(c, { halt: asSender(turn.halt.by) });
}

export function haltDue(c: Change): void {
  const wanted = c.session.turn?.halt;
  if (!wanted || c.now < wanted.until) return;
  const phase = phaseOf(c.session);
  failHalt(
    c,
    wanted.held ??
      (phase === 'working' ? `its turn still runs after ${patience / 1_000} s` : `it is ${phase}`),
  );
}

function failHalt(c: Change, why: string): void {
  const { turn } = c.session;
  if (!turn) return;
  const { interrupt } = turn;
  const isOnlyLooking = interrupt && 'halt' in interrupt.for && interrupt.step === 'looking';
  c.update({ turn: { ...turn, halt: null, interrupt: isOnlyLooking ? null : interrupt } });
  c.emit({ type: 'interrupt', step: 'failed', why });
}
