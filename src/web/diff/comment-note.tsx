// One comment that waits to be sent.
import { actor } from '../../cli/text/session.ts';
import { clock } from '../../cli/text/time.ts';
import type { CommentView } from '../../protocol/diff.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';

interface Props {
  readonly comment: CommentView;
  readonly session: SessionView;
  readonly deeds: Deeds;
  /** It stands below its line; otherwise it says which one it was. */
  readonly isPlaced?: boolean;
}

export function CommentNote({ comment, session, deeds, isPlaced = false }: Props) {
  const { id, path, line, quote, text, by, at } = comment;
  const drop = () =>
    deeds.perform(async (client) => {
      await client.ask('DELETE /sessions/{ref}/comments/{id}', { ref: session.id, id });
      return 'The comment was deleted.';
    });
  return (
    <div class="comment">
      <p class="head">
        {actor(by)}, <time dateTime={at}>{clock(at, Date.now())}</time>
        {!isPlaced && `, on ${path}:${line}, which was: `}
        {!isPlaced && <code>{quote}</code>}
        <button
          type="button"
          class="plain delete"
          aria-label={`Delete the comment on ${path}:${line}`}
          onClick={drop}
        >
          Delete
        </button>
      </p>
      <p class="text">{text}</p>
    </div>
  );
}
