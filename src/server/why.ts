// Why a session is in the phase that it is in: the event that brought it there, with its proof, and what is in doubt.

import type { EventBody, EventName } from '../domain/core/event.ts';
import { isStandingStill } from '../domain/core/limits.ts';
import type { Evidence } from '../domain/core/names.ts';
import { displayName, type Phase, phaseOf, type State } from '../domain/core/session.ts';
import { unrecognisedSince } from '../domain/life/recognition.ts';
import type { WhyView } from '../protocol/why.ts';
import type { Service } from './service.ts';
import { eventView } from './view.ts';

/** What can bring a session into a phase: the last of these did. */
const brings: Readonly<Record<Phase, readonly EventName[]>> = {
  starting: ['session created', 'session restored', 'session launched'],
  idle: [
    'session ready',
    'turn ended',
    'clear done',
    'compaction ended',
    'question closed',
    'handoff failed',
  ],
  working: ['turn began', 'message accepted', 'compaction ended', 'question closed'],
  blocked: ['question asked', 'limit reached', 'budget held'],
  compacting: ['compaction began'],
  rotating: ['turn ended', 'handoff scheduled', 'handoff clearing', 'handoff cleared'],
  exited: ['session exited'],
  lost: ['session lost'],
};

export async function whyOf({ store }: Service, state: State): Promise<WhyView> {
  const { session } = state;
  const phase = phaseOf(session);
  // A message that a running turn took up says nothing of the phase.
  const names = session.turn ? brings[phase].filter((name) => name !== 'message accepted') : brings[phase];
  const event = await store.lastEvent(session.id, names);
  const unrecognised = unrecognisedSince(session);
  return {
    session_id: session.id,
    name: displayName(session),
    phase,
    since: event && iso(event.at),
    evidence: event && evidenceIn(event.body),
    event: event && eventView(event),
    heard_at: iso(session.lastActivityAt),
    notes: notesOn(state),
    screen_unrecognised_since: unrecognised === null ? null : iso(unrecognised),
  };
}

function evidenceIn(body: EventBody): WhyView['evidence'] {
  const evidence = 'evidence' in body ? (body.evidence as Evidence | undefined) : undefined;
  return evidence ? { ...evidence, at: iso(evidence.at) } : null;
}

/** What is under way, or not known for certain. */
function notesOn({ session }: State): string[] {
  const { turn, attempt, question, silence, process, clear, standstill } = session;
  return [
    process.state === 'ending' && 'it is being killed',
    turn?.closing && 'it has said its last words; the end of its turn is not told yet',
    question?.hook?.answer &&
      `its question was answered (${question.hook.answer.decision}); it has not gone on yet`,
    clear && 'a clear was asked for',
    turn?.halt &&
      `an interrupt was asked for${turn.halt.held === null ? '' : `, and waits: ${turn.halt.held}`}`,
    turn?.interrupt?.step === 'pressed' && 'Escape was pressed; no proof yet that the turn is over',
    attempt?.step === 'typed' && 'something was typed; no proof yet that the agent has it',
    silence?.quiet && 'its screen has not changed since the last look: its turn may be over',
    isStandingStill(session) && standstill && limitNote(standstill.until),
    session.budgets.hold && 'nothing is typed into it until the budget is raised or removed',
    standstill?.resume && 'its usage limit has reset; sm tells it to continue',
  ].filter((note) => typeof note === 'string');
}

function limitNote(until: number | null): string {
  const when = until === null ? 'it is not known when its limit resets' : `its limit resets at ${iso(until)}`;
  return `${when}; messages wait, but an urgent one of yours goes at once`;
}

const iso = (time: number): string => new Date(time).toISOString();
