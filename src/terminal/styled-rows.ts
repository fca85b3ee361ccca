// tmux writes the styles of a capture as one stream: a style that is still on at the end of a row goes on in the
// next, without a word. Here each row gets what it needs to be read alone.

const STYLE = /\x1b\[([\d;:]*)m/g;

/** The rows of `capture-pane -e`, each beginning and ending in the default style. */
export function selfContainedRows(rows: readonly string[]): string[] {
  let style: Style = {};
  return rows.map((row) => {
    if (row === '') return row;
    const inherited = Object.values(style).join('');
    for (const [sequence, codes] of row.matchAll(STYLE)) style = apply(style, sequence, codes ?? '');
    const text = row.startsWith('\x1b[0m') ? row.slice('\x1b[0m'.length) : inherited + row;
    return Object.keys(style).length > 0 ? `${text}\x1b[0m` : text;
  });
}

/** What is on, as the sequences that turned it on. tmux sets colours and attributes in sequences of their own. */
interface Style {
  attributes?: string;
  foreground?: string;
  background?: string;
  underline?: string;
}

function apply(style: Style, sequence: string, codes: string): Style {
  const [first = 0] = codes.split(/[;:]/).map(Number);
  if (first === 0) return /^0*$/.test(codes) ? {} : { attributes: sequence };
  if (isColour(first, 30)) return set(style, 'foreground', first !== 39 && sequence);
  if (isColour(first, 40)) return set(style, 'background', first !== 49 && sequence);
  if (first === 58 || first === 59) return set(style, 'underline', first !== 59 && sequence);
  return set(style, 'attributes', (style.attributes ?? '') + sequence);
}

function set(style: Style, part: keyof Style, sequence: string | false): Style {
  const { [part]: _, ...others } = style;
  return sequence === false ? others : { ...others, [part]: sequence };
}

/** The eight colours from `base`, the palette (8), the default (9), and their bright variants. */
function isColour(code: number, base: 30 | 40): boolean {
  return (code >= base && code <= base + 9) || (code >= base + 60 && code <= base + 67);
}
