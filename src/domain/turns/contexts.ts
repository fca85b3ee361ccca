// Contexts: the conversations of a session. A new one is believed only when the old one said that it is over, or when it
// has something that only our agent can have: an agent that runs inside ours (it inherits our variables) announces
// conversations of its own.

import type { Change } from '../core/change.ts';
import type { Fact } from '../core/fact.ts';
import type { Evidence } from '../core/names.ts';
import type { Context, Transcript } from '../core/session.ts';
import { isUnderWay } from '../core/session.ts';
import { cleared } from './clear.ts';
import { clearedEnding, closeExpectedClear } from './expected-clears.ts';
import { questionOver } from './question.ts';
import { endCuts, endTurn } from './turns.ts';

export function agentStarted(
  c: Change,
  fact: Extract<Fact, { is: 'agent-started' }>,
  evidence: Evidence,
): void {
  const { context } = c.session;
  if (fact.providerId !== context.providerId && context.providerId !== null) {
    if (fact.source !== 'clear' && fact.source !== 'resume') {
      setAside(c, fact);
      return;
    }
    const successor = {
      providerId: fact.providerId,
      transcriptPath: fact.transcriptPath,
      source: fact.source,
      at: evidence.at,
    };
    if (context.ended || (fact.source === 'clear' && hasTypedClear(c))) {
      begin(c, successor, evidence);
      return;
    }
    c.update({ context: { ...context, successor } });
    c.emit({
      type: 'fact-set-aside',
      fact: fact.is,
      why: `conversation ${context.providerId} has not ended`,
    });
    return;
  }
  if (fact.source === 'clear') closeExpectedClear(c);
  if (fact.source === 'compact') c.announce({ is: 'no-compaction', why: 'the agent started a new context' });
  const transcript =
    fact.transcriptPath && fact.transcriptPath !== context.transcript?.path
      ? fromStart(fact.transcriptPath)
      : context.transcript;
  // Some agents name their conversation themselves: the first that is told after our launch is the one.
  const copied = context.beganBy === 'fork' && { copiedAt: context.copiedAt ?? evidence.at };
  c.update({ context: { ...context, providerId: fact.providerId, transcript, ended: false, ...copied } });
  ready(c, evidence);
}

/** Our own command has gone out: a conversation that begins with a clear is what it was typed for. */
function hasTypedClear({ session: { attempt } }: Change): boolean {
  return attempt?.types.is === 'clear' && attempt.step === 'typed';
}

/**
 * Neither the end of the old conversation nor the start of this one was told. What an open attempt has typed is known to
 * nobody but the agent in that pane, so that whoever takes exactly that is our agent, in a conversation of ours.
 */
export function beginByPrompt(
  c: Change,
  { providerId, text, transcriptPath }: Extract<Fact, { is: 'prompt-submitted' }>,
  evidence: Evidence,
): boolean {
  const { attempt, context } = c.session;
  if (attempt?.step !== 'typed' || attempt.types.is !== 'messages' || context.providerId === null)
    return false;
  const typed = (attempt.back?.draft ?? '') + attempt.text;
  if (text.trimEnd() !== typed.trimEnd()) return false;
  begin(c, { providerId, transcriptPath, source: 'clear', at: evidence.at }, evidence);
  return true;
}

/** A fact of a conversation that is not ours is only recorded. */
export function setAside(c: Change, fact: Fact): void {
  const other = 'providerId' in fact ? fact.providerId : 'none';
  c.emit({ type: 'fact-set-aside', fact: fact.is, why: `it belongs to another conversation (${other})` });
}

export function ready(c: Change, evidence: Evidence): void {
  const { process } = c.session;
  if (process.state === 'launching') c.update({ process: { ...process, announced: evidence } });
  if (process.state !== 'running' || process.ready) return;
  questionOver(c, 'the agent is ready');
  c.update({ process: { ...process, ready: true }, stranded: null });
  c.emit({ type: 'session', step: 'ready', providerId: c.session.context.providerId, evidence });
}

export function contextEnded(
  c: Change,
  fact: Extract<Fact, { is: 'context-ended' }>,
  evidence: Evidence,
): void {
  // When an agent ends, its process tells more: that it did, and how.
  if (fact.reason === 'clear') endTurn(c, clearedEnding(c), evidence);
  const { context } = c.session;
  c.update({ context: { ...context, ended: true } });
  c.emit({ type: 'context', step: 'ended', context: context.number, reason: fact.reason });
  // One that was announced before the end was said is of an agent inside ours.
  if (context.successor && context.successor.at >= evidence.at) begin(c, context.successor, evidence);
}

function begin(c: Change, successor: NonNullable<Context['successor']>, evidence: Evidence): void {
  endTurn(c, clearedEnding(c), evidence);
  c.announce({ is: 'context-ending' });
  const number = c.session.context.number + 1;
  const by = successor.source === 'resume' ? 'resume' : 'clear';
  // What the old context was asked for goes on in the first turn of one that was handed over.
  const isHandedOver = isUnderWay(c.session.handoff);
  // What the agent has enqueued outlives the context: it takes that up in the next one.
  endCuts(c, isHandedOver ? null : clearedEnding(c));
  questionOver(c, 'the context was cleared');
  c.announce({ is: 'context-ended' });
  c.update({
    context: {
      number,
      providerId: successor.providerId,
      previous: c.session.context.providerId,
      beganAt: c.now,
      beganBy: by,
      announcedAt: successor.at,
      copiedAt: null,
      ended: false,
      successor: null,
      transcript: successor.transcriptPath ? fromStart(successor.transcriptPath) : null,
      used: successor.source === 'resume',
    },
    earlyEnds: [],
  });
  c.announce({ is: 'context-began' });
  c.emit({ type: 'context', step: 'began', context: number, providerId: successor.providerId, by });
  if (by === 'clear') {
    closeExpectedClear(c);
    cleared(c);
  }
}

export function transcriptRead(c: Change, read: Transcript): undefined {
  const { context } = c.session;
  if (context.transcript?.path === read.path && read.offset > context.transcript.offset) {
    c.update({ context: { ...context, transcript: read } });
  }
}

export const fromStart = (path: string): Transcript => ({ path, offset: 0, turnId: null });
