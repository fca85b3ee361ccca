// What Qwen Code's screen says of itself. Nothing is typed into it but what interrupts a turn, so that only this is read:
// whether a turn runs, which its title tells, whether there is a composer, and what waits above it.
import type { Screen } from '../../ports/terminal.ts';

export interface QwenScreen {
  readonly activity: 'working' | 'idle' | 'asking';
  /** Null: there is none, as while a dialog is open or the agent starts. */
  readonly composer: { readonly isEmpty: boolean } | null;
  /** It has read a Ctrl+C, and the next one would end it: it says so below the composer, whatever its language. */
  readonly armed: boolean;
  /** What stands above the composer while texts wait to be taken up. */
  readonly pending: string;
}

const rule = /^─{20,}$/;
/** Where a text begins in the composer. */
const indent = 2;
const mostRows = 20;
/** A text that waits is shown in few rows. */
const pendingRows = 16;

/** The cursor says nothing: until something is typed, it stands below everything. */
export function readQwenScreen(screen: Screen): QwenScreen {
  const { lines, title } = screen;
  const isRule = (row: string) => rule.test(row.trimEnd());
  const below = lines.findLastIndex(isRule);
  const above = lines.slice(0, Math.max(0, below)).findLastIndex(isRule);
  const hasComposer = above >= 0 && below - above > 1 && below - above <= mostRows;
  const waits = lines.slice(below + 1).some((row) => row.includes('⏳'));
  return {
    activity: title.startsWith('◐') ? 'working' : title.startsWith('✳') ? 'asking' : 'idle',
    composer: hasComposer ? { isEmpty: isEmpty(screen, above, below) } : null,
    armed: lines.slice(below + 1).some((row) => /ctrl\s*\+\s*c\b/i.test(row)),
    pending: hasComposer && waits ? lines.slice(Math.max(0, above - pendingRows), above).join('\n') : '',
  };
}

/** An empty one is blank, or has a hint in a colour of its own. */
function isEmpty({ lines, styled }: Screen, above: number, below: number): boolean {
  if (below - above !== 2) return false;
  const row = lines[above + 1] ?? '';
  if (row.slice(indent).replace(/[\s\u200b]/g, '') === '') return true;
  return row[indent] === ' ' && isHint(styled[above + 1] ?? '');
}

/** What is typed has the colour of the terminal, a hint has one of its own. */
function isHint(styled: string): boolean {
  let own = false;
  let last = false;
  for (const [, codes, words = ''] of styled.matchAll(/\x1b\[([\d;]*)m([^\x1b]*)/g)) {
    if (/(^|;)(38;|3[0-7]|9[0-7]|2($|;))/.test(codes ?? '')) own = true;
    else if (/(^|;)(39|0?)($|;)/.test(codes ?? '')) own = false;
    if (words.trim() !== '') last = own;
  }
  return last;
}
