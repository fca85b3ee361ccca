// Silence: some things are told by nobody (a human's Escape, a dialog answered "no", a start that hangs).
// So while a session is not plainly idle, silence makes us look at its pane. Nothing stays `working` for ever.

import type { Change } from '../core/change.ts';
import { interrupted, unknownEnd } from '../core/ending.ts';
import type { Fact, Look } from '../core/fact.ts';
import type { Evidence } from '../core/names.ts';
import { phaseOf, type Session } from '../core/session.ts';
import { type Composer, drawnIn, foundBy, type Open } from '../delivery/verdict.ts';
import { ready } from '../turns/contexts.ts';
import { standingIn, tookBack } from '../turns/interrupt.ts';
import { dialogSeen, questionOver } from '../turns/question.ts';
import { beginTurn, endTurn, giveBack } from '../turns/turns.ts';

/** How long an agent that names its conversation may take to do so. */
const namePatience = 10_000;
const patience = {
  starting: 1_000,
  working: 10_000,
  blocked: 3_000,
  limit: 60_000,
  compacting: 10_000,
  rotating: 10_000,
};
/**
 * Two equal looks so far apart prove that the agent does nothing: soon, if the screen says so itself, and late, if it
 * only says nothing (a stream may pause). A wrong guess here does no harm: what is typed then waits inside the agent.
 */
const quietFor = { idle: 2_000, unclear: 60_000 };
/** An agent that has said all that it had to say is looked at sooner, and believed sooner: only its end is missing. */
const closing = 1_500;

/** Keeps the time of the next look in step with the phase. */
export function armSilence(c: Change): void {
  const interval = intervalOf(c.session);
  if (interval === null && c.session.silence) c.update({ silence: null });
  if (interval !== null && !c.session.silence)
    c.update({ silence: { lookAt: c.now + interval, quiet: null } });
}

/** A word from the agent: the silence starts again, and a look that is under way shows what was before it. */
export function heard(c: Change, fact: Fact, at: number): void {
  const lastActivityAt =
    'providerId' in fact ? Math.max(c.session.lastActivityAt, at) : c.session.lastActivityAt;
  // A sample says nothing about the phase.
  const look = saysNothing.has(fact.is) ? c.session.look : null;
  c.update({ silence: null, look, lastActivityAt });
}

/** They say nothing about the phase. */
const saysNothing: ReadonlySet<Fact['is']> = new Set(['usage', 'spent', 'limits']);

function intervalOf(session: Session): number | null {
  if (session.process.state !== 'running') return null;
  const phase = phaseOf(session);
  if (phase === 'working' && session.turn?.closing) return closing;
  if (phase === 'blocked' && !session.question) return patience.limit;
  return phase === 'idle' || phase === 'exited' || phase === 'lost' ? null : patience[phase];
}

export function silenceDue(c: Change): void {
  const { silence } = c.session;
  if (!silence || c.now < silence.lookAt) return;
  c.update({ silence: { ...silence, lookAt: c.now + (intervalOf(c.session) ?? patience.working) } });
  lookForPhase(c);
}

export function lookForPhase(c: Change): void {
  if (!c.session.look) c.update({ look: c.owe({ do: 'look' }) });
}

export function seenForPhase(c: Change, seen: Look | null): void {
  c.update({ look: null });
  const found = seen && foundBy(seen);
  if (!found || c.session.process.state !== 'running' || found.is === 'unknown') return;
  if (found.is === 'dialog') {
    if (!c.session.question) dialogSeen(c, found.text);
    return;
  }
  const evidence: Evidence = { source: 'screen', id: c.nextId('look'), at: c.now };
  questionOver(c, 'the dialog closed');
  if (isNamed(c)) ready(c, evidence);
  const busy = phaseOf(c.session) === 'working' || c.session.compaction !== null;
  if (busy) believeQuiet(c, found, drawnIn(seen) ?? '', evidence);
  else if (found.activity === 'working' && !c.session.attempt) beginTurn(c, null, null, evidence);
}

/** An agent that names its conversation draws its composer a little earlier; what is never named is used all the same. */
function isNamed(c: Change): boolean {
  const { context, process } = c.session;
  return (
    context.providerId !== null || (process.state === 'running' && c.now - process.since >= namePatience)
  );
}

/**
 * A human's Escape before any answer puts the prompt back into his composer, and nobody tells. The prompt stands there
 * also in the moment in which the agent takes it, so this is believed only of a screen that stays as it is.
 */
function isBack(c: Change, composer: Composer | null, evidence: Evidence): boolean {
  const { interrupt = null } = c.session.turn ?? {};
  const back = standingIn(c, composer);
  if ((interrupt && interrupt.step !== 'looking') || back.length === 0) return false;
  tookBack(c, back, evidence);
  return true;
}

function believeQuiet(c: Change, { activity, composer }: Open, above: string, evidence: Evidence): void {
  const { silence, turn } = c.session;
  const screen = `${activity}\n${above}\n${composer?.draft ?? ''}`;
  if (!silence) return;
  if (activity === 'working') c.update({ silence: { ...silence, quiet: null } });
  else if (silence.quiet?.screen !== screen) {
    const lookAt = c.now + (turn?.closing ? closing : quietFor[activity]);
    c.update({ silence: { lookAt, quiet: { screen, until: lookAt } } });
  } else if (c.now >= silence.quiet.until) {
    c.announce({ is: 'no-compaction', why: 'the screen shows none' });
    giveBack(c, 'the agent is idle and did not take it');
    if (!turn || isBack(c, composer, evidence)) return;
    // A screen alone tells that the turn is over, but not how it came to that.
    endTurn(c, composer?.interrupted ? interrupted : unknownEnd, turn.closing?.evidence ?? evidence);
  }
}
