// An attempt: look, type if the pane allows it, wait for evidence, look again. A text is pasted a second time only
// when it is proven that the first one left no trace.

import { assertNever } from '../core/assert-never.ts';
import { become } from '../core/become.ts';
import { holdOf } from '../core/budget.ts';
import type { Change } from '../core/change.ts';
import type { Cursor, Typed as Outcome } from '../core/effect.ts';
import type { Activity, Look } from '../core/fact.ts';
import type { Manners } from '../core/manners.ts';
import { isWaiting, type Message, promptOf } from '../core/message.ts';
import type { Evidence } from '../core/names.ts';
import {
  type Attempt,
  effectOf,
  isCommand,
  type LookingAttempt,
  lookAtOf,
  promptFor,
  type TypedAttempt,
} from '../core/parts.ts';
import { phaseOf, takesText } from '../core/session.ts';
import {
  abandon,
  accept,
  fail,
  holdMessages,
  holdUrgent,
  leaveOut,
  messagesOf,
  onTop,
  requeue,
  withdrawUnwanted,
} from './outcome.ts';
import { composerIn, drawnIn, foundBy, isPending, leaveToType, nextLook, traceOf } from './verdict.ts';

const maxPastes = 3;
const scrollPatience = 10_000;
const maxEnters = 5;
/** Evidence comes within tens of milliseconds; after this without any, we look. */
const evidenceWait = 1_500;
/** An agent takes up to 7 s to read a megabyte on a busy machine, and its composer is empty until then. */
const longText = 50_000;
const longTextWait = 1_000;
/** An agent that takes text up only when its tool is done says nothing until then, but shows at once that it has it. */
const pendingWait = 300;
/** What may pass by itself is told only after so many looks. */
const passingLooks = 3;

interface How {
  readonly midTurn?: boolean;
  /** Messages whose text stands in the composer already, and that text. */
  readonly back?: { readonly draft: string; readonly messages: readonly Message[] };
  /** Instead of messages. */
  readonly command?: { readonly kind: 'clear' | 'slash'; readonly text: string };
}

type Looking = Attempt & LookingAttempt;
type Typed = Attempt & TypedAttempt;

export function beginAttempt(c: Change, messages: readonly Message[], how: How = {}): void {
  const { midTurn = false, back, command } = how;
  c.update({
    attempt: {
      id: c.nextId('a'),
      messages: [...(back?.messages ?? []), ...messages].map(({ id }) => id),
      text: command?.text ?? (back ? onTop(messages) : promptOf(messages)),
      types: command ? { is: command.kind } : { is: 'messages', midTurn },
      back: back ? { draft: back.draft, messages: back.messages.map(({ id }) => id) } : null,
      awaits: aLook(c),
      step: 'looking',
      looks: 0,
      scrolledSince: null,
    },
  });
}

const aLook = (c: Change): Attempt['awaits'] => ({ effect: c.owe({ do: 'look' }) });

export function attemptDue(c: Change): void {
  const { attempt } = c.session;
  const at = lookAtOf(attempt);
  if (attempt && at !== null && c.now >= at) c.update({ attempt: { ...attempt, awaits: aLook(c) } });
}

export function seenForAttempt(c: Change, attempt: Attempt, seen: Look | null): void {
  if (attempt.step === 'typed') judge(c, attempt, seen);
  else typeIfAllowed(c, attempt, seen);
}

function typeIfAllowed(c: Change, attempt: Looking, seen: Look | null): void {
  const phase = phaseOf(c.session);
  const ofHandoff = phase === 'rotating' && isOfHandoff(c, attempt);
  const inSpite = phase === 'compacting' && messagesOf(c, attempt).every((each) => each.evenCompacting);
  if (phase !== 'idle' && !ofHandoff && !(mayGoMidTurn(attempt) && (phase === 'working' || inSpite))) {
    abandon(c, `the session is ${phase}`);
    return;
  }
  const holds = attempt.types.is === 'messages' && !ofHandoff ? holdOf(c.session) : null;
  if (holds) {
    abandon(c, holds.why);
    return;
  }
  if (phase === 'working' && !takesText(c.session, c.manners)) {
    abandon(c, 'the agent is talking');
    return;
  }
  const leave = leaveToType(seen, attempt.back?.draft ?? null, c.manners, c.now);
  const isOver = phase === 'idle' || phase === 'rotating';
  switch (leave.is) {
    case 'given':
      if (isOver && lagsBehind(c.manners, seen))
        hold(c, attempt, 'its screen still shows the last turn', true);
      else
        type(c, attempt, attempt.text || null, {
          ...leave,
          erase: isCommand(attempt) ? rowsOf(attempt.back?.draft ?? null) : 0,
        });
      break;
    case 'scrolled':
      waitForScroller(c, attempt);
      break;
    case 'refused':
      // A prompt that came back and was changed since is the human's own now.
      if (attempt.back && !leave.passing) abandon(c, leave.why);
      else hold(c, attempt, leave.why, leave.passing);
      break;
    case 'dialog':
      c.announce({ is: 'dialog-seen', text: leave.text });
      abandon(c, 'a dialog is open');
      break;
    default:
      assertNever(leave);
  }
}

/** The turn was told to be over, but the screen still shows it: text would go into that turn, and may come back. */
const lagsBehind = ({ midTurn }: Manners, seen: Look | null): boolean =>
  midTurn !== 'anytime' && seen !== null && activityIn(seen) === 'working';

const activityIn = (seen: Look): Activity | null => {
  const found = foundBy(seen);
  return found.is === 'open' ? found.activity : null;
};

/** Only the clear and the prompt of a handoff are typed while the context rotates. */
function isOfHandoff({ session }: Change, { types, messages }: Attempt): boolean {
  const prompt = promptFor(session.handoff);
  return types.is === 'clear' || (prompt !== null && messages.includes(prompt));
}

const mayGoMidTurn = ({ types }: Attempt): boolean => types.is === 'messages' && types.midTurn;

const rowsOf = (draft: string | null): number => (draft === null ? 0 : draft.split('\n').length);

/** A human who scrolls has some seconds; then the mode is left, because keys would go to it. */
function waitForScroller(c: Change, attempt: Looking): void {
  const scrolledSince = attempt.scrolledSince ?? c.now;
  if (c.now - scrolledSince >= scrollPatience) {
    c.owe({ do: 'leave-copy-mode' });
    c.update({ attempt: { ...attempt, scrolledSince: null, awaits: aLook(c) } });
  } else hold(c, { ...attempt, scrolledSince }, 'a human is scrolling in the pane');
}

function hold(c: Change, attempt: Looking, why: string, passing = false): void {
  if (!passing || attempt.looks >= passingLooks) holdMessages(c, messagesOf(c, attempt), why);
  const awaits = { lookAt: c.now + nextLook(attempt.looks) };
  c.update({ attempt: { ...attempt, looks: attempt.looks + 1, awaits } });
}

/** Pastes the text, or nothing when it stands there already, and presses Enter. */
function type(
  c: Change,
  attempt: Attempt,
  text: string | null,
  how: { cursor: Cursor | null; stash?: boolean; erase?: number },
): void {
  const { cursor, stash = false, erase = 0 } = how;
  const [message] = messagesOf(c, attempt);
  const review = message?.review && { message: message.id, target: message.review };
  const effect = c.owe({ do: 'submit', text, stash, erase, cursor, ...(review && { review }) });
  const typed = attempt.step === 'typed' ? attempt : typedFor(attempt);
  const counted = text === null ? { enters: typed.enters + 1 } : { pastes: typed.pastes + 1 };
  c.update({ attempt: { ...typed, ...counted, awaits: { effect } } });
  c.announce({ is: 'typed', messages: attempt.messages });
  // A command takes out of the composer what stands there, and that goes later.
  for (const message of isCommand(attempt) ? [] : messagesOf(c, attempt)) {
    if (!isWaiting(message)) continue;
    become(c, message, { is: 'typed', attempt: attempt.id, at: c.now });
  }
}

function typedFor({ id, messages, text, types, back, awaits, looks }: Looking): Typed {
  const nothingYet = { pastes: 0, enters: 0, looks, doubt: null, unwanted: [] };
  return { id, messages, text, types, back, awaits, step: 'typed', ...nothingYet };
}

function lookingAgain({ id, messages, text, types, back, awaits, looks }: Typed): Looking {
  return { id, messages, text, types, back, awaits, step: 'looking', looks, scrolledSince: null };
}

/** The result of typing. Evidence may have come first, and then there is no such attempt any more. */
export function submitted(c: Change, outcome: Outcome, effectId: string): void {
  const { attempt } = c.session;
  if (attempt?.step !== 'typed' || effectOf(attempt) !== effectId) return;
  const nothingWentOut = outcome === 'changed' || outcome === 'gone';
  if (nothingWentOut && attempt.pastes + attempt.enters === 1) {
    const why = outcome === 'gone' ? 'the pane is gone' : 'the composer changed before the text went out';
    requeue(c, messagesOf(c, attempt), why);
    hold(c, lookingAgain(attempt), why, true);
    return;
  }
  if (nothingWentOut && attempt.back) {
    abandon(c, 'the composer changed');
    return;
  }
  // If nothing went out now but something did earlier, or may have, its evidence is still what we wait for.
  const inDoubt = outcome === 'unknown' || (nothingWentOut && attempt.doubt !== null);
  const typed = outcome === 'typed' ? takenOut(attempt) : attempt;
  awaitEvidence(c, { ...typed, looks: 0, doubt: inDoubt ? { screen: null } : null });
}

/** What stood in the composer is not there any more when a command has been typed: it waits for the new context. */
const takenOut = (attempt: Typed): Typed =>
  isCommand(attempt) ? { ...attempt, back: null, messages: [] } : attempt;

function awaitEvidence(c: Change, attempt: Typed): void {
  const shows = mayGoMidTurn(attempt) && c.manners.midTurn === 'in-tools';
  const wait =
    (shows ? pendingWait : evidenceWait) + Math.floor(attempt.text.length / longText) * longTextWait;
  c.update({ attempt: { ...attempt, awaits: { lookAt: c.now + wait } } });
}

/** No evidence came: what does the pane say? Nothing is typed while the session does anything at all. */
function judge(c: Change, attempt: Typed, seen: Look | null): void {
  const phase = phaseOf(c.session);
  const visible = phase === 'idle' || phase === 'working' || phase === 'rotating';
  if (mayGoMidTurn(attempt) && isPending(attempt.text, seen)) {
    const evidence: Evidence = { source: 'screen', id: c.nextId('look'), at: c.now };
    const given = accept(c, attempt.messages, null, evidence);
    c.update({ enqueued: [...c.session.enqueued, ...given] });
    return;
  }
  const expected = isCommand(attempt) ? attempt.text : (attempt.back?.draft ?? '') + attempt.text;
  const midTurn = mayGoMidTurn(attempt) && phase === 'working';
  const trace = visible ? traceOf(expected, midTurn, seen) : { is: 'unclear' as const };
  switch (trace.is) {
    case 'unclear':
      awaitEvidence(c, { ...attempt, looks: 0 });
      break;
    case 'standing':
      if (isUntouched(attempt, seen)) {
        // As below: it may only be slow.
        if (attempt.looks === 0) awaitEvidence(c, { ...attempt, looks: 1 });
        else if (attempt.pastes < maxPastes) type(c, attempt, attempt.text, trace);
        else abandon(c, `what was typed after it ${maxPastes} times left no trace`);
      } else if (attempt.enters < maxEnters) type(c, attempt, null, trace);
      else fail(c, attempt, `its text is in the composer and Enter had no effect ${maxEnters} times`);
      break;
    case 'none': {
      // A command that is gone from the composer was taken; what it does is the agent's own business.
      if (attempt.types.is === 'slash') {
        c.update({ attempt: null });
        return;
      }
      // An agent that is slow to read its terminal shows an empty composer, too: one look is not enough.
      if (attempt.looks === 0 || (phase === 'working' && !mayTypeAgain(c, attempt, seen))) {
        if (attempt.looks > 0) holdUrgent(c, 'the message before it is not proven yet');
        awaitEvidence(c, { ...attempt, looks: 1, doubt: attempt.doubt && { screen: drawnIn(seen) } });
        return;
      }
      const left = takenOut(attempt);
      if (left.back) abandon(c, 'the text in the composer is gone');
      else if (left.unwanted.length > 0) dropUnwanted(c, left);
      else if (left.pastes < maxPastes) type(c, left, left.text, trace);
      else fail(c, left, `it was typed ${maxPastes} times and left no trace in an empty composer`);
      break;
    }
    default:
      assertNever(trace);
  }
}

/**
 * While a turn runs, the agent may have the text in its queue, and its composer is empty either way. It is typed again
 * only if the keys may never have gone out, and the agent has redrawn its screen since we saw that it does not stand
 * there: an agent that draws has read what was typed, and would have told of it. What it says is not cut for that.
 */
const mayTypeAgain = ({ session, manners }: Change, attempt: Typed, seen: Look | null): boolean =>
  mayGoMidTurn(attempt) &&
  takesText(session, manners) &&
  attempt.doubt?.screen != null &&
  drawnIn(seen) !== null &&
  drawnIn(seen) !== attempt.doubt.screen;

/** What came back stands there as it did: what was to go behind it was not typed, or got lost. */
function isUntouched(attempt: Typed, seen: Look | null): boolean {
  if (!attempt.back || attempt.text === '' || isCommand(attempt)) return false;
  return composerIn(seen)?.draft === attempt.back.draft;
}

/** They left no trace, and nobody misses them; what was typed along with them goes again, without them. */
function dropUnwanted(c: Change, attempt: Typed): void {
  withdrawUnwanted(c, attempt);
  c.update({ attempt: { ...attempt, unwanted: [] } });
  leaveOut(c);
  const left = c.session.attempt;
  if (left?.step === 'typed') awaitEvidence(c, { ...left, looks: 1 });
}
