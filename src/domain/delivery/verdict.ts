// What a look means for an attempt. Unknown means hold: nothing is typed into what is not recognised.
import type { Cursor } from '../core/effect.ts';
import type { Activity, Folded, Look, Reading, ScreenLook } from '../core/fact.ts';
import type { Manners } from '../core/manners.ts';
import { firstLineOf } from '../core/message.ts';

/** Why what waits is held when the screen shows nothing that is known. */
export const notRecognised = 'the screen is not recognised';

/** How soon a pane that did not allow typing is looked at again: quickly at first, an agent that starts is slow to draw. */
const waits = [50, 100, 200, 500, 1_000, 2_000];
export const nextLook = (looks: number): number => waits[Math.min(looks, waits.length - 1)] as number;

/** A human who pressed a key so recently is waited for. */
const humanPause = 2_000;

export type Hindrance =
  /** `passing`: nobody need do anything for it to go away, as while an agent draws. */
  | { readonly is: 'refused'; readonly why: string; readonly passing: boolean }
  | { readonly is: 'scrolled' }
  | { readonly is: 'dialog'; readonly text: string };

export type Composer = Extract<Reading, { shows: 'composer' }>;

/** Text may go to it. Where there is no screen, there is no composer. */
export interface Open {
  readonly is: 'open';
  readonly activity: Activity;
  readonly composer: Composer | null;
}

/** What a look found, wherever it looked. */
export function foundBy(
  seen: Look,
):
  | Open
  | { readonly is: 'dialog'; readonly text: string }
  | { readonly is: 'unknown'; readonly why: string } {
  if (!('says' in seen)) {
    const { reading } = seen;
    if (reading.shows === 'dialog') return { is: 'dialog', text: reading.text };
    if (reading.shows === 'unknown') return { is: 'unknown', why: notRecognised };
    return { is: 'open', activity: reading.activity, composer: reading };
  }
  if (seen.says === 'question') return { is: 'dialog', text: seen.text };
  if (seen.says === 'nothing') return { is: 'unknown', why: seen.why };
  return { is: 'open', activity: seen.activity, composer: null };
}

const screenIn = (seen: Look | null): ScreenLook | null => (seen && 'reading' in seen ? seen : null);

export function composerIn(seen: Look | null): Composer | null {
  const reading = screenIn(seen)?.reading;
  return reading?.shows === 'composer' ? reading : null;
}

/** What is drawn; null: the agent draws nothing. */
export const drawnIn = (seen: Look | null): string | null => screenIn(seen)?.text ?? null;

/** Whether it may be typed now. */
export type Leave =
  | { readonly is: 'given'; readonly cursor: Cursor | null; readonly stash: boolean }
  | Hindrance;

/** `onTopOf`: a draft that is ours to add to. */
export function leaveToType(
  seen: Look | null,
  onTopOf: string | null,
  { stash }: Manners,
  now: number,
): Leave {
  const open = openIn(seen, now);
  if (open.is !== 'open') return open;
  const { composer } = open;
  const cursor = composer?.cursor ?? null;
  if ((composer?.draft ?? '') === (onTopOf ?? '')) return { is: 'given', cursor, stash: false };
  if (onTopOf !== null) return { is: 'refused', why: 'the composer changed', passing: false };
  // A stash that is there already would be lost under the draft.
  if (stash && !composer?.stash) return { is: 'given', cursor, stash: true };
  return { is: 'refused', why: 'draft', passing: false };
}

/** Whether text or keys may go to it at all. */
export function openIn(seen: Look | null, now: number): Open | Hindrance {
  if (!seen) return { is: 'refused', why: 'the pane is gone', passing: true };
  const found = foundBy(seen);
  const screen = screenIn(seen);
  if (found.is === 'dialog') return found;
  if (screen?.copyMode) return { is: 'scrolled' };
  if (found.is === 'unknown') return { is: 'refused', why: found.why, passing: true };
  const humanActiveAt = screen?.humanActiveAt ?? null;
  if (humanActiveAt !== null && now - humanActiveAt < humanPause)
    return { is: 'refused', why: 'a human is typing', passing: false };
  return found;
}

/** What became of text that was typed, when no evidence came. */
export type Trace =
  /** It may have been taken, or cannot be seen: only evidence can tell. */
  | { readonly is: 'unclear' }
  | { readonly is: 'standing'; readonly cursor: Cursor }
  | { readonly is: 'none'; readonly cursor: Cursor | null };

/** `midTurn`: it was typed into a turn, which the screen may well show. */
export function traceOf(text: string, midTurn: boolean, seen: Look | null): Trace {
  if (!seen || screenIn(seen)?.copyMode) return { is: 'unclear' };
  const found = foundBy(seen);
  if (found.is !== 'open') return { is: 'unclear' };
  const { activity, composer } = found;
  if (composer && isOurs(composer, text)) return { is: 'standing', cursor: composer.cursor };
  const isGone = !composer?.draft && (midTurn || activity !== 'working');
  return isGone ? { is: 'none', cursor: composer?.cursor ?? null } : { is: 'unclear' };
}

/** The agent itself shows the text among those that it will take up. It shows the beginning of each. */
export function isPending(text: string, seen: Look | null): boolean {
  return squeeze(composerIn(seen)?.pending ?? '').includes(squeeze(firstLineOf(text)));
}

/**
 * Enter is pressed on the strength of this, so a human's words must never pass for ours: nothing may stand there but
 * our text from its first line on, or a folded paste of exactly as many lines or characters.
 */
export function isOurs({ draft, folded }: Pick<Composer, 'draft' | 'folded'>, text: string): boolean {
  if (folded) {
    const count = countIn(text, folded.counts);
    return folded.least <= count && count <= folded.most;
  }
  const shown = squeeze(draft);
  return shown !== '' && shown.length >= squeeze(firstLineOf(text)).length && squeeze(text).startsWith(shown);
}

const countIn = (text: string, what: Folded['counts']): number =>
  what === 'characters' ? [...text].length : text.replace(/\r\n?/g, '\n').split('\n').length - 1;

/** Lines are wrapped, tabs drawn as blanks, and control characters dropped or drawn as their pictures. */
const squeeze = (text: string): string => text.replace(/[\s\x00-\x1f\x7f\u2400-\u2426]+/g, '');
