// What comes in from the terminal, as keys: bytes in, names out.

export type Key =
  /** A character, or a name: `enter`, `up`, `ctrl+c`, `alt+enter`, `shift+tab`. */
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'paste'; readonly text: string }
  | {
      readonly kind: 'mouse';
      readonly act: 'press' | 'up' | 'down';
      readonly row: number;
      readonly column: number;
    }
  | { readonly kind: 'focus' };

const names: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift+tab',
  '1~': 'home',
  '3~': 'delete',
  '4~': 'end',
  '5~': 'pageup',
  '6~': 'pagedown',
  '7~': 'home',
  '8~': 'end',
};

const controls: Readonly<Record<number, string>> = {
  0: 'ctrl+space',
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  13: 'enter',
  27: 'escape',
  28: 'ctrl+\\',
  127: 'backspace',
};

const pasteBegins = '\x1b[200~';
const pasteEnds = '\x1b[201~';

/** Keeps what has come only in part; `flush` says that no more will come of it. */
export class KeyReader {
  #rest = '';

  /** Whether an Escape stands at the end, which may be a key or the beginning of one. */
  get isOpen(): boolean {
    return this.#rest !== '' && !this.#rest.startsWith(pasteBegins);
  }

  read(text: string): Key[] {
    this.#rest += text;
    const keys: Key[] = [];
    while (this.#rest !== '') {
      const taken = this.#next(keys);
      if (taken === 0) break;
      this.#rest = this.#rest.slice(taken);
    }
    return keys;
  }

  flush(): Key[] {
    if (!this.isOpen) return [];
    this.#rest = this.#rest.slice(1);
    return [{ kind: 'key', key: 'escape' }, ...this.read('')];
  }

  /** How many characters the next key takes; 0: it has come only in part. */
  #next(keys: Key[]): number {
    const text = this.#rest;
    if (text.startsWith(pasteBegins)) {
      const end = text.indexOf(pasteEnds);
      if (end < 0) return 0;
      keys.push({ kind: 'paste', text: text.slice(pasteBegins.length, end).replace(/\r\n?/g, '\n') });
      return end + pasteEnds.length;
    }
    if (text[0] === '\x1b') return this.#escape(text, keys);
    const character = String.fromCodePoint(text.codePointAt(0) as number);
    const code = character.codePointAt(0) as number;
    const control = code < 32 ? `ctrl+${String.fromCharCode(code + 96)}` : character;
    keys.push({ kind: 'key', key: controls[code] ?? control });
    return character.length;
  }

  #escape(text: string, keys: Key[]): number {
    if (text.length === 1) return 0;
    const [whole, parameters = '', last = ''] = /^\x1b[[O]([\d;<?]*)([A-Za-z~])/.exec(text) ?? [];
    if (whole) {
      const key = sequenceKey(parameters, last);
      if (key) keys.push(key);
      return whole.length;
    }
    if (/^\x1b[[O][\d;<?]*$/.test(text)) return 0;
    if (text[1] === '\x1b') {
      keys.push({ kind: 'key', key: 'escape' });
      return 1;
    }
    const character = String.fromCodePoint(text.codePointAt(1) as number);
    keys.push({ kind: 'key', key: `alt+${controls[character.charCodeAt(0)] ?? character}` });
    return 1 + character.length;
  }
}

function sequenceKey(parameters: string, last: string): Key | undefined {
  if (parameters.startsWith('<')) return mouse(parameters.slice(1), last);
  if (parameters === '' && last === 'I') return { kind: 'focus' };
  const [first = '', modifier] = parameters.split(';');
  const name = names[last === '~' ? `${first}~` : last];
  if (name === undefined) return undefined;
  const held = modifier === undefined ? 0 : Number(modifier) - 1;
  const prefix = `${held & 4 ? 'ctrl+' : ''}${held & 2 ? 'alt+' : ''}${held & 1 ? 'shift+' : ''}`;
  return { kind: 'key', key: prefix + name };
}

function mouse(parameters: string, last: string): Key | undefined {
  const [button = 0, column = 1, row = 1] = parameters.split(';').map(Number);
  const act =
    button === 64 ? 'up' : button === 65 ? 'down' : button === 0 && last === 'M' ? 'press' : undefined;
  return act && { kind: 'mouse', act, row: row - 1, column: column - 1 };
}
