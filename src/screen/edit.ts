// A line that is being written, as every shell edits it.

export interface Edit {
  readonly text: string;
  /** Between which characters (as JavaScript counts) the cursor stands. */
  readonly at: number;
}

export const emptyEdit: Edit = { text: '', at: 0 };

export const editOf = (text: string): Edit => ({ text, at: text.length });

const segmenter = new Intl.Segmenter();

export const inserted = ({ text, at }: Edit, added: string): Edit => ({
  text: text.slice(0, at) + added + text.slice(at),
  at: at + added.length,
});

/** Undefined: the key means nothing here. */
export function edited(edit: Edit, key: string): Edit | undefined {
  const { text, at } = edit;
  const kept = (from: number, to: number): Edit => ({ text: text.slice(0, from) + text.slice(to), at: from });
  switch (key) {
    case 'left':
    case 'ctrl+b':
      return { text, at: before(text, at) };
    case 'right':
    case 'ctrl+f':
      return { text, at: after(text, at) };
    case 'home':
    case 'ctrl+a':
      return { text, at: text.lastIndexOf('\n', at - 1) + 1 };
    case 'end':
    case 'ctrl+e':
      return { text, at: lineEnd(text, at) };
    case 'alt+b':
    case 'ctrl+left':
    case 'alt+left':
      return { text, at: wordBefore(text, at) };
    case 'alt+f':
    case 'ctrl+right':
    case 'alt+right':
      return { text, at: wordAfter(text, at) };
    case 'backspace':
      return kept(before(text, at), at);
    case 'delete':
    case 'ctrl+d':
      return kept(at, after(text, at));
    case 'ctrl+w':
    case 'alt+backspace':
      return kept(wordBefore(text, at), at);
    case 'ctrl+u':
      return kept(text.lastIndexOf('\n', at - 1) + 1, at);
    case 'ctrl+k':
      return kept(at, lineEnd(text, at));
    case 'alt+enter':
      return inserted(edit, '\n');
    default:
      return [...segmenter.segment(key)].length === 1 && !/\p{Cc}/u.test(key)
        ? inserted(edit, key)
        : undefined;
  }
}

function before(text: string, at: number): number {
  const parts = [...segmenter.segment(text.slice(0, at))];
  return parts.at(-1)?.index ?? 0;
}

function after(text: string, at: number): number {
  const [first] = segmenter.segment(text.slice(at));
  return at + (first?.segment.length ?? 0);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const wordBefore = (text: string, at: number): number => Math.max(0, text.slice(0, at).search(/\S+\s*$/));

function wordAfter(text: string, at: number): number {
  const [word = ''] = /^\s*\S*/.exec(text.slice(at)) ?? [];
  return at + word.length;
}
