// The watch: some things are told by nobody (a human's Escape, a dialog answered "no", a start that hangs).
// So while a session is not plainly idle, silence makes us look at its pane. Nothing stays `working` for ever.

import { compactionEnded } from '../context/compaction.ts';
import type { Draft } from '../core/change.ts';
import { interrupted, unknownEnd } from '../core/ending.ts';
import type { Fact, Look, Reading } from '../core/fact.ts';
import type { Evidence } from '../core/names.ts';
import { phaseOf, type Session } from '../core/session.ts';
import { leaveToHuman } from '../delivery/outcome.ts';
import { ready } from '../turns/contexts.ts';
import { standingIn } from '../turns/interrupt.ts';
import { answered, dialogSeen } from '../turns/questions.ts';
import { beginTurn, endTurn, giveBack } from '../turns/turns.ts';

/** How long an agent that names its conversation may take to do so. */
const namePatience = 10_000;
const silence = { starting: 1_000, working: 10_000, blocked: 3_000, compacting: 10_000, rotating: 10_000 };
/**
 * Two equal looks so far apart prove that the agent does nothing: soon, if the screen says so itself, and late, if it
 * only says nothing (a stream may pause). A wrong guess here does no harm: what is typed then waits inside the agent.
 */
const quietFor = { idle: 2_000, unclear: 60_000 };
/** An agent that has said all that it had to say is looked at sooner, and believed sooner: only its end is missing. */
const closing = 1_500;

/** Keeps the watch in step with the phase. */
export function armWatch(d: Draft): void {
  const interval = intervalOf(d.session);
  if (interval === null && d.session.watch) d.update({ watch: null });
  if (interval !== null && !d.session.watch) d.update({ watch: { lookAt: d.now + interval, quiet: null } });
}

/** A word from the agent: the silence starts anew, and a look that is under way shows what was before it. */
export function heard(d: Draft, fact: Fact, at: number): void {
  const lastActivityAt =
    'providerId' in fact ? Math.max(d.session.lastActivityAt, at) : d.session.lastActivityAt;
  // A sample says nothing about the phase.
  const look = fact.is === 'usage' ? d.session.look : null;
  d.update({ watch: null, look, lastActivityAt });
}

function intervalOf(session: Session): number | null {
  if (session.process.state !== 'running') return null;
  const phase = phaseOf(session);
  if (phase === 'working' && session.turn?.closing) return closing;
  return phase === 'idle' || phase === 'exited' || phase === 'lost' ? null : silence[phase];
}

export function watchDue(d: Draft): void {
  const { watch } = d.session;
  if (!watch || d.now < watch.lookAt) return;
  d.update({ watch: { ...watch, lookAt: d.now + (intervalOf(d.session) ?? silence.working) } });
  lookForPhase(d);
}

export function lookForPhase(d: Draft): void {
  if (!d.session.look) d.update({ look: d.owe({ do: 'look' }) });
}

/** The look that `lookForPhase` asked for. */
export function seenForPhase(d: Draft, seen: Look | null): void {
  d.update({ look: null });
  const reading = seen?.reading;
  if (!reading || d.session.process.state !== 'running' || reading.shows === 'unknown') return;
  if (reading.shows === 'dialog') {
    if (!d.session.question) dialogSeen(d, reading.text);
    return;
  }
  const evidence: Evidence = { source: 'screen', id: d.nextId('look'), at: d.now };
  answered(d, 'the dialog is gone');
  if (isNamed(d)) ready(d, evidence);
  const busy = phaseOf(d.session) === 'working' || d.session.compaction !== null;
  if (busy) believeQuiet(d, reading, seen.text, evidence);
  else if (reading.activity === 'working' && !d.session.attempt) beginTurn(d, null, null, evidence);
}

/** An agent that names its conversation draws its composer a little earlier; what is never named is used all the same. */
function isNamed(d: Draft): boolean {
  const { context, process } = d.session;
  return (
    context.providerId !== null || (process.state === 'running' && d.now - process.since >= namePatience)
  );
}

/**
 * A human's Escape before any answer puts the prompt back into his composer, and nobody tells. The prompt stands there
 * also in the moment in which the agent takes it, so this is believed only of a screen that stays as it is.
 */
function tookBack(d: Draft, draft: string, evidence: Evidence): boolean {
  const { turn, interrupt } = d.session;
  const back = standingIn(d, draft);
  if (!turn || interrupt?.step === 'pressed' || back.length === 0) return false;
  const rest = turn.messages.filter((id) => !back.some((message) => message.id === id));
  d.update({ turn: { ...turn, messages: rest } });
  endTurn(d, interrupted, evidence);
  leaveToHuman(d, back);
  return true;
}

function believeQuiet(
  d: Draft,
  reading: Extract<Reading, { shows: 'composer' }>,
  above: string,
  evidence: Evidence,
): void {
  const { activity, draft } = reading;
  const { watch, turn } = d.session;
  const screen = `${activity}\n${above}\n${draft}`;
  if (!watch) return;
  if (activity === 'working') d.update({ watch: { ...watch, quiet: null } });
  else if (watch.quiet?.screen !== screen) {
    const lookAt = d.now + (turn?.closing ? closing : quietFor[activity]);
    d.update({ watch: { lookAt, quiet: { screen, until: lookAt } } });
  } else if (d.now >= watch.quiet.until) {
    compactionEnded(d, 'the screen shows none');
    giveBack(d, 'the agent is idle and never took it up');
    if (!turn || tookBack(d, draft, evidence)) return;
    // A screen alone tells that the turn is over, but not how it came to that.
    endTurn(d, reading.interrupted ? interrupted : unknownEnd, turn.closing?.evidence ?? evidence);
  }
}
