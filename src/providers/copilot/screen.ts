// Reads Copilot's screen. The composer is the box between two rules that holds the cursor, and the row below it says
// whether a turn runs; a dialog has no composer, and says how to choose. Anything else is unknown, and unknown means: do
// not type. That includes its sidebar, which stands beside the composer and takes keys away from it.
import type { Folded, Reading } from '../../domain/core/fact.ts';
import type { Screen } from '../../ports/terminal.ts';

const rule = /^─{20,}\s*$/;
/** A sign that moves, and how to interrupt it. What it loads at its start, or has left running, is no turn. */
const working = /^ [○◉●◎] (?!Waiting for background)(Cancelling\b|.*\besc (esc|again to) )/;
/** It does this also between turns, and says so above the composer. */
const compacting = /^[○◉●◎] Compacting /;
const choosing = /\benter (to )?(select|accept|confirm|submit)\b/i;

export function readCopilotScreen(screen: Screen): Reading & { text: string } {
  const box = composerBox(screen);
  if (box) return readComposer(screen, box);
  const text = dialogText(screen);
  if (text !== null) return { shows: 'dialog', text };
  return { shows: 'unknown', text: screen.lines.map(withoutScrollbar).join('\n').trimEnd() };
}

interface Box {
  readonly top: number;
  readonly bottom: number;
}

function composerBox({ lines, cursor }: Screen): Box | null {
  const rules = lines.flatMap((line, row) => (rule.test(line) ? [row] : []));
  const bottom = rules.find((row) => row > cursor.y);
  const top = rules.findLast((row) => row < cursor.y);
  if (top === undefined || bottom === undefined || cursor.x < 2) return null;
  return /^[❯!](\s|$)/.test(lines[top + 1] ?? '') ? { top, bottom } : null;
}

function readComposer(screen: Screen, { top, bottom }: Box): Reading & { text: string } {
  const above = screen.lines.slice(0, top).map(withoutScrollbar);
  const below = screen.lines.slice(bottom + 1);
  const draft = draftIn(screen, { top, bottom });
  return {
    shows: 'composer',
    draft,
    ...foldedIn(draft),
    activity:
      below.some((row) => working.test(row)) || above.slice(-3).some((row) => compacting.test(row))
        ? 'working'
        : 'idle',
    interrupted: /^ ● Operation cancelled by user/.test(lastTold(above) ?? ''),
    stash: below.some((row) => /\bstashed( ·|\s*$)/.test(row)),
    cursor: screen.cursor,
    text: above.join('\n').trim(),
  };
}

function draftIn({ lines, cursor }: Screen, { top, bottom }: Box): string {
  const rows = lines.slice(top + 1, bottom).map((line) => line.slice(2).trimEnd());
  // What stands in an empty one there was typed by nobody.
  if (lines[top + 1]?.startsWith('!'))
    return cursor.x === 2 && rows.length === 1 ? '!' : `!${rows.join('\n')}`;
  const text = rows.join('\n');
  // Blanks cannot be seen, but the cursor stands behind them.
  return text.trim() === '' && (cursor.x > 2 || rows.length > 1) ? ' ' : text;
}

/** A long paste, and nothing beside it. */
function foldedIn(draft: string): { folded: Folded } | null {
  const shown = /^\[Paste #\d+ - (\d+) lines\]$/.exec(draft.trim());
  const breaks = Number(shown?.[1]) - 1;
  return shown && { folded: { counts: 'line-breaks', least: breaks, most: breaks } };
}

const withoutScrollbar = (line: string): string => line.replace(/\s*┃?\s*$/, '');

/** What is indented further goes on with the line above it; last of all stands the directory. */
const lastTold = (above: readonly string[]): string | undefined =>
  above.findLast((line) => /^ [●✗❯$!○] /.test(line));

/** Its own words: those in the last frame, or behind the last rule, or all that is there; its hints stand last. */
function dialogText({ lines }: Screen): string | null {
  const rows = lines.map((line) =>
    line
      .replace(/^\s*│ ?/, '')
      .replace(/[│┃]?\s*$/, '')
      .trim(),
  );
  // Where there is little room, the hints take two rows.
  const hint = rows.findLastIndex((row, at) => row !== '' && choosing.test(`${row} ${rows[at + 1] ?? ''}`));
  if (hint < 0 || rows.slice(hint + 1).filter((row) => /[^\s─╰╯]/.test(row)).length > 1) return null;
  const start = lines.findLastIndex((line, row) => row < hint && (/^╭─/.test(line) || rule.test(line)));
  return rows
    .slice(start + 1, hint)
    .map((row) => row.replace(/^│\s*|\s*│$/g, ''))
    .filter((row) => row !== '' && !/^[─╭╮╰╯]+$/.test(row))
    .join('\n');
}
