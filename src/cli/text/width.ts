// How many columns of a terminal a text takes, so that tables align in every script.
const plain = /^[\x20-\x7e…]*$/;
const emoji = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Regional_Indicator}{2}/u;
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18aff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]/u;

let segmenter: Intl.Segmenter | undefined;

export function textWidth(text: string): number {
  if (plain.test(text)) return text.length;
  return graphemes(text).reduce((sum, grapheme) => sum + graphemeWidth(grapheme), 0);
}

/** Of each; null: they are as wide as they are long. Most lists are, and then one look at all of it is enough. */
export function oddWidths(texts: readonly string[]): number[] | null {
  return plain.test(texts.join('')) ? null : texts.map(textWidth);
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - textWidth(text)));
}

/** At most so many columns, with a sign that something is missing. */
export function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (plain.test(text)) return `${text.slice(0, Math.max(0, columns - 1)).trimEnd()}…`;
  let kept = '';
  let width = 0;
  for (const grapheme of graphemes(text)) {
    width += graphemeWidth(grapheme);
    if (width >= columns) break;
    kept += grapheme;
  }
  return `${kept.trimEnd()}…`;
}

/** The same of its end: `…/app/packages/api`. */
export function cutStart(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (plain.test(text)) return `…${columns > 1 ? text.slice(1 - columns) : ''}`;
  let kept = '';
  let width = 1;
  for (const grapheme of graphemes(text).reverse()) {
    width += graphemeWidth(grapheme);
    if (width > columns) break;
    kept = grapheme + kept;
  }
  return `…${kept}`;
}

function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  return wide.test(grapheme) || emoji.test(grapheme) ? 2 : 1;
}
