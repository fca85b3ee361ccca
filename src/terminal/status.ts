// The line that whoever is attached reads below the pane, as options of the server that its format shows.
import type { StatusLine } from '../ports/terminal.ts';

export function statusCommands({ counts, next, titles }: StatusLine): string[][] {
  return [
    ['set-option', '-gq', '@sm-counts', counts],
    ['set-option', '-gq', '@sm-next', next ?? ''],
    ...[...titles].map(([pane, title]) => ['set-option', '-q', '-t', `=${pane}:`, '@sm-title', plain(title)]),
  ];
}

/** A name is shown as it is: nothing in it is a style, and nothing moves a cursor. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, ' ').replaceAll('#', '##');
