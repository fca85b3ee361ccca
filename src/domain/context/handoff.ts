// A handoff: an agent rotates its own context. It writes a document, asks for the handoff, and ends its turn; then the
// context is cleared, and the first prompt of the new one names the document. Each step is stored before the next, so
// an agent that was cleared gets its prompt whatever dies in between.

import type { Change } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import { type Ending, isGone, unknownEnd } from '../core/ending.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { MessageId } from '../core/names.ts';
import { type Handoff, type HandoffStep, promptFor } from '../core/parts.ts';
import { invalid, notRunning, stands } from '../core/refusal.ts';
import { endsInHandoff, isUnderWay, phaseOf, type Session, stepsCounted } from '../core/session.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { tellHandoffFailed, tellHandoffLoop } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';
import { restartWindow } from '../promises/reminders.ts';
import { wantClear } from '../turns/clear.ts';
import { releaseCarried } from '../turns/turns.ts';
import { restartCycle } from './cycle.ts';

const backgroundPatience = 60_000;
/** Reading the document and asking for a handoff takes fewer steps: whoever has taken no more has not worked. */
const stepsOfNoWork = stepsCounted - 1;
const maxIdle = 2;
const longestPath = 4_096;

export function handoff(c: Change, input: Extract<Input, { type: 'handoff' }>): Refusal | undefined {
  const { path, auto } = input;
  const { session } = c;
  const bad = cannotRotate(c) ?? badPath(path);
  if (bad) return bad;
  if (auto) {
    c.update({ autoHandoff: path });
    c.emit({ type: 'handoff', step: 'prepared', path });
    return undefined;
  }
  if (session.process.state !== 'running') return notRunning(session);
  if (isUnderWay(session.handoff))
    return stands(session, 'rotating', 'A handoff is already scheduled. End your turn.');
  const idle = idleHandoffs(session);
  if (idle >= maxIdle) {
    c.emit({ type: 'handoff', step: 'failed', path, why: `${idle + 1} in a row without work in between` });
    tellHandoffLoop(c, idle + 1, path);
    // Stored, so that the parent is told; the agent hears of it by a message.
    enqueueOwn(c, { mode: 'important', text: wording.handoffLoop(path) });
    return undefined;
  }
  schedule(c, { path, asked: { by: 'agent', idle } });
  return undefined;
}

type Wanted = Pick<Handoff, 'path' | 'asked'>;

/** The last call wins. An idle session's turn is over already. */
function schedule(c: Change, wanted: Wanted): void {
  const { turn, enqueued } = c.session;
  const auto = wanted.asked.by === 'monitor';
  const runs = auto || turn !== null || enqueued.length > 0;
  become(c, wanted, runs ? { step: 'scheduled' } : { step: 'due', at: c.now, ending: null });
  c.emit({ type: 'handoff', step: 'scheduled', path: wanted.path, auto });
}

const become = (c: Change, { path, asked }: Wanted, step: HandoffStep): void =>
  c.update({ handoff: { path, asked, ...step } });

/** At the critical mark: the path at which the agent is to write its document, if it is rotated by itself. */
export function scheduleAuto(c: Change): string | null {
  const { id, handoff: pending, autoHandoff, options } = c.session;
  const { autoHandoff: always } = c.settings.context;
  // An agent in a sandbox writes where it works.
  const own = options.sandbox?.roots[0];
  const document = own === undefined ? `${c.settings.handoffs}/${id}/auto.md` : `${own}/.sm-handoff.md`;
  const path = autoHandoff ?? (always ? document : null);
  if (path === null || pending || cannotRotate(c)) return null;
  schedule(c, { path, asked: { by: 'monitor', newerThan: c.now } });
  return path;
}

function cannotRotate({ session, manners }: Change): Refusal | undefined {
  if (manners.handoff) return undefined;
  return stands(session, 'cannot-rotate', `sm handoff is not supported for ${session.provider} sessions`);
}

function badPath(path: string): Refusal | undefined {
  if (!path.startsWith('/')) return invalid(`The document needs an absolute path, not ${path}.`);
  if (path.length > longestPath)
    return invalid(`The path of the document is longer than ${longestPath} characters. Use a shorter one.`);
  if (/[\x00-\x1f\x7f-\x9f]/.test(path))
    return invalid('The path of the document has control characters. Rename the file.');
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

/** Called when a turn has ended: if it is the one that ends in the handoff, the document is next. */
export function handoffAtTurnEnd(c: Change, how: Ending): void {
  const { handoff: pending } = c.session;
  if ((pending?.step !== 'scheduled' && pending?.step !== 'due') || isGone(how)) return;
  // Whoever pressed Escape wants something else.
  if (how.end === 'interrupted' && pending.asked.by === 'agent')
    cancel(c, 'a human interrupted the turn that asked for it');
  if (!endsInHandoff(c.session, how)) return;
  const before = pending.step === 'due' ? pending : null;
  // What is urgent waits for no background task.
  if (how.end === 'cut-off') {
    become(c, pending, { step: 'due', at: c.now, ending: before?.ending ?? null });
    return;
  }
  const background = how.end === 'ended' && how.stillRuns > 0 ? c.now + backgroundPatience : c.now;
  become(c, pending, { step: 'due', at: Math.min(before?.at ?? background, background), ending: how });
}

/** When it goes on by itself, though background tasks run. */
export function handoffDueAt(session: Session): number | null {
  const { handoff: pending } = session;
  return pending?.step === 'due' && phaseOf(session) === 'rotating' && !session.attempt ? pending.at : null;
}

/** Called after every input: the document is checked as soon as the turn is over. */
export function pursueHandoff(c: Change): void {
  const { handoff: pending, process } = c.session;
  const at = handoffDueAt(c.session);
  if (pending?.step !== 'due' || at === null || c.now < at || process.state !== 'running') return;
  const { path, asked, ending } = pending;
  const newerThan = asked.by === 'monitor' ? asked.newerThan : null;
  become(c, pending, { step: 'checking', effect: c.owe({ do: 'check-document', path, newerThan }), ending });
}

export function documentChecked(
  c: Change,
  result: Extract<EffectResult, { of: 'check-document' }>,
  effectId: string,
): void {
  const { handoff: pending, turn } = c.session;
  if (pending?.step !== 'checking' || pending.effect !== effectId) return;
  if (result.outcome === 'bad') {
    if (pending.asked.by === 'agent') failHandoff(c, result.why);
    else waitForDocument(c, pending, pending.ending);
    return;
  }
  // A human was faster: his turn comes first, and the document is read again after it.
  if (turn) {
    become(c, pending, { step: 'scheduled' });
    return;
  }
  become(c, pending, { step: 'clearing', copy: result.copy, ending: pending.ending });
  wantClear(c, { kind: 'session', id: c.session.id }, null);
  c.emit({ type: 'handoff', step: 'clearing', path: pending.path });
}

/** The agent has not written it yet: whoever waits for the turn is told, and the next turn's end is the next chance. */
function waitForDocument(c: Change, wanted: Wanted, ending: Ending | null): void {
  become(c, wanted, { step: 'scheduled' });
  releaseCarried(c, ending ?? unknownEnd);
}

/** Called when the new context is there, and empty. */
export function handoffCleared(c: Change): void {
  const { handoff: pending } = c.session;
  if (pending?.step !== 'clearing') return;
  const message = enqueueOwn(c, { mode: 'sequential', text: wording.handoffPrompt(pending.path) });
  const { copy, ending } = pending;
  become(c, pending, { step: 'cleared', copy, message, ending });
  c.emit({ type: 'handoff', step: 'cleared', message });
}

/** A context that we did not clear ourselves: what was to be handed over is gone. */
export function contextLost(c: Change): void {
  const { handoff: pending } = c.session;
  if (pending && !('copy' in pending)) cancel(c, 'the context was cleared');
}

/** Its keys went out, or may have. */
export function handoffTyped(c: Change, messages: readonly MessageId[]): void {
  const { handoff: pending } = c.session;
  if (pending?.step !== 'cleared' || !messages.includes(pending.message)) return;
  c.update({ handoff: { ...pending, step: 'prompted' } });
}

/** The agent has the prompt: all is done. */
export function handoffAccepted(c: Change, message: MessageId): void {
  const { handoff: pending, context } = c.session;
  if (!pending || !('message' in pending) || pending.message !== message) return;
  const { path, copy, asked } = pending;
  const idle = asked.by === 'agent' ? asked.idle : 0;
  c.update({ handoff: null, lastHandoff: { path, copy, at: c.now, context: context.number, idle } });
  c.owe({ do: 'publish-document', path, copy });
  c.emit({ type: 'handoff', step: 'done', path, context: context.number });
  restartCycle(c, 'the context was handed over');
  restartWindow(c, 'the context was handed over');
}

/** Called when what it needs will not come: its prompt was dropped, or its clear has failed. */
export function handoffDropped(c: Change, message: MessageId, why: string): void {
  if (promptFor(c.session.handoff) === message) failHandoff(c, why);
}

export function handoffNotCleared(c: Change, why: string): void {
  if (c.session.handoff?.step === 'clearing') failHandoff(c, why);
}

/** Gives it up. The agent, its parent and whoever waits for the turn hear why. */
function failHandoff(c: Change, why: string): void {
  const { handoff: pending } = c.session;
  if (!pending) return;
  const wasCleared = 'message' in pending;
  const ending = 'ending' in pending ? pending.ending : null;
  cancel(c, why);
  enqueueOwn(c, { mode: 'important', text: wording.handoffFailed(pending.path, why, wasCleared) });
  tellHandoffFailed(c, pending.path, why, wasCleared);
  releaseCarried(c, ending ?? unknownEnd);
}

/** Only the history says so. */
export function cancel(c: Change, why: string): void {
  const { handoff: pending } = c.session;
  if (!pending) return;
  c.update({ handoff: null });
  c.emit({ type: 'handoff', step: 'failed', path: pending.path, why });
}
