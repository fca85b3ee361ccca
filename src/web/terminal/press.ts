// What a key of the browser is to tmux.
import type { TypedView } from '../../protocol/typing.ts';
import { isOfComposing } from '../composing.ts';

export type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey' | 'isComposing' | 'keyCode'
>;

const names: Readonly<Record<string, string>> = {
  Enter: 'Enter',
  Escape: 'Escape',
  Tab: 'Tab',
  Backspace: 'BSpace',
  Delete: 'DC',
  Insert: 'IC',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Home: 'Home',
  End: 'End',
  PageUp: 'PPage',
  PageDown: 'NPage',
};

/** Null: it is the browser's own, a modifier alone, or a part of a character that is still being composed. */
export function typedBy(pressed: Pressed): TypedView | null {
  const { key, ctrlKey, altKey, shiftKey, metaKey } = pressed;
  if (metaKey || isOfComposing(pressed)) return null;
  if ([...key].length === 1) {
    if (!ctrlKey && !altKey) return { text: key };
    // AltGr: what it makes is the character itself.
    if (ctrlKey && altKey) return { text: key };
    if (!/^[\x21-\x7e]$/.test(key)) return key === ' ' && ctrlKey ? { key: 'C-Space' } : null;
    return { key: `${ctrlKey ? 'C-' : 'M-'}${key.toLowerCase()}` };
  }
  const name = names[key] ?? (/^F([1-9]|1[0-2])$/.test(key) ? key : undefined);
  if (name === undefined) return null;
  if (name === 'Tab' && shiftKey) return { key: 'BTab' };
  return { key: `${ctrlKey ? 'C-' : ''}${altKey ? 'M-' : ''}${shiftKey ? 'S-' : ''}${name}` };
}
