// Contexts: the conversations of a session. A new one is believed only when the old one said that it is over,
// because an agent that runs inside ours (it inherits our variables) announces conversations of its own.

import { compactionEnded } from '../context/compaction.ts';
import { contextLost, isUnderWay } from '../context/handoff.ts';
import { keepLast } from '../context/monitor.ts';
import { usageReset } from '../context/usage.ts';
import type { Draft } from '../core/change.ts';
import type { Fact } from '../core/fact.ts';
import type { Evidence } from '../core/names.ts';
import type { Context, Transcript } from '../core/session.ts';
import { endReminder } from '../promises/reminders.ts';
import { cleared } from './clear.ts';
import { clearedEnding, closeExpectedClear } from './expected-clears.ts';
import { answered } from './questions.ts';
import { endTurn, giveBack } from './turns.ts';

export function agentStarted(
  d: Draft,
  fact: Extract<Fact, { is: 'agent-started' }>,
  evidence: Evidence,
): void {
  const { context } = d.session;
  if (fact.providerId !== context.providerId && context.providerId !== null) {
    if (fact.source !== 'clear' && fact.source !== 'resume') {
      setAside(d, fact);
      return;
    }
    const successor = {
      providerId: fact.providerId,
      transcriptPath: fact.transcriptPath,
      source: fact.source,
      at: evidence.at,
    };
    if (context.ended) {
      begin(d, successor, evidence);
      return;
    }
    d.update({ context: { ...context, successor } });
    d.emit({
      type: 'fact-set-aside',
      fact: fact.is,
      why: `the conversation ${context.providerId} has not ended`,
    });
    return;
  }
  if (fact.source === 'clear') closeExpectedClear(d);
  if (fact.source === 'compact') compactionEnded(d, 'the agent started afresh');
  const transcript =
    fact.transcriptPath && fact.transcriptPath !== context.transcript?.path
      ? fromStart(fact.transcriptPath)
      : context.transcript;
  // Some agents name their conversation themselves: the first that is told after our launch is the one.
  d.update({ context: { ...context, providerId: fact.providerId, transcript, ended: false } });
  ready(d, evidence);
}

/** A fact of a conversation that is not ours is only recorded. */
export function setAside(d: Draft, fact: Fact): void {
  const other = 'providerId' in fact ? fact.providerId : 'none';
  d.emit({ type: 'fact-set-aside', fact: fact.is, why: `it is of another conversation (${other})` });
}

export function ready(d: Draft, evidence: Evidence): void {
  const { process } = d.session;
  if (process.state === 'launching') d.update({ process: { ...process, announced: evidence } });
  if (process.state !== 'running' || process.ready) return;
  answered(d, 'the agent is ready');
  d.update({ process: { ...process, ready: true } });
  d.emit({ type: 'session-ready', providerId: d.session.context.providerId, evidence });
}

export function contextEnded(
  d: Draft,
  fact: Extract<Fact, { is: 'context-ended' }>,
  evidence: Evidence,
): void {
  // Of an agent that ends, its process tells more: how it ended, and that it did.
  if (fact.reason === 'clear') endTurn(d, clearedEnding(d), evidence);
  const { context } = d.session;
  d.update({ context: { ...context, ended: true } });
  d.emit({ type: 'context-ended', context: context.number, reason: fact.reason });
  // One that was announced before the end was said is of an agent inside ours.
  if (context.successor && context.successor.at >= evidence.at) begin(d, context.successor, evidence);
}

function begin(d: Draft, successor: NonNullable<Context['successor']>, evidence: Evidence): void {
  endTurn(d, clearedEnding(d), evidence);
  keepLast(d);
  const number = d.session.context.number + 1;
  const by = successor.source === 'resume' ? 'resume' : 'clear';
  contextLost(d);
  // What the old context was asked for goes on in the first turn of one that was handed over.
  const isHandedOver = isUnderWay(d.session.handoff);
  giveBack(d, 'the context was cleared', isHandedOver ? null : clearedEnding(d));
  compactionEnded(d, 'the context was cleared');
  answered(d, 'the context was cleared');
  if (!isHandedOver) endReminder(d, 'the context was cleared');
  d.update({
    context: {
      number,
      providerId: successor.providerId,
      previous: d.session.context.providerId,
      beganAt: d.now,
      beganBy: by,
      ended: false,
      successor: null,
      transcript: successor.transcriptPath ? fromStart(successor.transcriptPath) : null,
      used: successor.source === 'resume',
    },
    earlyEnds: [],
  });
  usageReset(d);
  d.emit({ type: 'context-began', context: number, providerId: successor.providerId, by });
  if (by === 'clear') {
    closeExpectedClear(d);
    cleared(d);
  }
}

export function transcriptRead(d: Draft, read: Transcript): undefined {
  const { context } = d.session;
  if (context.transcript?.path === read.path && read.offset > context.transcript.offset) {
    d.update({ context: { ...context, transcript: read } });
  }
}

export const fromStart = (path: string): Transcript => ({ path, offset: 0, turnId: null });
