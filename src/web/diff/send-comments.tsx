// All comments on the way to the agent, as one message.
import { useState } from 'preact/hooks';
import { sentLine } from '../../cli/text/message.ts';
import type { CommentView } from '../../protocol/diff.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';

interface Props {
  readonly comments: readonly CommentView[];
  readonly session: SessionView;
  readonly deeds: Deeds;
}

export function SendComments({ comments, session, deeds }: Props) {
  const [text, setText] = useState('');
  const [isSending, setSending] = useState(false);
  if (comments.length === 0) return <p class="quiet">Click a line number to comment on its line.</p>;
  const count = comments.length === 1 ? 'the comment' : `${comments.length} comments as one message`;

  async function send(): Promise<void> {
    if (isSending) return;
    setSending(true);
    const sentAt = Date.now();
    const isDone = await deeds.perform(async (client) => {
      const body = { comments: comments.map(({ id }) => id), ...(text.trim() && { text }) };
      return sentLine(
        session,
        await client.ask('POST /sessions/{ref}/comments/send', { ref: session.id, body }),
        sentAt,
      );
    });
    if (isDone) setText('');
    setSending(false);
  }

  return (
    <form
      class="send-comments"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        aria-label="What comes before the comments"
        placeholder="What comes before them (may be left empty)"
        rows={2}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="main" disabled={isSending || session.ended !== null}>
        Send {count}
      </button>
    </form>
  );
}
