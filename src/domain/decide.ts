// The one function through which a session changes: what is, and what came in, give what will be and what is owed.
// Pure: no clock, no randomness, no input or output of its own.

import { compactionBegan, compactionDue, compactionEnded } from './compaction.ts';
import { agentStarted, contextEnded, transcriptRead } from './contexts.ts';
import { attemptDue, deliver, seenForAttempt, send, submitted } from './delivery.ts';
import { type Decision, type Draft, draft, emptyState } from './draft.ts';
import type { EffectResult } from './effect.ts';
import type { Fact, FactInput } from './fact.ts';
import type { Input, Refusal, World } from './input.ts';
import {
  adopt,
  create,
  exited,
  gone,
  kill,
  killed,
  launched,
  launchFailed,
  rename,
  restore,
  setTask,
} from './lifecycle.ts';
import type { Evidence } from './message.ts';
import { permissionAsked } from './questions.ts';
import { isAlive, type State } from './session.ts';
import { activity, promptSubmitted, turnEnded, turnInterrupted } from './turns.ts';
import { rearmWatch, seenOnWatch, watchDue } from './watch.ts';

export type Outcome =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly refusal: Refusal };

export function decide(state: State | null, input: Input, now: number, world: World): Outcome {
  if (input.type === 'create') {
    if (state) return refuse({ code: 'conflict', message: `There is already a session ${input.id}.` });
    const created = create(input, now, world);
    if ('refusal' in created) return refuse(created.refusal);
    const d = draft(emptyState(created.session), now);
    created.begin(d);
    return { ok: true, decision: d.done() };
  }
  if (!state) return refuse({ code: 'not-found', message: 'There is no such session.' });

  const d = draft(state, now);
  const refusal = handle(d, input, world);
  if (refusal) return refuse(refusal);
  if (isAlive(d.session)) deliver(d);
  rearmWatch(d, input);
  return { ok: true, decision: d.done() };
}

const refuse = (refusal: Refusal): Outcome => ({ ok: false, refusal });

function handle(d: Draft, input: Exclude<Input, { type: 'create' }>, world: World): Refusal | undefined {
  switch (input.type) {
    case 'kill':
      return kill(d, input.by);
    case 'restore':
      return restore(d, input);
    case 'rename':
      return rename(d, input.name, world);
    case 'set-task':
      return setTask(d, input.task);
    case 'send':
      return send(d, input);
    case 'fact':
      return takeFact(d, input);
    case 'result':
      d.settle(input.effectId);
      return takeResult(d, input.result, input.effectId);
    case 'transcript-read':
      return transcriptRead(d, input.transcript);
    case 'adopted':
      return adopt(d);
    case 'due':
      attemptDue(d);
      compactionDue(d);
      watchDue(d);
      return undefined;
  }
}

function takeFact(d: Draft, input: FactInput): undefined {
  const { fact } = input;
  if ('providerId' in fact && isForeign(d, fact)) {
    d.emit({
      type: 'fact-set-aside',
      fact: fact.is,
      why: `it is of another conversation (${fact.providerId})`,
    });
    return undefined;
  }
  if ('providerId' in fact) d.update({ lastActivityAt: Math.max(d.session.lastActivityAt, input.at) });
  dispatch(d, fact, input);
  return undefined;
}

/** Only a start may name a conversation that we do not know: it is the one way to become ours. */
function isForeign(d: Draft, fact: Extract<Fact, { providerId: string }>): boolean {
  return fact.is !== 'agent-started' && fact.providerId !== d.session.context.providerId;
}

function dispatch(d: Draft, fact: Fact, input: FactInput): void {
  const evidence: Evidence = {
    source: input.source === 'pane' ? 'screen' : input.source,
    id: input.id,
    at: input.at,
  };
  switch (fact.is) {
    case 'agent-started':
      return agentStarted(d, fact, evidence);
    case 'context-ended':
      return contextEnded(d, fact, evidence);
    case 'prompt-submitted':
      return promptSubmitted(d, fact, evidence);
    case 'activity':
      return activity(d, fact, evidence);
    case 'turn-ended':
      return turnEnded(d, { turnId: fact.turnId, end: 'ended', lastWords: fact.lastWords }, evidence);
    case 'turn-failed':
      return turnEnded(d, { turnId: fact.turnId, end: 'failed', lastWords: fact.error }, evidence);
    case 'turn-interrupted':
      return turnInterrupted(d, fact.turnId, evidence);
    case 'permission-asked':
      return permissionAsked(d, fact, evidence);
    case 'compaction-began':
      return compactionBegan(d, fact.trigger);
    case 'compaction-ended':
      return compactionEnded(d, 'the agent said so');
    case 'usage':
      if (!d.session.usage || d.session.usage.at <= input.at)
        d.update({ usage: { at: input.at, ...fact.usage } });
      return;
    case 'process-exited':
      return exited(d, fact);
    case 'process-gone':
      return gone(d, fact.why);
  }
}

function takeResult(d: Draft, result: EffectResult, effectId: string): undefined {
  switch (result.of) {
    case 'launch':
      if (result.outcome === 'launched') launched(d, result);
      else launchFailed(d, result.why);
      return;
    case 'kill':
      killed(d);
      return;
    case 'bury':
      return;
    case 'look':
      if (d.session.attempt?.effect === effectId) seenForAttempt(d, result.look);
      else if (result.look) seenOnWatch(d, result.look);
      return;
    case 'submit':
      submitted(d, result.outcome, effectId);
      return;
  }
}
