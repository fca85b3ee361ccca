// The changes of one file. Its lines are drawn when it is open, and asked for alone where they were too many.
import { Fragment } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { fileLine } from '../../cli/text/diff.ts';
import { type PatchLine, patchLines, placeOfRemark } from '../../faces/patch.ts';
import type { ChangedFileView, CommentView } from '../../protocol/diff.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentNote } from './comment-note.tsx';

interface Props {
  readonly file: ChangedFileView;
  readonly comments: readonly CommentView[];
  readonly isOpen: boolean;
  readonly uncommitted: boolean;
  readonly session: SessionView;
  readonly deeds: Deeds;
}

export function FileChanges(props: Props) {
  const { file, comments, session, deeds } = props;
  const [isOpen, setOpen] = useState(props.isOpen || comments.length > 0);
  const { patch, more } = usePatch(props);
  const lines = useMemo(() => (isOpen && patch !== null ? patchLines(patch) : []), [isOpen, patch]);
  const placed = new Map<number | null, CommentView[]>();
  for (const comment of comments) {
    const at = placeOfRemark(lines, comment);
    placed.set(at, [...(placed.get(at) ?? []), comment]);
  }
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {fileLine({ ...file, ...(patch !== null && { left_out: null }) })}
        {comments.length > 0 && `, ${comments.length === 1 ? '1 comment' : `${comments.length} comments`}`}
      </summary>
      {more && (
        <button type="button" onClick={more}>
          Show it
        </button>
      )}
      {(placed.get(null) ?? []).map((comment) => (
        <CommentNote key={comment.id} comment={comment} session={session} deeds={deeds} />
      ))}
      {isOpen && <Lines {...props} lines={lines} placed={placed} />}
    </details>
  );
}

/** What of the whole was too long is asked for by itself. */
function usePatch({ file, session, deeds, uncommitted }: Props) {
  const [own, setOwn] = useState<string | null>(null);
  const patch = file.patch ?? own;
  const ask = () =>
    void deeds.perform(async (client) => {
      const query = { path: file.path, uncommitted };
      const { files } = await client.ask('GET /sessions/{ref}/diff', { ref: session.id, query });
      const found = files.find(({ path }) => path === file.path);
      setOwn(found?.patch ?? null);
      return found?.patch === null ? `${file.path} is too long for the page: look at it in an editor.` : '';
    });
  return { patch, more: patch === null && file.left_out === 'long' ? ask : null };
}

interface LinesProps extends Props {
  readonly lines: readonly PatchLine[];
  readonly placed: ReadonlyMap<number | null, readonly CommentView[]>;
}

function Lines({ lines, placed, file, session, deeds }: LinesProps) {
  const [written, setWritten] = useState<number | null>(null);
  const [focused, setFocused] = useState(0);
  const numbered = lines.flatMap((line, at) => (line.old === null && line.new === null ? [] : [at]));
  const current = numbered.includes(focused) ? focused : numbered[0];
  return (
    <div class="lines">
      {lines.map((line, at) => (
        <Fragment key={at}>
          <div class={`line ${line.is}`}>
            {line.old === null && line.new === null ? (
              <span class="number" />
            ) : (
              <button
                type="button"
                class="number"
                data-line={at}
                tabIndex={at === current ? 0 : -1}
                aria-label={`Comment on ${line.is === 'removed' ? 'removed ' : ''}line ${line.new ?? line.old}: ${line.text}`}
                onFocus={() => setFocused(at)}
                onClick={() => setWritten(at)}
                onKeyDown={walk}
              >
                {line.new ?? line.old}
              </button>
            )}
            <span class="mark" aria-hidden="true">
              {marks[line.is]}
            </span>
            <code>{line.text}</code>
          </div>
          {(placed.get(at) ?? []).map((comment) => (
            <CommentNote key={comment.id} comment={comment} session={session} deeds={deeds} isPlaced />
          ))}
          {written === at && (
            <CommentForm
              path={file.path}
              line={line}
              session={session}
              deeds={deeds}
              close={() => setWritten(null)}
            />
          )}
        </Fragment>
      ))}
    </div>
  );
}

const marks: Readonly<Record<PatchLine['is'], string>> = {
  same: '',
  added: '+',
  removed: '−',
  gap: '…',
  note: '',
};

/** Up and down go from line to line; the Tab key passes the file in one step. */
function walk(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const from = event.currentTarget as HTMLElement;
  if (by === 0) return;
  event.preventDefault();
  event.stopPropagation();
  const all = [...(from.closest('.lines')?.querySelectorAll<HTMLElement>('[data-line]') ?? [])];
  all[all.indexOf(from) + by]?.focus();
}
