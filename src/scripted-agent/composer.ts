// The input box as a pure value: draft, cursor, stash, and the pastes that stand in it as placeholders.

export interface Composer {
  readonly text: string;
  /** Offset into `text`, in UTF-16 units. */
  readonly cursor: number;
  readonly stash: Draft | null;
  /** What each placeholder stands for. */
  readonly pastes: ReadonlyMap<string, string>;
  readonly pasteCount: number;
}

interface Draft {
  readonly text: string;
  readonly cursor: number;
}

/** Longer pastes, or pastes of more lines, are shown as a placeholder. */
const INLINE_CHARACTERS = 800;
const INLINE_NEWLINES = 2;

export const emptyComposer: Composer = { text: '', cursor: 0, stash: null, pastes: new Map(), pasteCount: 0 };

export const isEmpty = (composer: Composer): boolean => composer.text === '';

export function insert(composer: Composer, text: string): Composer {
  const { text: old, cursor } = composer;
  return { ...composer, text: old.slice(0, cursor) + text + old.slice(cursor), cursor: cursor + text.length };
}

export function paste(composer: Composer, raw: string): Composer {
  const text = cleanPaste(raw);
  const newlines = text.split('\n').length - 1;
  if (text.length <= INLINE_CHARACTERS && newlines <= INLINE_NEWLINES) return insert(composer, text);
  const pasteCount = composer.pasteCount + 1;
  const placeholder = `[Pasted text #${pasteCount}${newlines > 0 ? ` +${newlines} lines` : ''}]`;
  const pastes = new Map(composer.pastes).set(placeholder, text);
  return insert({ ...composer, pastes, pasteCount }, placeholder);
}

/** The real program keeps no carriage return, tab, escape sequence or other control character of a paste. */
export function cleanPaste(raw: string): string {
  return raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/\x1b(\[[0-9;?]*[ -/]*[@-~]|.)?/gs, '')
    .replace(/[\x00-\x09\x0b-\x1f\x7f]/g, '');
}

/** Deletes one character before the cursor, or a whole placeholder. */
export function backspace(composer: Composer): Composer {
  const before = composer.text.slice(0, composer.cursor);
  if (before === '') return composer;
  const placeholder = [...composer.pastes.keys()].find((key) => before.endsWith(key));
  const kept = placeholder ? before.slice(0, -placeholder.length) : [...before].slice(0, -1).join('');
  return { ...composer, text: kept + composer.text.slice(composer.cursor), cursor: kept.length };
}

export function move(composer: Composer, direction: 'left' | 'right' | 'home' | 'end'): Composer {
  const { text, cursor } = composer;
  switch (direction) {
    case 'home':
      return { ...composer, cursor: 0 };
    case 'end':
      return { ...composer, cursor: text.length };
    case 'left':
      return { ...composer, cursor: cursor - ([...text.slice(0, cursor)].at(-1)?.length ?? 0) };
    case 'right':
      return { ...composer, cursor: cursor + ([...text.slice(cursor)][0]?.length ?? 0) };
  }
}

/** Deletes from the start of the line to the cursor. */
export function killLine(composer: Composer): Composer {
  const start = composer.text.lastIndexOf('\n', composer.cursor - 1) + 1;
  return {
    ...composer,
    text: composer.text.slice(0, start) + composer.text.slice(composer.cursor),
    cursor: start,
  };
}

export const clear = (composer: Composer): Composer => ({ ...composer, text: '', cursor: 0 });

export const setDraft = (composer: Composer, text: string): Composer => ({
  ...composer,
  text,
  cursor: text.length,
});

/** A draft goes into the stash, over one that is there; an empty box takes the stash back. */
export function toggleStash(composer: Composer): Composer {
  const { text, cursor, stash } = composer;
  if (text !== '') return { ...clear(composer), stash: { text, cursor } };
  return stash ? { ...composer, ...stash, stash: null } : composer;
}

/** The text to send, and the box after it: empty, or with the stash back in it. */
export function submit(composer: Composer): { text: string; composer: Composer } {
  // Trailing blanks of the box are dropped, those inside a placeholder are not.
  const text = expand(composer.text.trimEnd(), composer.pastes);
  const after: Composer = { ...emptyComposer, pasteCount: composer.pasteCount };
  // The stash may hold placeholders too.
  return {
    text,
    composer: composer.stash ? { ...after, ...composer.stash, pastes: composer.pastes } : after,
  };
}

/** In one pass, so that a paste which itself contains a placeholder's words stays as it is. */
function expand(text: string, pastes: ReadonlyMap<string, string>): string {
  return text.replace(
    /\[Pasted text #\d+(?: \+\d+ lines)?\]/g,
    (placeholder) => pastes.get(placeholder) ?? placeholder,
  );
}
