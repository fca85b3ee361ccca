// How many terminal columns a text takes, and where it wraps.

const COMBINING = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200f])$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;

export function charWidth(char: string): number {
  if (COMBINING.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}

export function textWidth(text: string): number {
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** Rows of at most `columns` columns; a newline always starts a row. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const rows = [''];
    let used = 0;
    for (const char of line) {
      const width = charWidth(char);
      if (used + width > columns) {
        rows.push('');
        used = 0;
      }
      rows[rows.length - 1] += char;
      used += width;
    }
    return rows;
  });
}

export function truncate(text: string, columns: number): string {
  let width = 0;
  let kept = '';
  for (const char of text) {
    width += charWidth(char);
    if (width > columns) break;
    kept += char;
  }
  return kept;
}
