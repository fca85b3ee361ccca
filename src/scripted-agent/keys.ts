// Decodes what a terminal sends: UTF-8 text, keys and bracketed pastes, all of which may be split over
// any number of reads.

import { StringDecoder } from 'node:string_decoder';

export type Key =
  | 'enter'
  | 'newline'
  | 'alt-enter'
  | 'escape'
  | 'backspace'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-s'
  | 'ctrl-u'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'other';

export type Input =
  | { kind: 'text'; text: string }
  | { kind: 'paste'; text: string }
  | { kind: 'key'; key: Key };

export interface KeyDecoder {
  push(chunk: Buffer): Input[];
  /** Call when nothing has come for a moment: a lone ESC that waits for its sequence is the Escape key. */
  flush(): Input[];
  readonly pending: boolean;
}

const ESC = '\x1b';
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;

const CONTROL: Record<string, Key> = {
  '\r': 'enter',
  '\n': 'newline',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x03': 'ctrl-c',
  '\x04': 'ctrl-d',
  '\x05': 'end',
  '\x13': 'ctrl-s',
  '\x15': 'ctrl-u',
};

const SEQUENCES: Record<string, Key> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  '[H': 'home',
  '[F': 'end',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
};

export function createKeyDecoder(): KeyDecoder {
  const utf8 = new StringDecoder('utf8');
  let rest = '';
  let paste: string[] | null = null;

  function decode(final: boolean): Input[] {
    const inputs: Input[] = [];
    for (;;) {
      if (paste) {
        if (!takePaste(paste, inputs)) return inputs;
      } else if (rest === '') {
        return inputs;
      } else if (rest[0] === ESC) {
        if (!takeEscape(inputs, final)) return inputs;
      } else {
        takePlain(inputs);
      }
    }
  }

  /** False when the end of the paste has not come yet. */
  function takePaste(parts: string[], inputs: Input[]): boolean {
    const end = rest.indexOf(PASTE_END);
    if (end < 0) {
      // The end marker itself may be split: keep what could be its beginning.
      const keep = Math.min(rest.length, PASTE_END.length - 1);
      parts.push(rest.slice(0, rest.length - keep));
      rest = rest.slice(rest.length - keep);
      return false;
    }
    parts.push(rest.slice(0, end));
    rest = rest.slice(end + PASTE_END.length);
    inputs.push({ kind: 'paste', text: parts.join('') });
    paste = null;
    return true;
  }

  /** False when the sequence is not complete yet. */
  function takeEscape(inputs: Input[], final: boolean): boolean {
    const match = /^\x1b(\[[0-9;?<]*[ -/]*[@-~]|O[A-Z])/.exec(rest);
    if (match) {
      rest = rest.slice(match[0].length);
      if (match[0] === PASTE_START) paste = [];
      else inputs.push({ kind: 'key', key: SEQUENCES[match[1]!] ?? 'other' });
      return true;
    }
    const incomplete = /^\x1b(\[[0-9;?<]*[ -/]*|O)?$/.test(rest);
    if (incomplete && !final) return false;
    if (rest[1] === '\r') {
      inputs.push({ kind: 'key', key: 'alt-enter' });
      rest = rest.slice(2);
      return true;
    }
    inputs.push({ kind: 'key', key: 'escape' });
    // ESC before a character is Alt with it, which means nothing here; before another ESC it is a key of its own.
    rest = rest.slice(rest.length > 1 && rest[1] !== ESC ? 2 : 1);
    return true;
  }

  function takePlain(inputs: Input[]): void {
    const text = /^[^\x00-\x1f\x7f]+/.exec(rest)?.[0];
    if (text) {
      inputs.push({ kind: 'text', text });
      rest = rest.slice(text.length);
      return;
    }
    inputs.push({ kind: 'key', key: CONTROL[rest[0]!] ?? 'other' });
    rest = rest.slice(1);
  }

  return {
    push(chunk) {
      rest += utf8.write(chunk);
      return decode(false);
    },
    flush: () => (paste ? [] : decode(true)),
    get pending() {
      return paste === null && rest !== '';
    },
  };
}
