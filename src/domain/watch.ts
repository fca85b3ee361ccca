// The watch: some things are told by nobody (a human's Escape, a dialog answered "no", a start that hangs).
// So while a session is not plainly idle, silence makes us look at its pane. Nothing stays `working` for ever.

import { ready } from './contexts.ts';
import type { Draft } from './draft.ts';
import type { Look } from './fact.ts';
import type { Input } from './input.ts';
import type { Evidence } from './message.ts';
import { answered, ask } from './questions.ts';
import { phaseOf, type Session } from './session.ts';
import { beginTurn, endTurn } from './turns.ts';

const silence = { starting: 1_000, working: 10_000, blocked: 3_000, compacting: 10_000 };
/**
 * Two equal looks so far apart prove that the agent does nothing: soon, if the screen says so itself, and late, if it
 * only says nothing (a stream may pause). A wrong guess here does no harm: what is typed then waits inside the agent.
 */
const quietFor = { idle: 2_000, unclear: 60_000 };

export function watchDue(d: Draft): void {
  const { watch } = d.session;
  if (!watch || d.now < watch.lookAt) return;
  d.owe({ do: 'look' });
  d.update({ watch: { ...watch, lookAt: d.now + (intervalOf(d.session) ?? silence.working) } });
}

/** Any word from the agent starts the silence anew. */
export function rearmWatch(d: Draft, input: Input): void {
  const interval = intervalOf(d.session);
  if (interval === null) {
    if (d.session.watch) d.update({ watch: null });
  } else if (!d.session.watch || input.type === 'fact') {
    d.update({ watch: { lookAt: d.now + interval, quiet: null } });
  }
}

function intervalOf(session: Session): number | null {
  if (session.process.state !== 'running') return null;
  const phase = phaseOf(session);
  return phase === 'starting' || phase === 'working' || phase === 'blocked' || phase === 'compacting'
    ? silence[phase]
    : null;
}

export function seenOnWatch(d: Draft, seen: Look): void {
  const { reading } = seen;
  const evidence: Evidence = { source: 'screen', id: d.nextId('look'), at: d.now };
  if (d.session.process.state !== 'running' || reading.shows === 'unknown') return;
  if (reading.shows === 'dialog') {
    if (!d.session.question) ask(d, { kind: 'dialog', since: d.now, text: reading.text, subject: null });
    return;
  }
  answered(d, 'the dialog is gone');
  ready(d, evidence);
  if (d.session.compaction) return;
  if (!d.session.turn) {
    if (reading.activity === 'working' && !d.session.attempt) beginTurn(d, null, [], evidence);
    return;
  }
  if (reading.activity === 'working') return;
  const { watch } = d.session;
  if (watch?.quiet?.screen !== seen.text) {
    const lookAt = d.now + quietFor[reading.activity];
    d.update({ watch: { lookAt, quiet: { screen: seen.text, until: lookAt } } });
  } else if (d.now >= watch.quiet.until) {
    endTurn(d, { end: 'interrupted', lastWords: null }, evidence);
  }
}
