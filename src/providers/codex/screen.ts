// Reads Codex's screen. The composer is the block that holds the cursor, above a blank row and the footer; a dialog
// hides the cursor and marks an option. Anything else is unknown, and unknown means: do not type.
import type { Activity, Folded, Reading } from '../../domain/core/fact.ts';
import type { Screen } from '../../ports/terminal.ts';

const option = /^› \d+\. \S/;
const turnOver = /^\s{2}Worked for |^■ |^• Context compacted/;
const working = /\(\d.*• esc to interrupt\)/;
/** Its title has a moving sign while it works. */
const spinner = /^[\u2800-\u28ff] /;

export function readCodexScreen(screen: Screen): Reading & { text: string } {
  const box = composerBox(screen);
  if (box) return readComposer(screen, box);
  if (screen.lines.some((line) => option.test(line))) return { shows: 'dialog', text: dialogText(screen) };
  return { shows: 'unknown', text: screen.lines.join('\n').trimEnd() };
}

interface Box {
  readonly top: number;
  readonly bottom: number;
}

function composerBox({ lines, cursor, columns }: Screen): Box | null {
  if (cursor.x < 2 || cursor.x >= columns) return null;
  const top = lines.findLastIndex((line, row) => row <= cursor.y && /^[›!](\s|$)/.test(line));
  const footer = footerRow(lines);
  if (top < 0 || footer === null || footer - 2 < cursor.y) return null;
  const inside = lines.slice(top + 1, footer - 1).every((line) => /^(\s\s|\s*$)/.test(line));
  return inside ? { top, bottom: footer - 2 } : null;
}

/** The first of the last rows: nothing is drawn below them, and a blank row stands above. */
function footerRow(lines: readonly string[]): number | null {
  const last = lines.findLastIndex((line) => line.trim() !== '');
  const blank = lines.findLastIndex((line, row) => row < last && line.trim() === '');
  return blank < 0 || last < lines.length - 3 ? null : blank + 1;
}

function readComposer(screen: Screen, box: Box): Reading & { text: string } {
  const above = screen.lines.slice(0, box.top).map((line) => line.trimEnd());
  const draft = draftIn(screen, box);
  return {
    shows: 'composer',
    draft,
    ...foldedIn(draft),
    activity: activityIn(screen.title, above),
    interrupted: /^■ Conversation interrupted/.test(lastTold(above) ?? ''),
    stash: false,
    pending: pendingIn(above),
    cursor: screen.cursor,
    text: above.join('\n').trim(),
  };
}

function draftIn({ lines, styled, cursor }: Screen, { top, bottom }: Box): string {
  const rows = lines.slice(top, bottom + 1).map((line) => line.slice(2).trimEnd());
  const shellMode = lines[top]?.startsWith('!') ? '!' : '';
  if (shellMode === '' && rows.length === 1 && isPlaceholder(styled[top] ?? '')) return '';
  const text = shellMode + rows.join('\n');
  // Blanks cannot be seen, but the cursor stands behind them.
  return text.trim() === '' && (cursor.x > 2 || rows.length > 1) ? ' ' : text;
}

/** A long paste, and nothing beside it. The blank that is typed behind our texts may be among what it counts. */
function foldedIn(draft: string): { folded: Folded } | null {
  const shown = /^\[Pasted Content (\d+) chars\]$/.exec(draft.trim());
  const count = Number(shown?.[1]);
  return shown && { folded: { counts: 'characters', least: count - 1, most: count } };
}

/** What stands dim behind the mark was typed by nobody. */
const isPlaceholder = (styled: string): boolean =>
  /^\S*›(\x1b\[[\d;]*m)*\s*(\x1b\[[\d;]*m)*\x1b\[(\d+;)*2m/.test(styled);

function activityIn(title: string, above: readonly string[]): Activity {
  const told = above.filter((line) => line.trim() !== '');
  // What an agent quotes of such a screen stands above the end of its turn.
  const since = told.slice(told.findLastIndex((line) => turnOver.test(line)) + 1);
  if (spinner.test(title) || since.slice(-8).some((line) => working.test(line))) return 'working';
  const last = lastTold(told);
  return last === undefined || turnOver.test(last) ? 'idle' : 'unclear';
}

const lastTold = (above: readonly string[]): string | undefined =>
  above.findLast((line) => /^\S|^ {2}Worked for /.test(line));

/** What it was given in a turn and will take up after the tool that runs. */
function pendingIn(above: readonly string[]): string {
  const start = above.findLastIndex((line) => /^• (Messages|Queued) /.test(line));
  return start < 0
    ? ''
    : above
        .slice(start + 1)
        .map((line) => line.replace(/^\s+(↳ )?/, ''))
        .join('\n');
}

function dialogText({ lines }: Screen): string {
  const marked = lines.findLastIndex((line) => option.test(line));
  const start = lines.findLastIndex((line, row) => row < marked && /^\S/.test(line));
  return lines
    .slice(start + 1)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .join('\n');
}
