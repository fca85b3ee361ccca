// What a look at the pane says to an attempt. Unknown means hold: what is not recognised is not typed into.
import type { Cursor } from '../core/effect.ts';
import type { Look } from '../core/fact.ts';
import { firstLineOf } from '../core/message.ts';

/** Why what waits is held when the screen shows nothing that is known. */
export const notRecognised = 'the screen is not recognised';

/** A human who pressed a key so recently is waited for. */
const humanPause = 2_000;

export type Hindrance =
  /** `passing`: nobody need do anything for it to go away, as while an agent draws. */
  | { readonly is: 'refused'; readonly why: string; readonly passing: boolean }
  | { readonly is: 'scrolled' }
  | { readonly is: 'dialog'; readonly text: string };

/** Before anything was typed: may it be? */
export type Leave = { readonly is: 'given'; readonly cursor: Cursor; readonly stash: boolean } | Hindrance;

/** `onTopOf`: a draft that is ours to add to. */
export function leaveToType(seen: Look | null, onTopOf: string | null, now: number): Leave {
  const composer = composerIn(seen, now);
  if (composer.is !== 'composer') return composer;
  const { reading, look } = composer;
  if (reading.draft === (onTopOf ?? '')) return { is: 'given', cursor: reading.cursor, stash: false };
  if (onTopOf !== null) return { is: 'refused', why: 'the composer changed', passing: false };
  // A stash that is there already would be lost under the draft.
  if (look.canStash && !reading.stash) return { is: 'given', cursor: reading.cursor, stash: true };
  return { is: 'refused', why: 'draft', passing: false };
}

type Composer = Extract<Look['reading'], { shows: 'composer' }>;

/** The composer, if keys may go to it at all. */
export function composerIn(
  seen: Look | null,
  now: number,
): { readonly is: 'composer'; readonly reading: Composer; readonly look: Look } | Hindrance {
  if (!seen) return { is: 'refused', why: 'the pane is gone', passing: true };
  const { reading, humanActiveAt } = seen;
  if (reading.shows === 'dialog') return { is: 'dialog', text: reading.text };
  if (seen.copyMode) return { is: 'scrolled' };
  if (reading.shows === 'unknown') return { is: 'refused', why: reading.why ?? notRecognised, passing: true };
  if (humanActiveAt !== null && now - humanActiveAt < humanPause)
    return { is: 'refused', why: 'a human is typing', passing: false };
  return { is: 'composer', reading, look: seen };
}

/** After something was typed and no evidence came: what became of it? */
export type Trace =
  /** It may have been taken, or cannot be seen: only evidence can tell. */
  | { readonly is: 'unclear' }
  | { readonly is: 'standing'; readonly cursor: Cursor }
  | { readonly is: 'none'; readonly cursor: Cursor };

/** `midTurn`: it was typed into a turn, which the screen may well show. */
export function traceOf(text: string, midTurn: boolean, seen: Look | null): Trace {
  if (!seen || seen.copyMode) return { is: 'unclear' };
  const { reading } = seen;
  if (reading.shows !== 'composer') return { is: 'unclear' };
  if (isOurs(reading.draft, text)) return { is: 'standing', cursor: reading.cursor };
  const isGone = reading.draft === '' && (midTurn || reading.activity !== 'working');
  return isGone ? { is: 'none', cursor: reading.cursor } : { is: 'unclear' };
}

/** The agent itself shows the text among those that it will take up. It shows the beginning of each. */
export function isPending(text: string, seen: Look | null): boolean {
  const pending = seen?.reading.shows === 'composer' ? (seen.reading.pending ?? '') : '';
  return squeeze(pending).includes(squeeze(firstLineOf(text)));
}

/**
 * Enter is pressed on the strength of this, so a human's words must never pass for ours: nothing may stand there but
 * our text from its first line on, or the placeholder of a paste of exactly as many lines or characters.
 */
export function isOurs(draft: string, text: string): boolean {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').length - 1;
  const placeholder = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  if (placeholder) return Number(placeholder[1] ?? 0) === lines;
  const counted = /^\[Pasted Content (\d+) chars\]$/.exec(draft.trim());
  // A blank may have been typed behind it.
  if (counted) return [0, 1].includes(Number(counted[1]) - [...text].length);
  const shown = squeeze(draft);
  return shown !== '' && shown.length >= squeeze(firstLineOf(text)).length && squeeze(text).startsWith(shown);
}

/** Lines are wrapped, tabs drawn as blanks, and control characters dropped or drawn as their pictures. */
const squeeze = (text: string): string => text.replace(/[\s\x00-\x1f\x7f\u2400-\u2426]+/g, '');
