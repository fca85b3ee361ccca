// The one function through which a session changes: what is, and what came in, give what will be and what is owed.
// Pure: no clock, no randomness, no input or output of its own.

import { compactionBegan, compactionDue, compactionEnded } from './context/compaction.ts';
import { documentChecked, handoff, pursueHandoff } from './context/handoff.ts';
import { setMonitor } from './context/monitor.ts';
import { sampled, usageReset } from './context/usage.ts';
import { assertNever } from './core/assert-never.ts';
import { forbidden } from './core/authority.ts';
import { beginChange, type Change, type Decision, emptyState } from './core/change.ts';
import type { EffectResult } from './core/effect.ts';
import type { Fact, FactInput } from './core/fact.ts';
import type { Input, Others, Refusal } from './core/input.ts';
import type { Evidence } from './core/names.ts';
import { effectOf } from './core/parts.ts';
import { conflict } from './core/refusal.ts';
import type { State } from './core/session.ts';
import { alarmsDue } from './delivery/alarms.ts';
import { attemptDue, seenForAttempt, submitted } from './delivery/attempt.ts';
import { addComment, dropComment, sendComments } from './delivery/comments.ts';
import { send, withdraw } from './delivery/queue.ts';
import { checkoutSeen, modelSaid, report, setTask, versionSaid } from './life/about.ts';
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
import { rename } from './life/naming.ts';
import { forgetScreen, screenSeen, tellUnrecognised } from './life/recognition.ts';
import { armSilence, heard, seenForPhase, silenceDue } from './life/silence.ts';
import { tag } from './life/tags.ts';
import { seenForTakeover, stayed, takeOver } from './life/takeover.ts';
import {
  finishWorktree,
  removeWorktree,
  restoreWorktree,
  worktreeFinished,
  worktreeProgress,
  worktreeRemoved,
  worktreeRestored,
} from './life/worktrees.ts';
import { familyTold, pursueBudgets, setBudget } from './limits/budget.ts';
import { limitsTold } from './limits/limits.ts';
import { costTold, spent } from './limits/spending.ts';
import { limitTold, pursueStandstill } from './limits/standstill.ts';
import { awaitLock, lock, lockDue, unlock } from './promises/locks.ts';
import { cancelOneShot, fireOneShots, setOneShot } from './promises/one-shots.ts';
import { endReminder, fireReminder, remind } from './promises/reminders.ts';
import { tellWatchers, watch } from './promises/waits.ts';
import { react } from './reactions.ts';
import { clear, clearDue } from './turns/clear.ts';
import { dropWaiting, pursueCommands, slash } from './turns/commands.ts';
import {
  agentStarted,
  beginByPrompt,
  contextEnded,
  ready,
  setAside,
  transcriptRead,
} from './turns/contexts.ts';
import { deliver } from './turns/deliver.ts';
import { turnCloses, turnEnded } from './turns/ends.ts';
import { expectClear } from './turns/expected-clears.ts';
import { halt, haltDue } from './turns/halt.ts';
import { escaped, interruptDue, seenForInterrupt } from './turns/interrupt.ts';
import {
  isOfOldContext,
  promptAbsorbed,
  promptEnqueued,
  promptOfOldContext,
  promptSubmitted,
} from './turns/prompts.ts';
import { answer, answerHanded, permissionAsked, questionDue } from './turns/questions.ts';
import { callStopped } from './turns/rulings.ts';
import { activity, giveBackEnqueued, hasEnded, wrote } from './turns/turns.ts';

export type Outcome =
  | { readonly ok: true; readonly decision: Decision }
  | { readonly ok: false; readonly refusal: Refusal };

export function decide(state: State | null, input: Input, now: number, others: Others): Outcome {
  if (input.type === 'create') {
    if (state)
      return refuse(conflict(`A session ${input.id} already exists.`, { is: 'id-taken', id: input.id }));
    const created = create(input, now, others);
    if ('refusal' in created) return refuse(created.refusal);
    const c = beginChange(emptyState(created.session), now, others.settings, react);
    created.begin(c);
    pursueBudgets(c, others);
    return { ok: true, decision: c.done() };
  }
  if (!state) return refuse({ code: 'not-found', message: 'No such session.', data: { is: 'session-gone' } });

  const c = beginChange(state, now, others.settings, react);
  const refusal = forbidden(c, input, others) ?? handle(c, input, others);
  if (refusal) return refuse(refusal);
  pursueBudgets(c, others);
  pursueHandoff(c);
  pursueStandstill(c);
  fireReminder(c);
  fireOneShots(c);
  pursueCommands(c);
  deliver(c);
  // What was carried over from a turn that we cut may just have been let go.
  pursueCommands(c);
  armSilence(c);
  forgetScreen(c);
  tellWatchers(c);
  return { ok: true, decision: c.done() };
}

const refuse = (refusal: Refusal): Outcome => ({ ok: false, refusal });

function handle(c: Change, input: Exclude<Input, { type: 'create' }>, others: Others): Refusal | undefined {
  switch (input.type) {
    case 'kill':
      return kill(c, input.by);
    case 'restore':
      return restore(c, input, others);
    case 'take-over':
      return takeOver(c, input);
    case 'rename':
      return rename(c, input.name, others);
    case 'report':
      return report(c, input.text);
    case 'set-budget':
      return setBudget(c, input);
    case 'passed-on':
      return familyTold(c, input.news);
    case 'set-task':
      return setTask(c, input.task);
    case 'tag':
      return tag(c, input);
    case 'send':
      return send(c, input);
    case 'comment':
      return addComment(c, input);
    case 'drop-comment':
      return dropComment(c, input);
    case 'send-comments':
      return sendComments(c, input);
    case 'clear': {
      const refusal = clear(c, input);
      if (!refusal) dropWaiting(c, 'the session is being cleared');
      return refusal;
    }
    case 'interrupt':
      return halt(c, input);
    case 'slash':
      return slash(c, input);
    case 'press':
      return press(c, input);
    case 'withdraw':
      return withdraw(c, input.id, input.by);
    case 'answer':
      return answer(c, input);
    case 'watch':
      return watch(c, input);
    case 'remind':
      return remind(c, input);
    case 'stop-reminding':
      endReminder(c, 'stopped by command');
      return undefined;
    case 'remind-once':
      return setOneShot(c, input);
    case 'monitor-context':
      return setMonitor(c, input);
    case 'handoff':
      return handoff(c, input);
    case 'cancel-reminder':
      return cancelOneShot(c, input.id);
    case 'lock':
      return lock(c, input, others);
    case 'unlock':
      return unlock(c, input.by);
    case 'await-lock':
      return awaitLock(c, input);
    case 'expect-clear':
      return expectClear(c, input);
    case 'wrote':
      return wrote(c, input.to);
    case 'fact':
      return takeFact(c, input);
    case 'result':
      c.settle(input.effectId);
      return takeResult(c, input.result, input.effectId);
    case 'transcript-read':
      return transcriptRead(c, input.transcript);
    case 'adopted':
      return adopt(c);
    case 'remove-worktree':
      return removeWorktree(c, input);
    case 'restore-worktree':
      return restoreWorktree(c);
    case 'finish-worktree':
      return finishWorktree(c, input.order);
    case 'checkout-seen':
      return checkoutSeen(c, input.checkout);
    case 'worktree-progress':
      return worktreeProgress(c, input.progress);
    case 'due':
      attemptDue(c);
      interruptDue(c);
      clearDue(c);
      haltDue(c);
      alarmsDue(c);
      questionDue(c);
      compactionDue(c);
      lockDue(c);
      silenceDue(c);
      return undefined;
    default:
      return assertNever(input);
  }
}

function takeFact(c: Change, input: FactInput): undefined {
  const { fact, at } = input;
  const wasOurs = isOurs(c, fact);
  // A conversation that we do not know becomes ours by its start, or by taking what we have just typed.
  if (wasOurs || fact.is === 'agent-started') dispatch(c, fact, input);
  else if (fact.is === 'prompt-submitted' && isOfOldContext(c.session.context, fact.providerId, at))
    promptOfOldContext(c, fact, evidenceOf(input));
  else if (fact.is === 'prompt-submitted' && beginByPrompt(c, fact, evidenceOf(input)))
    dispatch(c, fact, input);
  else setAside(c, fact);
  if (!wasOurs && !isOurs(c, fact)) return;
  heard(c, fact, at);
}

function isOurs(c: Change, fact: Fact): boolean {
  return !('providerId' in fact) || fact.providerId === c.session.context.providerId;
}

const evidenceOf = ({ id, at, source }: FactInput): Evidence => ({
  source: source === 'pane' ? 'screen' : source,
  id,
  at,
});

function dispatch(c: Change, fact: Fact, input: FactInput): void {
  const { at } = input;
  const evidence = evidenceOf(input);
  switch (fact.is) {
    case 'agent-started':
      agentStarted(c, fact, evidence);
      if (isOurs(c, fact)) modelSaid(c, fact.model, true);
      break;
    case 'context-ended':
      contextEnded(c, fact, evidence);
      break;
    case 'prompt-submitted':
      ready(c, evidence);
      promptSubmitted(c, fact, evidence);
      break;
    case 'prompt-enqueued':
      promptEnqueued(c, fact.text, evidence);
      break;
    case 'prompt-absorbed':
      promptAbsorbed(c, fact, evidence);
      break;
    case 'activity':
      ready(c, evidence);
      activity(c, fact, evidence);
      break;
    case 'said':
      activity(c, { ...fact, is: 'activity', subject: null }, evidence);
      if (!hasEnded(c, fact.turnId)) c.emit({ type: 'said', turn: fact.turnId, text: fact.text });
      break;
    case 'prompts-dropped':
      giveBackEnqueued(c, 'the agent dropped it with the turn');
      break;
    case 'turn-ended':
      turnEnded(c, fact, evidence);
      limitTold(c, fact);
      break;
    case 'turn-closing':
      turnCloses(c, fact, evidence);
      break;
    case 'permission-asked':
      ready(c, evidence);
      permissionAsked(c, fact, evidence);
      break;
    case 'call-stopped':
      callStopped(c, fact);
      break;
    case 'compaction-began':
      compactionBegan(c, fact.trigger, evidence);
      break;
    case 'compaction-ended':
      compactionEnded(c, 'the agent said so');
      break;
    case 'usage-reset':
      usageReset(c);
      break;
    case 'usage':
      sampled(c, { at, ...fact.usage });
      modelSaid(c, fact.usage.model);
      if (fact.agentVersion !== undefined) versionSaid(c, fact.agentVersion);
      if (fact.usage.costUsd !== null) costTold(c, fact.usage.costUsd, at);
      break;
    case 'limits':
      limitsTold(c, fact.windows, at);
      break;
    case 'spent':
      spent(c, fact);
      break;
    case 'process-exited':
      exited(c, fact);
      break;
    case 'process-gone':
      gone(c, fact);
      break;
    default:
      assertNever(fact);
  }
}

function takeResult(c: Change, result: EffectResult, effectId: string): undefined {
  const { attempt, turn, takeover, look } = c.session;
  switch (result.of) {
    case 'launch':
      if (result.outcome === 'launched') launched(c, result);
      else if (!result.stays || !stayed(c, result)) launchFailed(c, result.why);
      return;
    case 'kill':
      killed(c, result);
      return;
    case 'bury':
    case 'post':
    case 'pass-on':
      return;
    case 'answer':
      answerHanded(c, result.outcome, effectId);
      return;
    case 'look':
      screenSeen(c, result.look);
      // A look that nobody waits for any more shows what was before the last word from the agent.
      if (attempt && effectOf(attempt) === effectId) seenForAttempt(c, attempt, result.look);
      else if (turn?.interrupt && effectOf(turn.interrupt) === effectId)
        seenForInterrupt(c, turn.interrupt, result.look);
      else if (takeover?.effect === effectId) seenForTakeover(c, result.look);
      else if (look === effectId) seenForPhase(c, result.look);
      tellUnrecognised(c);
      return;
    case 'submit':
      submitted(c, result.outcome, effectId);
      return;
    case 'escape':
      escaped(c, result.outcome, effectId);
      return;
    case 'press':
      c.emit({ type: 'key-pressed', press: result.press, key: result.key, outcome: result.outcome });
      return;
    case 'check-document':
      documentChecked(c, result, effectId);
      return;
    case 'remove-worktree':
      worktreeRemoved(c, result);
      return;
    case 'restore-worktree':
      worktreeRestored(c, result);
      return;
    case 'finish-worktree':
      worktreeFinished(c, result);
      return;
    case 'publish-document':
    case 'leave-copy-mode':
      return;
    default:
      assertNever(result);
  }
}
