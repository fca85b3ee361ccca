// What a look at the pane says to an attempt. Unknown means hold: what is not recognised is not typed into.
import type { Cursor } from './effect.ts';
import type { Look } from './fact.ts';
import { firstLineOf } from './message.ts';

/** Before anything was typed: may it be? */
export type Leave =
  | { readonly is: 'given'; readonly cursor: Cursor }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'dialog'; readonly text: string };

export function leaveToType(seen: Look | null): Leave {
  if (!seen) return { is: 'refused', why: 'the pane is not there' };
  const { reading } = seen;
  if (reading.shows === 'dialog') return { is: 'dialog', text: reading.text };
  if (seen.copyMode) return { is: 'refused', why: 'a human scrolls in the pane' };
  if (reading.shows === 'unknown') return { is: 'refused', why: 'the screen is not recognised' };
  if (reading.draft !== '') return { is: 'refused', why: 'draft' };
  return { is: 'given', cursor: reading.cursor };
}

/** After something was typed and no evidence came: what became of it? */
export type Trace =
  /** It may have been taken, or cannot be seen: only evidence can tell. */
  | { readonly is: 'unclear' }
  | { readonly is: 'standing'; readonly cursor: Cursor }
  | { readonly is: 'none'; readonly cursor: Cursor };

export function traceOf(text: string, seen: Look | null): Trace {
  if (!seen || seen.copyMode) return { is: 'unclear' };
  const { reading } = seen;
  if (reading.shows !== 'composer' || reading.activity === 'working') return { is: 'unclear' };
  if (reading.draft === '') return { is: 'none', cursor: reading.cursor };
  return isOurs(reading.draft, text) ? { is: 'standing', cursor: reading.cursor } : { is: 'unclear' };
}

/**
 * Enter is pressed on the strength of this, so a human's words must never pass for ours: nothing may stand there but
 * our text from its header on, or the placeholder of a paste of exactly as many lines.
 */
function isOurs(draft: string, text: string): boolean {
  const lines = text.replace(/\r\n?/g, '\n').split('\n').length - 1;
  const placeholder = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  if (placeholder) return Number(placeholder[1] ?? 0) === lines;
  const shown = squeeze(draft);
  return shown.length >= squeeze(firstLineOf(text)).length && squeeze(text).startsWith(shown);
}

/** Lines are wrapped, tabs drawn as blanks, and control characters dropped or drawn as their pictures. */
const squeeze = (text: string): string => text.replace(/[\s\x00-\x1f\x7f\u2400-\u2426]+/g, '');
