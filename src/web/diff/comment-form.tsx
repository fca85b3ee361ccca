// Where a comment on a line is written. What is half written stays with its line until it is saved.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PatchLine } from '../../faces/patch.ts';
import type { SessionView } from '../../protocol/session.ts';
import { Buttons } from '../buttons.tsx';
import type { Deeds } from '../deeds.ts';

interface Props {
  readonly path: string;
  readonly line: PatchLine;
  readonly session: SessionView;
  readonly deeds: Deeds;
  close(): void;
}

const drafts = new Map<string, string>();

export function CommentForm({ path, line, session, deeds, close }: Props) {
  const side = line.new === null ? 'old' : 'new';
  const number = line.new ?? line.old ?? 1;
  const key = [session.id, path, side, number, line.text].join('\0');
  const [text, setText] = useState(drafts.get(key) ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);

  async function save(): Promise<void> {
    if (text.trim() === '') return;
    const isKept = await deeds.perform(async (client) => {
      const body = { path, side, line: number, quote: line.text, text } as const;
      await client.ask('POST /sessions/{ref}/comments', { ref: session.id, body });
      return 'The comment is kept. Send all of them when you are done.';
    });
    if (!isKept) return;
    drafts.delete(key);
    close();
  }

  return (
    <form
      class="comment"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
        event.stopPropagation();
      }}
    >
      <textarea
        ref={field}
        aria-label={`Comment on ${path}:${number}`}
        rows={3}
        value={text}
        onInput={(event) => {
          drafts.set(key, event.currentTarget.value);
          setText(event.currentTarget.value);
        }}
      />
      <Buttons button="Save the comment" close={close} />
    </form>
  );
}
