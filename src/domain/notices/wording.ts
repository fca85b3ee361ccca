// What we say to sessions, word for word: others recognise these texts.

import { type Amount, partUsed, type Used } from '../core/budget.ts';
import { type Cut, called, cutBy, type Ending, lastWordsOf, whoInterrupted } from '../core/ending.ts';
import type { Sender, SessionId } from '../core/names.ts';
import type { Process } from '../core/session.ts';

/** How much of an agent's last words a notice repeats. */
const longest = 500;
/** A review is nothing but its words. */
export const longestReview = 16_000;

export interface Named {
  readonly name: string;
  readonly id: string;
}

/** What whoever asked for a turn hears of its end. */
export function stopped(
  { name, id }: Named,
  ending: Exclude<Ending, { end: 'cut-off' }>,
  most = longest,
): string {
  switch (ending.end) {
    case 'ended': {
      const { lastWords, stillRuns } = ending;
      const running = stillRuns > 0 ? `\n(${counted(stillRuns, 'background task')} still running)` : '';
      return lastWords
        ? `[sm] ${name} stopped:\n${cut(lastWords, most)}${running}`
        : `[sm] ${name} (${id}) completed (Stop hook fired)${running}`;
    }
    case 'failed':
      return `[sm] ${name} failed:\n${cut(ending.lastWords ?? 'unknown error')}`;
    case 'interrupted':
      return `[sm] ${name} (${id}) was interrupted by ${whoInterrupted(ending)} before it was done.`;
    case 'died':
      return `[sm] ${name} (${id}) died before it was done: ${ending.how}.`;
    case 'cleared':
      return `[sm] ${name} (${id}) was cleared${ending.by ? ` by ${called(ending.by)}` : ''} before it was done.`;
    case 'unknown':
      return `[sm] ${name} (${id}) is idle; how its turn ended is unknown.`;
  }
}

/** `then`: how the turn ended that followed. Its words are not the answer to what was cut off. */
export function wasCutOff({ name, id }: Named, message: string, by: Cut, then: Ending): string {
  const start = `[sm] ${name} (${id}) was cut off before it finished your message #${message}, ${cutBy(by)}.`;
  const words = lastWordsOf(then);
  if (words) return `${start} Its next turn ended with:\n${cut(words)}`;
  return then.end === 'died' || then.end === 'cleared' ? `${start} Then it ${then.end}.` : start;
}

export const whereTheRestIs = ({ id }: Named): string => `Read all of it: sm tail ${id} --json`;

/** For a session that the agent wrote to in that turn: it has the answer already. */
export function stoppedAfterWriting({ name, id }: Named, ending: Ending): string {
  const how =
    ending.end === 'interrupted'
      ? `was interrupted by ${whoInterrupted(ending)}`
      : { ended: 'stopped', failed: 'failed' }[ending.end as 'ended'];
  return `[sm] ${name} (${id}) ${how}. It wrote to you in this turn.`;
}

export const hasIt = ({ name, id }: Named, message: string): string =>
  `[sm] ${name} (${id}) has your message #${message}.`;

export const stillAtIt = ({ name, id }: Named, message: string, seconds: number): string =>
  `[sm] ${name} (${id}) has had your message #${message} for ${counted(seconds, 'second')} and is not done yet.`;

export const messageFailed = ({ name, id }: Named, message: string, why: string): string =>
  `[sm] Your message #${message} did not reach ${name} (${id}): ${why}.`;

export const messageInDoubt = ({ name, id }: Named, message: string, why: string): string =>
  `[sm] It is not known whether your message #${message} reached ${name} (${id}): ${why}.`;

export const wasReturned = ({ name, id }: Named, message: string): string =>
  `[sm] ${name} (${id}) was interrupted before it answered: your message #${message} is back in its composer; a human decides whether to send it.`;

export const asks = ({ name, id }: Named, question: string): string =>
  `[sm] ${name} (${id}) is blocked until a human answers:\n${cut(question)}`;

export const says = ({ name, id }: Named, what: string): string => `[sm] ${name} (${id}) ${what}`;

export const lockFree = ({ name, id }: Named, workspace: string, how: string): string =>
  `[sm] The lock on ${workspace} is free: ${name} (${id}) ${how}. Take it with: sm lock "REASON"`;

export const lockHeld = (
  { name, id }: Named,
  { workspace, reason }: { readonly workspace: string; readonly reason: string },
  seconds: number,
): string =>
  `[sm] The lock on ${workspace} is not free after ${counted(seconds, 'second')}: ${name} (${id}) holds it: "${reason}"`;

/** To an agent whose edit is not let through. */
export const editDenied = ({ id }: Pick<Named, 'id'>): string =>
  'Nobody else may edit files there until the lock is released. ' +
  `To get a notice when it is free: sm lock "REASON" --wait SECONDS. To ask its owner: sm send ${id} "TEXT"`;

export const lockTakenAway = (workspace: string, who: string): string =>
  `[sm] Your lock on ${workspace} was released by ${who}. You no longer hold it.`;

export function howItEnded(process: Extract<Process, { state: 'exited' | 'lost' }>): string {
  if (process.state === 'lost') return `was lost (${process.reason})`;
  if (process.killed) return 'was killed';
  return `exited (${howItDied(process)})`;
}

/** The same in short, for a turn that died with it. */
export function howItDied(process: Extract<Process, { state: 'exited' | 'lost' }>): string {
  if (process.state === 'exited' && process.killed) return 'it was killed';
  return process.reason;
}

/** The first line is what agents and their instructions know; the rest keeps it from being taken for an order. */
const noOrder = 'This is an automatic reminder, not a new task. Report, then continue what you are doing.';

export const softReminder = `[sm remind] Update your status: sm status "your current progress"\n${noOrder}`;
export const hardReminder = `[sm remind] Status overdue. Run: sm status "your current progress"\n${noOrder}`;

export function oneShot(text: string, from: Sender, to: SessionId): string {
  const others = from.kind === 'session' && from.id !== to;
  return `[sm remind] ${others ? `from ${from.name} (${from.id}): ` : ''}${text}`;
}

export const cannotReport = ({ name, id }: Named, question: string): string =>
  `[sm] ${name} (${id}) should report its status, but is blocked until a human answers:\n${cut(question)}`;

export const stillBlocked = ({ name, id }: Named, question: string, seconds: number): string =>
  `[sm] ${name} (${id}) has been blocked for ${counted(seconds, 'second')}; a human must answer:\n${cut(question)}`;

export const silent = ({ name, id }: Named, hardReminders: number): string =>
  `[sm] ${name} (${id}) did not respond to ${hardReminders} urgent reminders. Look at it: sm output ${id}`;

/** `2026-11-16 14:00 UTC`, which means the same to everybody. */
const inUtc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

export const standsStill = (
  { name, id }: Named,
  text: string,
  until: number | null,
  goesOn: boolean,
): string => {
  const when = until === null ? 'It is not known when it resets' : `It resets at ${inUtc(until)}`;
  const then =
    until !== null && goesOn
      ? '. sm then lets it continue, and you hear how its turn ends. Messages to it wait.'
      : `. Messages to it wait. Look at it: sm output ${id}`;
  return `[sm limit] ${name} (${id}) stands still: its usage limit is reached. ${when}${then}\n${cut(text)}`;
};

export const limitReset =
  '[sm limit] Your usage limit has reset. Continue where you left off; do not repeat what is done.';

/** `budget of $5.00 is used up ($5.02)` */
export function usedUp(budget: string, amount: Amount, used: Used): string {
  const { most, now } = inWords(amount, used);
  return `${budget} of ${most} is used up (${now})`;
}

export const setOn = (owner: string, why: string): string => `${why}, set on ${owner}`;

export function budgetNear(family: boolean, amount: Amount, used: Used): string {
  const { most, now } = inWords(amount, used);
  const part = Math.floor(partUsed(amount, used) * 100);
  return `${part} % of its ${family ? 'family ' : ''}budget of ${most} is used (${now})`;
}

export const costUnknown = (tokens: number): string =>
  `what it costs is only partly known: there is no price for ${tokensText(tokens)}, and they do not count in its budget`;

export const budgetNotice = ({ name, id }: Named, text: string): string =>
  `[sm budget] ${name} (${id}): ${text}.`;

export const budgetUsedUp = ({ name, id }: Named, family: boolean, why: string): string => {
  const which = family ? ' --family' : '';
  return (
    `[sm budget] ${name} (${id}) is held: ${why}. Its turn is not cut, but nothing more is typed into it${family ? ' and all below it' : ''}. ` +
    `To let it go on, raise the budget (sm budget ${id} AMOUNT${which}) or remove it (sm budget ${id} off${which}).`
  );
};

/** To whoever has messages waiting there. */
export const heldBack = ({ name, id }: Named, message: string, more: number, why: string): string =>
  `[sm budget] Your message #${message} ${more > 0 ? `and ${more} more are` : 'is'} held by ${name} (${id}): ${why}.`;

/** That of which more is used. */
function inWords({ usd, tokens }: Amount, used: Used): { readonly most: string; readonly now: string } {
  if (usd !== null && (tokens === null || used.usd / usd >= used.tokens / tokens))
    return { most: money(usd), now: money(used.usd) };
  return { most: tokensText(tokens ?? 0), now: tokensText(used.tokens) };
}

const money = (usd: number): string => `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`;
const tokensText = (tokens: number): string => `${thousands(tokens)} tokens`;

/** `65`, or `65.5` where the agent knows it so exactly. */
const percent = (percentage: number): string => String(Math.round(percentage * 10) / 10);
const thousands = (n: number): string => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',');

export const contextWarning = (percentage: number, tokens: number): string =>
  `[sm context] Context at ${percent(percentage)}% (${thousands(tokens)} tokens). ` +
  'Consider writing a handoff doc and running `sm handoff <path>`.';

/** `path`: where the document is to stand, if the rotation follows by itself. */
export const contextCritical = (percentage: number, path: string | null): string =>
  `[sm context] Context at ${percent(percentage)}% — critically high. ` +
  (path === null
    ? 'Write your handoff doc NOW and run `sm handoff <path>`. Compaction is imminent.'
    : `Write your handoff doc NOW to ${path} and end your turn; sm then starts a fresh context from it. Compaction is imminent.`);

export const handoffPrompt = (path: string): string => `Read ${path} and continue from where you left off.`;

export const handoffFailed = (path: string, why: string, wasCleared: boolean): string =>
  `[sm handoff] The handoff to ${path} failed: ${why}. ` +
  (wasCleared
    ? 'Your context is already cleared: read the document if it exists, and continue from it.'
    : 'You keep your context. Continue, or write the document again and run `sm handoff <path>`.');

export const handoffFailedFor = (
  { name, id }: Named,
  path: string,
  why: string,
  wasCleared: boolean,
): string =>
  `[sm handoff] The handoff of ${name} (${id}) to ${path} failed: ${why}. ` +
  (wasCleared ? 'Its context is already cleared.' : 'It keeps its context.');

export const handoffLoop = (path: string): string =>
  `[sm handoff] The handoff to ${path} was not scheduled: you handed over several times in a row without doing any work. ` +
  'sm told your parent. Do some work before the next handoff.';

export const handoffLoopOf = ({ name, id }: Named, times: number, path: string): string =>
  `[sm handoff] ${name} (${id}) asked for a handoff ${times} times in a row without doing any work (${path}); sm refused the last one. Look at it: sm output ${id}`;

export const contextOf = ({ name, id }: Named, percentage: number): string =>
  `[sm context] ${name} (${id}) is at ${percent(percentage)}% of its context.`;

export const compactionFired = ({ name }: Named): string =>
  `[sm context] Compaction fired for ${name}. Context was lost.`;

function cut(text: string, most = longest): string {
  return text.length > most ? `${text.slice(0, most)}...` : text;
}

/** `45 seconds`, `1 minute`, `3 hours`. */
export function lasting(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return counted(seconds, 'second');
  if (seconds < 3_600) return counted(Math.floor(seconds / 60), 'minute');
  return counted(Math.floor(seconds / 3_600), 'hour');
}

export const counted = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** `more`: of the same sender. */
export const waitsForScreen = (of: Named, agent: string, message: string, more: number): string =>
  `[sm] Your message #${message} ${more > 0 ? `and ${more} more wait` : 'waits'}: the ${screenOf(of, agent)}`;

export const screenNotRecognised = (of: Named, agent: string): string => `[sm] The ${screenOf(of, agent)}`;

const screenOf = ({ name, id }: Named, agent: string): string =>
  `screen of ${name} (${id}) is not recognised (${agent}). sm types nothing into it. See: sm doctor`;

/** Of another machine, on which these run. */
export const nodeAway = (node: string, there: readonly Named[]): string =>
  `[sm] Node ${node} is away: ${listOf(there)} cannot be reached. Agents there go on; messages to them wait.`;

export const nodeBack = (node: string, there: readonly Named[]): string =>
  `[sm] Node ${node} is back, with ${listOf(there)}.`;

const mostNamed = 5;

function listOf(sessions: readonly Named[]): string {
  const names = sessions.slice(0, mostNamed).map(({ name, id }) => `${name} (${id})`);
  const more = sessions.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
