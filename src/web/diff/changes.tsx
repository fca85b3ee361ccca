// What a session has changed, line by line, and comments on it: the daemon keeps them until they go to the agent, all as
// one message.
import { useState } from 'preact/hooks';
import { diffSummary } from '../../cli/text/diff.ts';
import type { CommentView } from '../../protocol/diff.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';
import { useAnswer } from '../use-answer.ts';
import { CommentNote } from './comment-note.tsx';
import { FileChanges } from './file-changes.tsx';
import { SendComments } from './send-comments.tsx';

interface Props {
  readonly session: SessionView;
  readonly deeds: Deeds;
  /** Grows whenever the comments have changed. */
  readonly heard: number;
}

/** Files are open from the start until there is more than somebody reads at a glance. */
const openLines = 400;

export function Changes({ session, deeds, heard }: Props) {
  const { id } = session;
  const [uncommitted, setUncommitted] = useState(false);
  const [looked, setLooked] = useState(0);
  // The end of a turn is when there is something new to see; meanwhile nothing moves under the reader.
  const turn = session.last_turn?.at;
  const asked = useAnswer(
    () => deeds.client.ask('GET /sessions/{ref}/diff', { ref: id, query: { uncommitted } }),
    [id, uncommitted, looked, turn],
  );
  const kept = useAnswer(
    () => deeds.client.ask('GET /sessions/{ref}/comments', { ref: id }),
    [id, heard, looked],
  );
  const comments = kept.is === 'here' ? kept.answer.comments : [];
  if (asked.is === 'waiting') return <p class="quiet">…</p>;
  const tools = (
    <div class="diff-tools">
      <button type="button" onClick={() => setLooked(looked + 1)}>
        Look again
      </button>
      <label>
        <input
          type="checkbox"
          checked={uncommitted}
          onChange={(event) => setUncommitted(event.currentTarget.checked)}
        />
        Only what is not committed
      </label>
    </div>
  );
  if (asked.is === 'refused')
    return (
      <>
        {tools}
        <p class="quiet">{asked.why}</p>
      </>
    );
  const { files } = asked.answer;
  let lines = 0;
  return (
    <section class="diff">
      {tools}
      <p>{diffSummary(asked.answer)}</p>
      <Elsewhere comments={comments.filter(({ path }) => !files.some((file) => file.path === path))}>
        {(comment) => <CommentNote key={comment.id} comment={comment} session={session} deeds={deeds} />}
      </Elsewhere>
      {files.map((file) => {
        lines += (file.added ?? 0) + (file.removed ?? 0);
        return (
          <FileChanges
            key={file.path}
            file={file}
            isOpen={lines <= openLines}
            comments={comments.filter(({ path }) => path === file.path)}
            session={session}
            deeds={deeds}
            uncommitted={uncommitted}
          />
        );
      })}
      <SendComments comments={comments} session={session} deeds={deeds} />
    </section>
  );
}

interface ElsewhereProps {
  readonly comments: readonly CommentView[];
  readonly children: (comment: CommentView) => preact.JSX.Element;
}

/** On files that have not changed any more. */
function Elsewhere({ comments, children }: ElsewhereProps) {
  if (comments.length === 0) return null;
  return (
    <>
      <h2>On files that are not in these changes any more</h2>
      {comments.map(children)}
    </>
  );
}
