// Where a message is written. What is half written stays with its session.
import { useState } from 'preact/hooks';
import { nameAndId } from '../cli/text/session.ts';
import type { SessionView } from '../protocol/session.ts';
import { isOfComposing } from './composing.ts';
import type { Deeds, Mode } from './deeds.ts';

const modes: Readonly<Record<Mode, string>> = {
  sequential: 'when it is idle',
  important: 'at its next step',
  urgent: 'now, interrupting it',
};

const drafts = new Map<string, string>();

export function Composer({ session, deeds }: { readonly session: SessionView; readonly deeds: Deeds }) {
  const { id } = session;
  const [text, setText] = useState(drafts.get(id) ?? '');
  const [mode, setMode] = useState<Mode>('sequential');
  const [isSending, setSending] = useState(false);

  const write = (next: string) => {
    drafts.set(id, next);
    setText(next);
  };

  async function send(): Promise<void> {
    if (isSending || text.trim() === '') return;
    setSending(true);
    // At once: what is written while it is under way is the next message.
    write('');
    if (!(await deeds.send(session, text, mode))) write([text, drafts.get(id)].filter(Boolean).join('\n'));
    setSending(false);
  }

  /** Where there is a keyboard, Enter sends; a finger has the button, and may want a new line. */
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isOfComposing(event)) return;
    if (!matchMedia('(pointer: fine)').matches) return;
    event.preventDefault();
    void send();
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        aria-label={`Message to ${nameAndId(session)}`}
        placeholder={`Message to ${session.display_name}`}
        rows={Math.min(8, text.split('\n').length + 1)}
        value={text}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={pressed}
      />
      <select
        aria-label="When it arrives"
        value={mode}
        onChange={(event) => setMode(event.currentTarget.value as Mode)}
      >
        {Object.entries(modes).map(([each, words]) => (
          <option key={each} value={each}>
            {each}: {words}
          </option>
        ))}
      </select>
      <button type="submit" class="main" disabled={isSending || text.trim() === ''}>
        Send
      </button>
    </form>
  );
}
