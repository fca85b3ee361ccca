// Reads the few things of Claude Code's screen that the tests need: its composer stands between the two
// lowest rules, whatever else is shown above and below.
import type { PaneScreen } from './pane.ts';

const isRule = (line: string) => /^─{20,}$/.test(line.trim());
const prompt = '❯\u00a0';

/** The text in the composer, or null when there is none on the screen (a dialog, a start not yet over). */
export function composer({ lines }: Pick<PaneScreen, 'lines'>): string | null {
  const below = lines.findLastIndex(isRule);
  const above = lines.slice(0, Math.max(below, 0)).findLastIndex(isRule);
  const [first, ...rest] = above < 0 ? [] : lines.slice(above + 1, below);
  if (!first?.startsWith(prompt)) return null;
  return [first.slice(prompt.length), ...rest.map((line) => line.slice(2))]
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The row above the composer says whether a draft has been put aside. */
export const hasStash = ({ text }: Pick<PaneScreen, 'text'>) => /› stashed\s*$/m.test(text);

export const asksToProceed = ({ text }: Pick<PaneScreen, 'text'>) =>
  text.includes('Do you want to proceed?') && /^ ❯ 1\. Yes/m.test(text);
