// A handoff: an agent rotates its own context. It writes a document, asks for the handoff, and ends its turn; then the
// context is cleared, and the first prompt of the new one names the document. Each step is stored before the next, so
// an agent that was cleared gets its prompt whatever dies in between.

import type { Draft } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import { type Ending, isGone, unknownEnd } from '../core/ending.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { MessageId } from '../core/names.ts';
import type { Handoff } from '../core/parts.ts';
import { phaseOf, type Session } from '../core/session.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { tellHandoffFailed, tellHandoffLoop } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';
import { restartWindow } from '../promises/reminders.ts';
import { releaseCarried } from '../turns/turns.ts';
import { restartCycle } from './monitor.ts';

const backgroundPatience = 60_000;
/** Reading the document and asking for a handoff takes so many steps: whoever has taken no more has not worked. */
const stepsOfNoWork = 4;
/** More of them need not be counted. */
export const enoughSteps = stepsOfNoWork;
const maxIdle = 2;
const longestPath = 4_096;

export function handoff(d: Draft, input: Extract<Input, { type: 'handoff' }>): Refusal | undefined {
  const { path, auto } = input;
  const { session } = d;
  const bad = cannotRotate(d) ?? badPath(path);
  if (bad) return bad;
  if (auto) {
    d.update({ autoHandoff: path });
    d.emit({ type: 'handoff-prepared', path });
    return undefined;
  }
  if (session.process.state !== 'running')
    return { code: 'conflict', message: `The session is ${phaseOf(session)}.` };
  if (isUnderWay(session.handoff))
    return { code: 'conflict', message: 'A handoff is under way already. End your turn.' };
  const idle = idleHandoffs(session);
  if (idle >= maxIdle) {
    d.emit({ type: 'handoff-failed', path, why: `${idle + 1} in a row with no work between them` });
    tellHandoffLoop(d, idle + 1, path);
    // Stored, so that the parent is told; the agent hears of it by a message.
    enqueueOwn(d, { mode: 'important', text: wording.handoffLoop(path) });
    return undefined;
  }
  schedule(d, path, null, idle);
  return undefined;
}

/** The last call wins. An idle session's turn is over already. */
function schedule(d: Draft, path: string, newerThan: number | null, idle: number): void {
  const { turn, enqueued } = d.session;
  const until = newerThan !== null || turn || enqueued.length > 0 ? null : d.now;
  d.update({
    handoff: {
      path,
      newerThan,
      step: 'scheduled',
      until,
      effect: null,
      copy: null,
      message: null,
      ending: null,
      idle,
    },
  });
  d.emit({ type: 'handoff-scheduled', path, auto: newerThan !== null });
}

/** At the critical mark: the path at which the agent is to write its document, if it is rotated by itself. */
export function scheduleAuto(d: Draft): string | null {
  const { id, handoff: pending, autoHandoff } = d.session;
  const { autoHandoff: always } = d.settings.context;
  const path = autoHandoff ?? (always ? `${d.settings.handoffs}/${id}/auto.md` : null);
  if (path === null || pending || cannotRotate(d)) return null;
  schedule(d, path, d.now, 0);
  return path;
}

function cannotRotate({ session: { provider }, settings }: Draft): Refusal | undefined {
  if (!settings.cannotRotate.includes(provider)) return undefined;
  return { code: 'conflict', message: `sm handoff is not supported for ${provider} sessions` };
}

function badPath(path: string): Refusal | undefined {
  const refuse = (message: string): Refusal => ({ code: 'invalid', message });
  if (!path.startsWith('/')) return refuse(`The path of the document must be absolute, and ${path} is not.`);
  if (path.length > longestPath) return refuse(`The path of the document is longer than ${longestPath}.`);
  if (/[\x00-\x1f\x7f-\x9f]/.test(path))
    return refuse('The path of the document has control characters, which cannot be typed. Rename it.');
  return undefined;
}

function idleHandoffs({ lastHandoff, turn, context }: Session): number {
  const noWork =
    lastHandoff?.context === context.number &&
    turn?.rotated !== null &&
    turn?.rotated !== undefined &&
    turn.rotated.steps <= stepsOfNoWork;
  return noWork ? lastHandoff.idle + 1 : 0;
}

/** The turn is over; whether it is the one that ends in the handoff, so that nobody is told of its end yet. */
export function turnEndsInHandoff(d: Draft, how: Ending): boolean {
  const { handoff: pending } = d.session;
  if (pending?.step !== 'scheduled' || isGone(how)) return false;
  if (how.end === 'cut-off') {
    // The turn that asked for it is over, and this one came of a background task: what is urgent waits for no more.
    if (pending.until !== null) d.update({ handoff: { ...pending, until: d.now } });
    return pending.until !== null;
  }
  if (how.end === 'interrupted') {
    // Whoever pressed Escape wants something else.
    if (pending.newerThan === null) cancel(d, 'a human interrupted the turn that asked for it');
    return false;
  }
  const background = how.end === 'ended' && how.stillRuns > 0 ? d.now + backgroundPatience : d.now;
  const until = Math.min(pending.until ?? background, background);
  d.update({ handoff: { ...pending, until, ending: how } });
  return true;
}

export const isUnderWay = (handoff: Handoff | null): boolean =>
  handoff !== null && (handoff.step !== 'scheduled' || handoff.until !== null);

/** When it goes on by itself, though background tasks run. */
export function handoffDueAt(session: Session): number | null {
  const { handoff: pending } = session;
  return pending?.step === 'scheduled' && phaseOf(session) === 'rotating' && !session.attempt
    ? pending.until
    : null;
}

/** Called after every input: the document is checked as soon as the turn is over. */
export function pursueHandoff(d: Draft): void {
  const at = handoffDueAt(d.session);
  const { handoff: pending } = d.session;
  if (!pending || at === null || d.now < at || d.session.process.state !== 'running') return;
  const { path, newerThan } = pending;
  const effect = d.owe({ do: 'check-document', path, newerThan });
  d.update({ handoff: { ...pending, step: 'checking', effect } });
}

export function documentChecked(
  d: Draft,
  result: Extract<EffectResult, { of: 'check-document' }>,
  effectId: string,
): void {
  const { handoff: pending, turn } = d.session;
  if (pending?.effect !== effectId) return;
  if (result.outcome === 'bad') {
    if (pending.newerThan === null) failHandoff(d, result.why);
    else waitForDocument(d, pending);
    return;
  }
  const checked: Handoff = { ...pending, copy: result.copy, effect: null };
  // A human was faster: his turn comes first, and the document is read again after it.
  if (turn) {
    d.update({ handoff: { ...checked, step: 'scheduled', until: null } });
    return;
  }
  d.update({
    handoff: { ...checked, step: 'clearing' },
    clear: { by: { kind: 'session', id: d.session.id }, prompt: null, until: d.now + clearPatience },
  });
  d.emit({ type: 'handoff-clearing', path: pending.path });
}

const clearPatience = 30_000;

/** The agent has not written it yet: whoever waits for the turn is told, and the next turn's end is the next chance. */
function waitForDocument(d: Draft, pending: Handoff): void {
  d.update({ handoff: { ...pending, step: 'scheduled', until: null, effect: null, ending: null } });
  releaseCarried(d, pending.ending ?? unknownEnd);
}

/** The new context is there, and empty. */
export function handoffCleared(d: Draft): void {
  const { handoff: pending } = d.session;
  if (pending?.step !== 'clearing') return;
  const message = enqueueOwn(d, { mode: 'sequential', text: wording.handoffPrompt(pending.path) });
  d.update({ handoff: { ...pending, step: 'cleared', message } });
  d.emit({ type: 'handoff-cleared', message });
}

/** A context that we did not clear ourselves: what was to be handed over is gone. */
export function contextLost(d: Draft): void {
  const { handoff: pending } = d.session;
  if (pending && (pending.step === 'scheduled' || pending.step === 'checking'))
    cancel(d, 'the context was cleared');
}

/** Its keys went out, or may have. */
export function handoffTyped(d: Draft, messages: readonly MessageId[]): void {
  const { handoff: pending } = d.session;
  if (pending?.step !== 'cleared' || !pending.message || !messages.includes(pending.message)) return;
  d.update({ handoff: { ...pending, step: 'prompted' } });
}

/** The agent has the prompt: all is done. */
export function handoffAccepted(d: Draft, message: MessageId): void {
  const { handoff: pending, context } = d.session;
  if (!pending || pending.message !== message || pending.copy === null) return;
  const { path, copy, idle } = pending;
  d.update({ handoff: null, lastHandoff: { path, copy, at: d.now, context: context.number, idle } });
  d.owe({ do: 'publish-document', path, copy });
  d.emit({ type: 'handoff-done', path, context: context.number });
  restartCycle(d, 'the context was handed over');
  restartWindow(d, 'the context was handed over');
}

/** Back to where everything flows; the agent and its parent hear why, and so does whoever waits for the turn. */
export function failHandoff(d: Draft, why: string): void {
  const { handoff: pending } = d.session;
  if (!pending) return;
  const wasCleared = pending.message !== null;
  cancel(d, why);
  enqueueOwn(d, { mode: 'important', text: wording.handoffFailed(pending.path, why, wasCleared) });
  tellHandoffFailed(d, pending.path, why, wasCleared);
  releaseCarried(d, pending.ending ?? unknownEnd);
}

/** Nobody is told but the history. */
export function cancel(d: Draft, why: string): void {
  const { handoff: pending } = d.session;
  if (!pending) return;
  d.update({ handoff: null });
  d.emit({ type: 'handoff-failed', path: pending.path, why });
}
