// The lines of a patch, with the numbers that they have in both files.

export interface PatchLine {
  readonly is: 'same' | 'added' | 'removed' | 'gap' | 'note';
  /** Its number before and after; null: it is not there. */
  readonly old: number | null;
  readonly new: number | null;
  readonly text: string;
}

const gap = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

export function patchLines(patch: string): PatchLine[] {
  let [before, after] = [0, 0];
  return patch
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line): PatchLine[] => {
      const [, from, to, text = ''] = gap.exec(line) ?? [];
      const rest = line.slice(1);
      if (from !== undefined && to !== undefined) {
        [before, after] = [Number(from), Number(to)];
        return [{ is: 'gap', old: null, new: null, text }];
      }
      switch (line[0]) {
        case '+':
          return [{ is: 'added', old: null, new: after++, text: rest }];
        case '-':
          return [{ is: 'removed', old: before++, new: null, text: rest }];
        case '\\':
          return [{ is: 'note', old: null, new: null, text: rest.trim() }];
        case ' ':
          return [{ is: 'same', old: before++, new: after++, text: rest }];
        default:
          return [];
      }
    });
}

/** A remark on a line, by the number and the words that the line had. */
export interface Remark {
  readonly side: 'old' | 'new';
  readonly line: number;
  readonly quote: string;
}

/** Where a remark belongs now: the line with those words that is the nearest; null: it is not there any more. */
export function placeOfRemark(lines: readonly PatchLine[], { side, line, quote }: Remark): number | null {
  let best: { readonly at: number; readonly away: number } | null = null;
  for (const [at, each] of lines.entries()) {
    const number = each[side];
    if (number === null || each.text !== quote) continue;
    const away = Math.abs(number - line);
    if (!best || away < best.away) best = { at, away };
  }
  return best?.at ?? null;
}
