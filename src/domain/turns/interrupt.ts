// Our own interrupt, for an urgent message, a clear or whoever wants it: Escape, only at a turn that runs, and then the
// proof that it is over. No hook tells of an interrupt: the transcript does, or the end of the turn comes first, or a
// look shows it.

import { assertNever } from '../core/assert-never.ts';
import type { Change } from '../core/change.ts';
import type { Typed } from '../core/effect.ts';
import { interrupted } from '../core/ending.ts';
import type { Look } from '../core/fact.ts';
import { setInterrupt } from '../core/interrupting.ts';
import type { Manners } from '../core/manners.ts';
import { type Message, messageIdsIn, promptOf } from '../core/message.ts';
import type { Evidence } from '../core/names.ts';
import { type Awaits, effectOf, type Interrupt, lookAtOf, type PressedInterrupt } from '../core/parts.ts';
import { phaseOf } from '../core/session.ts';
import { beginAttempt } from '../delivery/attempt.ts';
import { holdUrgent, leaveToHuman, stand } from '../delivery/outcome.ts';
import { pick } from '../delivery/queue.ts';
import { type Composer, isOurs, nextLook, type Open, openIn } from '../delivery/verdict.ts';
import { dialogSeen } from './question.ts';
import { endTurn } from './turns.ts';

/**
 * When the screen is looked at after our Escape, each time so long after the look before. An early look may see the end,
 * because the screen is faster than the transcript; only the last one is believed in doubt.
 */
const proofLooks = [60, 40, 50, 70, 240] as const;
const maxPresses = 3;
/**
 * To an idle agent, two within 800 ms are a command of their own, whatever comes between them: they open its history.
 * Of a key that ends it, two within 2 s are too many.
 */
const doublePress = ({ interruptedOnce }: Manners): number => (interruptedOnce ? 3_000 : 1_000);

export function beginInterrupt(c: Change, aim: Interrupt['for']): void {
  const turn = c.session.turn?.id ?? null;
  setInterrupt(c, { turn, for: aim, step: 'looking', looks: 0, awaits: aLook(c) });
}

const aLook = (c: Change): Awaits => ({ effect: c.owe({ do: 'look' }) });

export function interruptDue(c: Change): void {
  const { interrupt = null } = c.session.turn ?? {};
  const at = lookAtOf(interrupt);
  if (interrupt && at !== null && c.now >= at) setInterrupt(c, { ...interrupt, awaits: aLook(c) });
}

export function seenForInterrupt(c: Change, interrupt: Interrupt, seen: Look | null): void {
  if (phaseOf(c.session) !== 'working' || !c.session.turn) {
    setInterrupt(c, null);
    return;
  }
  const open = openIn(seen, c.now);
  switch (open.is) {
    case 'dialog':
      setInterrupt(c, null);
      dialogSeen(c, open.text);
      return;
    case 'scrolled':
      hold(c, interrupt, 'a human is scrolling in the pane');
      return;
    case 'refused':
      hold(c, interrupt, open.why);
      return;
    case 'open':
      if (interrupt.step === 'looking') cut(c, interrupt, open);
      else judge(c, interrupt, open);
      return;
    default:
      assertNever(open);
  }
}

function cut(c: Change, interrupt: Interrupt, { activity, composer }: Open): void {
  // Nobody wants it any more: the message was taken back, say.
  const [urgent] = pick(c, ['urgent']);
  if (!c.session.clear && !c.session.turn?.halt && !urgent) {
    setInterrupt(c, null);
    return;
  }
  // In the moment in which an agent takes a prompt, it still stands in its composer and no turn is to be seen.
  const beingTaken = composer !== null && isOurs(composer, promptOf(takenByTurn(c)));
  if (c.now - (c.session.idleEscapeAt ?? Number.NEGATIVE_INFINITY) < doublePress(c.manners))
    hold(c, interrupt, 'a second interrupt so soon could be a command of its own to the agent');
  else if (activity !== 'idle') press(c, interrupt, composer, beingTaken);
  else if (beingTaken) hold(c, interrupt, 'the agent is taking its prompt');
  else doubt(c, interrupt);
}

const takenByTurn = (c: Change) => (c.session.turn?.messages ?? []).flatMap((id) => c.message(id) ?? []);

function hold(c: Change, interrupt: Interrupt, why: string): void {
  holdUrgent(c, why);
  const { turn } = c.session;
  if (turn?.halt) c.update({ turn: { ...turn, halt: { ...turn.halt, held: why } } });
  const awaits = { lookAt: c.now + nextLook(interrupt.looks) };
  setInterrupt(c, { ...interrupt, looks: interrupt.looks + 1, awaits });
}

/** There is nothing to cut, it seems: Escape at an idle agent does other things. A look after some silence finds out what became of the turn. */
function doubt(c: Change, interrupt: Interrupt): void {
  const { silence } = c.session;
  hold(c, interrupt, 'the screen shows no turn');
  if (silence && !silence.quiet) c.update({ silence: { ...silence, lookAt: c.now } });
}

function press(c: Change, interrupt: Interrupt, composer: Composer | null, beingTaken = false): void {
  const effect = c.owe({ do: 'escape', cursor: composer?.cursor ?? null });
  const presses = 1 + (interrupt.step === 'looking' ? 0 : interrupt.presses);
  const composerWasEmpty = composer?.draft === '' || beingTaken;
  const step = interrupt.step === 'pressed' ? 'pressed' : 'pressing';
  setInterrupt(c, { ...interrupt, step, presses, composerWasEmpty, looks: 0, awaits: { effect } });
}

export function escaped(c: Change, outcome: Typed, effectId: string): void {
  const { interrupt = null } = c.session.turn ?? {};
  if (!interrupt || interrupt.step === 'looking' || effectOf(interrupt) !== effectId) return;
  const nothingWentOut = outcome === 'changed' || outcome === 'gone';
  if (nothingWentOut && interrupt.presses === 1) {
    const { turn, for: aim, looks, awaits } = interrupt;
    hold(c, { turn, for: aim, looks, awaits, step: 'looking' }, 'the composer changed');
  } else setInterrupt(c, { ...interrupt, step: 'pressed', awaits: { lookAt: c.now + proofLooks[0] } });
}

/** Escape went out and nobody told: what does the pane say? */
function judge(c: Change, interrupt: Interrupt & PressedInterrupt, { activity, composer }: Open): void {
  const back = interrupt.composerWasEmpty ? standingIn(c, composer) : [];
  const looks = interrupt.looks + 1;
  const wait = proofLooks[looks];
  if (wait !== undefined && (activity !== 'idle' || back.length > 0)) {
    setInterrupt(c, { ...interrupt, looks, awaits: { lookAt: c.now + wait } });
    return;
  }
  const evidence: Evidence = { source: 'screen', id: c.nextId('look'), at: c.now };
  if (activity === 'working') {
    const most = c.manners.interruptedOnce ? 1 : maxPresses;
    if (interrupt.presses < most) press(c, interrupt, composer);
    else
      hold(
        c,
        interrupt,
        most === 1 ? 'the interrupt had no effect yet' : `Escape had no effect ${most} times`,
      );
    return;
  }
  if (composer && back.length > 0) {
    if ('halt' in interrupt.for) tookBack(c, back, evidence);
    else gaveBack(c, back, composer.draft, evidence);
    return;
  }
  // A stream that pauses looks like this, too; the screen must say that the turn is over.
  if (activity === 'idle') endTurn(c, interrupted, evidence);
  else hold(c, interrupt, 'the interrupt is not proven yet');
}

/** Which messages of the turn a draft is; what a human typed since, or his own prompt, is none of ours. */
export function standingIn(c: Change, composer: Composer | null): Message[] {
  if (!composer) return [];
  const taken = takenByTurn(c);
  if (taken.length > 0 && isOurs(composer, promptOf(taken))) return taken;
  const ids = messageIdsIn(composer.draft, taken);
  return taken.filter(({ id }) => ids.includes(id));
}

/** The prompt stands in the composer again, and its turn is over: it is for a human to send or to drop. */
export function tookBack(c: Change, back: readonly Message[], evidence: Evidence): void {
  const { turn } = c.session;
  if (!turn) return;
  const rest = turn.messages.filter((id) => !back.some((message) => message.id === id));
  c.update({ turn: { ...turn, messages: rest } });
  endTurn(c, interrupted, evidence);
  leaveToHuman(c, back);
}

/** Nothing had been answered yet, so the agent put the prompt back: it goes again, together with ours. */
function gaveBack(c: Change, back: readonly Message[], draft: string, evidence: Evidence): void {
  endTurn(c, interrupted, evidence);
  c.update({ carried: c.session.carried.filter((id) => !back.some((message) => message.id === id)) });
  stand(c, back, draft);
  // Without anything of ours, because the urgent one was withdrawn meanwhile, it is the human's to send.
  // What came back may be urgent itself: it stands there already.
  const urgent = [...pick(c, ['urgent'])].filter(({ id }) => !back.some((message) => message.id === id));
  // On its way to a clear it is taken out of the composer, and waits for the new context.
  const { clear } = c.manners.commandTo;
  if (c.session.clear)
    beginAttempt(c, [], { back: { draft, messages: back }, command: { kind: 'clear', text: clear } });
  else if (urgent.length + back.length > 0) beginAttempt(c, urgent, { back: { draft, messages: back } });
}
