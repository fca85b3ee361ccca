// Reads Gemini CLI's screen. The composer stands below a rule that goes over the whole screen; a dialog
// takes its place, and is a box with a marked option. Anything else is unknown, and unknown means: do not type.
import type { Activity, Folded, Reading } from '../../domain/core/fact.ts';
import type { Screen } from '../../ports/terminal.ts';

const rule = /^─{20,}$/;
const option = /^[│ ]*● \d+\. \S/;
const working = /\(esc to cancel, \d/;
/** What stands in a composer that is empty. */
const placeholder = /^ {2}(Type your message or @path\/to\/file|Press '.' for \w+ mode\.?.*)$/;

export function readGeminiScreen(screen: Screen): Reading & { text: string } {
  const box = composerBox(screen);
  if (box) return readComposer(screen, box);
  if (screen.lines.some((line) => option.test(line.trimEnd())))
    return { shows: 'dialog', text: dialogText(screen) };
  return { shows: 'unknown', text: screen.lines.join('\n').trimEnd() };
}

interface Box {
  readonly rule: number;
  readonly top: number;
  readonly bottom: number;
}

/** No cursor shows where it is: the terminal's is parked anywhere, and its own is not drawn while nobody looks at the pane. */
function composerBox({ lines }: Screen): Box | null {
  const above = lines.findLastIndex((line) => rule.test(line.trimEnd()));
  const top = lines.findIndex((line, row) => row > above && /^ [>!*] /.test(line));
  if (above < 0 || top < 0 || top > above + 4 || lines[top - 1]?.trim() !== '') return null;
  const end = lines.findIndex((line, row) => row > top && !/^ {3}/.test(line) && line.trim() !== '');
  const bottom = end < 0 ? lines.length - 1 : end - 1;
  return { rule: above, top, bottom };
}

function readComposer(screen: Screen, box: Box): Reading & { text: string } {
  const above = screen.lines.slice(0, box.rule).map((line) => line.trimEnd());
  const draft = draftIn(screen, box);
  return {
    shows: 'composer',
    draft,
    ...foldedIn(draft),
    activity: activityIn(screen.title, above),
    interrupted: /^ℹ Request cancelled\./.test(above.findLast((line) => /^\S/.test(line)) ?? ''),
    stash: false,
    pending: pendingIn(above),
    cursor: screen.cursor,
    text: above.join('\n').trim(),
  };
}

function draftIn({ lines }: Screen, { top, bottom }: Box): string {
  const rows = lines.slice(top, bottom + 1).map((line) => line.slice(3).trimEnd());
  const mode = lines[top]?.startsWith(' !') ? '!' : '';
  if (mode === '' && placeholder.test(rows[0] ?? '')) return '';
  // Where nothing was typed, something else stands there: these are blanks.
  return mode + rows.join('\n').trimEnd() || ' ';
}

/** A long paste, and nothing beside it. */
function foldedIn(draft: string): { folded: Folded } | null {
  const [, count, what] = /^\[Pasted Text: (\d+) (lines|chars)\]$/.exec(draft.trim()) ?? [];
  if (count === undefined) return null;
  const n = what === 'lines' ? Number(count) - 1 : Number(count);
  return { folded: { counts: what === 'lines' ? 'line-breaks' : 'characters', least: n, most: n } };
}

/** Its title says it, unless its user wants another one. */
function activityIn(title: string, above: readonly string[]): Activity {
  if (/^✦/.test(title) || above.slice(-6).some((line) => working.test(line))) return 'working';
  return /^◇/.test(title) ? 'idle' : 'unclear';
}

function pendingIn(above: readonly string[]): string {
  const start = above.findLastIndex((line) => /^ {2}Queued \(/.test(line));
  return start < 0
    ? ''
    : above
        .slice(start + 1)
        .map((line) => line.trim())
        .join('\n');
}

function dialogText({ lines }: Screen): string {
  const marked = lines.findLastIndex((line) => option.test(line.trimEnd()));
  const top = lines.findLastIndex((line, row) => row < marked && /^╭/.test(line));
  return lines
    .slice(Math.max(0, top))
    .map((row) => row.replace(/[│╭╮╰╯─]/g, ' ').trim())
    .filter((row) => row !== '')
    .join('\n');
}
