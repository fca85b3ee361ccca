// A row of a terminal, with its colours, as pieces that a browser draws. tmux is the terminal: what comes here is what it
// shows, and no escape sequence but those of colours and attributes.

import { textWidth } from '../../cli/text/width.ts';
import { draw, freshPen, type Pen, rgbOf } from '../../faces/pen.ts';

export interface Span {
  readonly text: string;
  readonly class: string;
  readonly colour?: string;
  readonly background?: string;
  /** Its width in cells, of a character that fonts may draw wider or narrower. */
  readonly cells?: number;
}

const sequence = /\x1b\[([\d;:]*)m/;
/** What every monospaced font draws in one cell; frames and blocks, too, and they have to touch. */
const sure = /^[\x20-\x7e\u00a0-\u024f\u2500-\u259f]*$/;

export function spansOf(row: string): Span[] {
  const spans: Span[] = [];
  let pen = freshPen;
  for (const [index, part] of row.split(sequence).entries()) {
    if (index % 2 === 1) pen = draw(pen, part, 'true');
    else if (part !== '') spans.push(...pieces(part, lookOf(pen)));
  }
  return spans;
}

type Look = Omit<Span, 'text' | 'cells'>;

function* pieces(text: string, look: Look): Generator<Span> {
  if (sure.test(text)) {
    yield { text, ...look };
    return;
  }
  let plain = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (sure.test(segment)) {
      plain += segment;
      continue;
    }
    if (plain !== '') yield { text: plain, ...look };
    plain = '';
    yield { text: segment, ...look, cells: textWidth(segment) };
  }
  if (plain !== '') yield { text: plain, ...look };
}

const attributeClass: Readonly<Record<string, string>> = { 1: 'b', 2: 'f', 3: 'i', 4: 'u', 8: 'h', 9: 's' };

function lookOf({ attributes, foreground, background }: Pen): Look {
  const classes = attributes.flatMap((each) => attributeClass[each] ?? []);
  const [front, back] = [colourOf(foreground), colourOf(background)];
  const isReverse = attributes.includes('7');
  const colour = isReverse ? (back ?? 'var(--pane)') : front;
  const ground = isReverse ? (front ?? 'var(--pane-text)') : back;
  return {
    class: classes.join(' '),
    ...(colour !== undefined && { colour }),
    ...(ground !== undefined && { background: ground }),
  };
}

/** `31`, `97`, `38;5;208`, `48;2;1;2;3` */
function colourOf(codes: string): string | undefined {
  if (codes === '') return undefined;
  const [first = 0, mode, ...parts] = codes.split(';').map(Number);
  if (mode === 5) return `rgb(${rgbOf(parts[0] ?? 0).join(' ')})`;
  if (mode === 2) return `rgb(${parts.join(' ')})`;
  return `var(--term-${first >= 90 ? (first % 10) + 8 : first % 10})`;
}
