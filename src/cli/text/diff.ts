// What a session has changed, in words and lines.
import { type PatchLine, patchLines } from '../../faces/patch.ts';
import type { ChangedFileView, CommentView, DiffView } from '../../protocol/diff.ts';
import type { Io } from '../io.ts';
import { coloursFor, type Paint } from './colours.ts';
import { oneLine, safeText } from './safe.ts';
import { actor } from './session.ts';

export function diffLines(
  io: Pick<Io, 'outputIsTerminal' | 'env'>,
  diff: DiffView,
  comments: readonly CommentView[],
): string[] {
  const { bold, dim, red, green } = coloursFor(io);
  const paint: Partial<Record<PatchLine['is'], Paint>> = { added: green, removed: red, gap: dim, note: dim };
  const files = diff.files.flatMap((file) => [
    '',
    bold(fileLine(file)),
    ...(file.patch === null ? [] : patchLines(file.patch)).map((line) => {
      const text = `${signs[line.is]}${safeText(line.text)}`.trimEnd();
      return paint[line.is]?.(text) ?? text;
    }),
  ]);
  return [diffSummary(diff), ...files, ...commentLines(comments, bold)];
}

const signs: Readonly<Record<PatchLine['is'], string>> = {
  same: ' ',
  added: '+',
  removed: '-',
  gap: '@@ ',
  note: '\\ ',
};

/** `3 files changed since main (1a2b3c4d5), +12 -3` */
export function diffSummary({ base, files, more }: DiffView): string {
  const since = `${oneLine(base.name)}${base.commit === null ? '' : ` (${base.commit.slice(0, 9)})`}`;
  if (files.length === 0) return `Nothing has changed since ${since}.`;
  const sum = (of: 'added' | 'removed') => files.reduce((all, file) => all + (file[of] ?? 0), 0);
  const count = files.length + more;
  const rest = more === 0 ? '' : `; ${more} of them not listed`;
  return `${count} ${count === 1 ? 'file' : 'files'} changed since ${since}, +${sum('added')} -${sum('removed')}${rest}`;
}

/** `src/login.ts  +3 -1`, and what there is to say besides. */
export function fileLine({ path, old_path, is, added, removed, patch, left_out }: ChangedFileView): string {
  const name = old_path === null ? oneLine(path) : `${oneLine(old_path)} → ${oneLine(path)}`;
  const counts = added === null ? '' : `  +${added} -${removed ?? 0}`;
  const words = [is === 'changed' ? '' : is, left_out === null ? '' : leftOut[left_out]].filter(Boolean);
  const still = patch === '' && is === 'changed' ? ['only its mode'] : [];
  const more = [...words, ...still].join(', ');
  return `${name}${counts}${more === '' ? '' : `  (${more})`}`;
}

const leftOut: Readonly<Record<NonNullable<ChangedFileView['left_out']>, string>> = {
  binary: 'binary',
  long: 'too long to show here',
  'no-file': 'not a file',
};

function commentLines(comments: readonly CommentView[], bold: Paint): string[] {
  if (comments.length === 0) return [];
  const count =
    comments.length === 1 ? '1 comment, not sent yet' : `${comments.length} comments, not sent yet`;
  return [
    '',
    bold(count),
    ...comments.flatMap(({ path, line, side, quote, text, by }) => [
      `  ${oneLine(path)}:${line}${side === 'old' ? ' (removed)' : ''}, by ${actor(by)}`,
      `    > ${oneLine(quote)}`,
      ...safeText(text)
        .split('\n')
        .map((each) => `    ${each}`),
    ]),
  ];
}
