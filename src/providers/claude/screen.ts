// Reads Claude Code's screen. The composer is the box between two rules that holds the cursor; at a dialog the
// cursor stands on the marker of an option. Anything else is unknown, and unknown means: do not type.
import type { Activity, Folded, Reading } from '../../domain/core/fact.ts';
import type { Screen } from '../../ports/terminal.ts';

const rule = /^─{20,}\s*$/;
const spinner = /^\s*[·✢✳✶✻✽*+∗●]\s\S.*…/;
const turnOver = /^\s*[✻✽✶·*]\s\S+ for \d+.*|^\s*⎿\s+Interrupted · |^\s*⎿\s+Compacted\b|^❯\s\/clear\s*$/;
const interrupted = /^\s*⎿\s+Interrupted · /;
const hint = /^\s{20,}\S|^\s*⎿\s+Tip: /;

export function readClaudeScreen(screen: Screen): Reading & { text: string } {
  const box = composerBox(screen);
  if (box) return readComposer(screen, box);
  const text = screen.lines.join('\n').trimEnd();
  if (cellAt(screen.lines[screen.cursor.y] ?? '', screen.cursor.x) === '❯')
    return { shows: 'dialog', text: dialogText(screen) };
  return { shows: 'unknown', text };
}

interface Box {
  readonly top: number;
  readonly bottom: number;
}

function composerBox(screen: Screen): Box | null {
  const rules = screen.lines.flatMap((line, row) => (rule.test(line) ? [row] : []));
  const bottom = rules.find((row) => row > screen.cursor.y);
  const top = rules.findLast((row) => row < screen.cursor.y);
  if (top === undefined || bottom === undefined) return null;
  return /^[❯!](\s|$)/.test(screen.lines[top + 1] ?? '') ? { top, bottom } : null;
}

function readComposer(screen: Screen, box: Box): Reading & { text: string } {
  const above = screen.lines.slice(0, box.top).map((line) => line.trimEnd());
  // Hints stand on the row above the box or, where there is more room, on one below it.
  const hints = [above.at(-1) ?? '', ...screen.lines.slice(box.bottom + 1)];
  const draft = draftIn(screen, box);
  return {
    shows: 'composer',
    draft,
    ...foldedIn(draft),
    activity: activityIn(above),
    interrupted: interrupted.test(lastTold(above) ?? ''),
    stash: hints.some((row) => row.includes('› stashed')),
    cursor: screen.cursor,
    text: above.join('\n').trim(),
  };
}

function draftIn(screen: Screen, box: Box): string {
  const rows = screen.lines.slice(box.top + 1, box.bottom).map((line) => line.slice(2).trimEnd());
  const shellMode = (screen.lines[box.top + 1] ?? '').startsWith('!') ? '!' : '';
  const text = shellMode + rows.join('\n');
  if (text === '') return screen.cursor.x === 2 ? '' : ' ';
  return isPlaceholder(screen.styled[box.top + 1] ?? '') && rows.length === 1 && screen.cursor.x === 2
    ? ''
    : text;
}

/** A long paste, and nothing beside it. */
function foldedIn(draft: string): { folded: Folded } | null {
  const shown = /^\[Pasted text #\d+(?: \+(\d+) lines)?\]$/.exec(draft.trim());
  const count = Number(shown?.[1] ?? 0);
  return shown && { folded: { counts: 'line-breaks', least: count, most: count } };
}

/** A placeholder is drawn dim behind a reversed first letter; a human's text never is. */
function isPlaceholder(styled: string): boolean {
  return /\x1b\[(?:\d+;)*7m(?:\x1b\[\d*(?:;\d+)*m)*.\x1b\[(?:\d+;)*2m/.test(styled);
}

function activityIn(above: readonly string[]): Activity {
  const told = above.filter((line) => line.trim() !== '' && !hint.test(line));
  if (told.slice(-3).some((line) => spinner.test(line) && !turnOver.test(line))) return 'working';
  const last = lastTold(above);
  if (last === undefined || turnOver.test(last) || isWelcome(told)) return 'idle';
  return 'unclear';
}

/** What is indented without a mark goes on with the line above it. */
const lastTold = (above: readonly string[]): string | undefined =>
  above.findLast((line) => line.trim() !== '' && !hint.test(line) && /^\S|^\s*⎿/.test(line));

/** Nothing has been said yet. */
const isWelcome = (told: readonly string[]): boolean =>
  !told.some((line) => line.startsWith('❯') || line.startsWith('●'));

function dialogText(screen: Screen): string {
  const rows = screen.lines.map((line) => line.trim());
  const start = rows.findLastIndex((row, i) => i < screen.cursor.y && /^[─▔]{20,}$/.test(row));
  return rows
    .slice(start + 1)
    .filter((row) => row !== '' && !/^[╌─]+$/.test(row))
    .join('\n');
}

/** The character in a cell; wide characters before it would shift it, and dialogs have none there. */
function cellAt(line: string, column: number): string {
  return [...line][column] ?? '';
}
