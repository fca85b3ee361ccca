// The one function through which a session changes: what is, and what came in, give what will be and what is owed.
// Pure: no clock, no randomness, no input or output of its own.

import { compactionBegan, compactionDue, compactionEnded } from './context/compaction.ts';
import { documentChecked, handoff, pursueHandoff } from './context/handoff.ts';
import { setMonitor } from './context/monitor.ts';
import { sampled, usageReset } from './context/usage.ts';
import { forbidden } from './core/authority.ts';
import { type Decision, type Draft, draft, emptyState } from './core/change.ts';
import type { EffectResult } from './core/effect.ts';
import { ended, failed } from './core/ending.ts';
import type { Fact, FactInput } from './core/fact.ts';
import type { Input, Refusal, World } from './core/input.ts';
import type { Evidence } from './core/names.ts';
import type { State } from './core/session.ts';
import { alarmsDue } from './delivery/alarms.ts';
import { attemptDue, seenForAttempt, submitted } from './delivery/attempt.ts';
import { deliver, send, withdraw } from './delivery/queue.ts';
import { press } from './life/keys.ts';
import {
  adopt,
  create,
  exited,
  gone,
  kill,
  killed,
  launched,
  launchFailed,
  restore,
} from './life/lifecycle.ts';
import { rename, report, setTask, versionSaid } from './life/profile.ts';
import { forgetScreen, screenSeen, tellUnrecognised } from './life/recognition.ts';
import { armWatch, heard, seenForPhase, watchDue } from './life/silence.ts';
import { awaitLock, lock, lockDue, unlock } from './promises/locks.ts';
import { cancelOneShot, fireOneShots, setOneShot } from './promises/one-shots.ts';
import { endReminder, fireReminder, remind } from './promises/reminders.ts';
import { tellWatchers, watch } from './promises/waits.ts';
import { clear, clearDue, slash } from './turns/clear.ts';
import { agentStarted, contextEnded, ready, setAside, transcriptRead } from './turns/contexts.ts';
import { expectClear } from './turns/expected-clears.ts';
import { escaped, interruptDue, seenForInterrupt } from './turns/interrupt.ts';
import { promptAbsorbed, promptEnqueued, promptOfOldContext, promptSubmitted } from './turns/prompts.ts';
import { answer, answerHanded, permissionAsked, questionDue } from './turns/questions.ts';
import {
  activity,
  giveBackEnqueued,
  hasEnded,
  turnCloses,
  turnEnded,
  turnInterrupted,
  wrote,
} from './turns/turns.ts';

export type Outcome =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly refusal: Refusal };

export function decide(state: State | null, input: Input, now: number, world: World): Outcome {
  if (input.type === 'create') {
    if (state) return refuse({ code: 'conflict', message: `There is already a session ${input.id}.` });
    const created = create(input, now, world);
    if ('refusal' in created) return refuse(created.refusal);
    const d = draft(emptyState(created.session), now, world.settings);
    created.begin(d);
    return { ok: true, decision: d.done() };
  }
  if (!state) return refuse({ code: 'not-found', message: 'There is no such session.' });

  const d = draft(state, now, world.settings);
  const refusal = forbidden(d, input, world) ?? handle(d, input, world);
  if (refusal) return refuse(refusal);
  pursueHandoff(d);
  fireReminder(d);
  fireOneShots(d);
  deliver(d);
  armWatch(d);
  forgetScreen(d);
  tellWatchers(d);
  return { ok: true, decision: d.done() };
}

const refuse = (refusal: Refusal): Outcome => ({ ok: false, refusal });

function handle(d: Draft, input: Exclude<Input, { type: 'create' }>, world: World): Refusal | undefined {
  switch (input.type) {
    case 'kill':
      return kill(d, input.by);
    case 'restore':
      return restore(d, input, world);
    case 'rename':
      return rename(d, input.name, world);
    case 'report':
      return report(d, input.text);
    case 'set-task':
      return setTask(d, input.task);
    case 'send':
      return send(d, input);
    case 'clear':
      return clear(d, input);
    case 'slash':
      return slash(d, input);
    case 'press':
      return press(d, input);
    case 'withdraw':
      return withdraw(d, input.id, input.by);
    case 'answer':
      return answer(d, input);
    case 'watch':
      return watch(d, input);
    case 'remind':
      return remind(d, input);
    case 'stop-reminding':
      endReminder(d, 'somebody stopped it');
      return undefined;
    case 'remind-once':
      return setOneShot(d, input);
    case 'monitor-context':
      return setMonitor(d, input);
    case 'handoff':
      return handoff(d, input);
    case 'cancel-reminder':
      return cancelOneShot(d, input.id);
    case 'lock':
      return lock(d, input, world);
    case 'unlock':
      return unlock(d, input.by);
    case 'await-lock':
      return awaitLock(d, input);
    case 'expect-clear':
      return expectClear(d, input);
    case 'wrote':
      return wrote(d, input.to);
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
      interruptDue(d);
      clearDue(d);
      alarmsDue(d);
      questionDue(d);
      compactionDue(d);
      lockDue(d);
      watchDue(d);
      return undefined;
  }
}

function takeFact(d: Draft, input: FactInput): undefined {
  const { fact, at } = input;
  const wasOurs = isOurs(d, fact);
  // Only a start may name a conversation that we do not know: it is the one way to become ours.
  if (wasOurs || fact.is === 'agent-started') dispatch(d, fact, input);
  else if (fact.is === 'prompt-submitted' && fact.providerId === d.session.context.previous)
    promptOfOldContext(d, fact, evidenceOf(input));
  else setAside(d, fact);
  if (!wasOurs && !isOurs(d, fact)) return;
  heard(d, fact, at);
}

function isOurs(d: Draft, fact: Fact): boolean {
  return !('providerId' in fact) || fact.providerId === d.session.context.providerId;
}

const evidenceOf = ({ id, at, source }: FactInput): Evidence => ({
  source: source === 'pane' ? 'screen' : source,
  id,
  at,
});

function dispatch(d: Draft, fact: Fact, input: FactInput): void {
  const { at } = input;
  const evidence = evidenceOf(input);
  switch (fact.is) {
    case 'agent-started':
      agentStarted(d, fact, evidence);
      break;
    case 'context-ended':
      contextEnded(d, fact, evidence);
      break;
    case 'prompt-submitted':
      ready(d, evidence);
      promptSubmitted(d, fact, evidence);
      break;
    case 'prompt-enqueued':
      promptEnqueued(d, fact.text, evidence);
      break;
    case 'prompt-absorbed':
      promptAbsorbed(d, fact, evidence);
      break;
    case 'activity':
      ready(d, evidence);
      activity(d, fact, evidence);
      break;
    case 'said':
      activity(d, { ...fact, is: 'activity', subject: null }, evidence);
      if (!hasEnded(d, fact.turnId)) d.emit({ type: 'said', turn: fact.turnId, text: fact.text });
      break;
    case 'prompts-dropped':
      giveBackEnqueued(d, 'the agent dropped it with the turn');
      break;
    case 'turn-ended':
      turnEnded(d, fact.turnId, ended(fact.lastWords, fact.stillRuns), evidence);
      break;
    case 'turn-failed':
      turnEnded(d, fact.turnId, failed(fact.error), evidence);
      break;
    case 'turn-closing':
      turnCloses(d, fact, evidence);
      break;
    case 'turn-interrupted':
      turnInterrupted(d, fact.turnId, evidence);
      break;
    case 'permission-asked':
      ready(d, evidence);
      permissionAsked(d, fact, evidence);
      break;
    case 'compaction-began':
      compactionBegan(d, fact.trigger);
      break;
    case 'compaction-ended':
      compactionEnded(d, 'the agent said so');
      break;
    case 'usage-reset':
      usageReset(d);
      break;
    case 'usage':
      sampled(d, { at, ...fact.usage });
      if (fact.agentVersion !== undefined) versionSaid(d, fact.agentVersion);
      break;
    case 'process-exited':
      exited(d, fact);
      break;
    case 'process-gone':
      gone(d, fact.why);
      break;
  }
}

function takeResult(d: Draft, result: EffectResult, effectId: string): undefined {
  const { attempt, interrupt, look } = d.session;
  switch (result.of) {
    case 'launch':
      if (result.outcome === 'launched') launched(d, result);
      else launchFailed(d, result.why);
      return;
    case 'kill':
      killed(d, result.failed);
      return;
    case 'bury':
    case 'post':
      return;
    case 'answer':
      answerHanded(d, result.outcome, effectId);
      return;
    case 'look':
      screenSeen(d, result.look);
      // A look that nobody waits for any more shows what was before the last word from the agent.
      if (attempt?.effect === effectId) seenForAttempt(d, attempt, result.look);
      else if (interrupt?.effect === effectId) seenForInterrupt(d, interrupt, result.look);
      else if (look === effectId) seenForPhase(d, result.look);
      tellUnrecognised(d);
      return;
    case 'submit':
      submitted(d, result.outcome, effectId);
      return;
    case 'escape':
      escaped(d, result.outcome, effectId);
      return;
    case 'press':
      d.emit({ type: 'key-pressed', press: result.press, key: result.key, outcome: result.outcome });
      return;
    case 'check-document':
      documentChecked(d, result, effectId);
      return;
    case 'publish-document':
    case 'leave-copy-mode':
      return;
  }
}
