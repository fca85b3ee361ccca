// Typing into a terminal. It is locked at first, so that nobody types by accident into what he only looks at. Where there is
// a keyboard, its keys go as they are pressed; a finger has a text field, whose text goes in one piece when it is sent, so
// that nothing that a phone's keyboard composes and corrects can arrive twice.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameAndId } from '../../cli/text/session.ts';
import { createTypist, type Typist } from '../../client/typist.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { TypedView } from '../../protocol/typing.ts';
import type { Deeds } from '../deeds.ts';
import { typedBy } from './press.ts';

interface Props {
  readonly session: SessionView;
  readonly deeds: Deeds;
  readonly frame: { readonly current: HTMLElement | null };
  readonly isUnlocked: boolean;
  setUnlocked(is: boolean): void;
}

const bar: readonly (readonly [string, string])[] = [
  ['Esc', 'Escape'],
  ['Tab', 'Tab'],
  ['⇧Tab', 'BTab'],
  ['↑', 'Up'],
  ['↓', 'Down'],
  ['←', 'Left'],
  ['→', 'Right'],
  ['Ctrl-C', 'C-c'],
  ['⏎', 'Enter'],
];

export function Keyboard({ session, deeds, frame, isUnlocked, setUnlocked }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  const typist = useTypist(deeds, session.id, setProblem);
  const field = useRef<HTMLInputElement>(null);
  const [isControl, setControl] = useState(false);
  useKeys(frame, isUnlocked, typist);

  function sendField(withEnter: boolean): void {
    const text = field.current?.value ?? '';
    if (field.current) field.current.value = '';
    const isLetter = isControl && /^[a-z]$/i.test(text);
    setControl(false);
    const typed: TypedView[] = isLetter
      ? [{ key: `C-${text.toLowerCase()}` }]
      : text === ''
        ? []
        : [{ paste: text }];
    typist.type(...typed, ...(withEnter && !isLetter ? [{ key: 'Enter' }] : []));
  }

  if (!isUnlocked)
    return (
      <div class="keyboard">
        <button type="button" onClick={() => setUnlocked(true)}>
          Type into it
        </button>
        <p class="quiet-line">Locked: you only look. Its size stays as it is.</p>
      </div>
    );
  return (
    <div class="keyboard">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          sendField(true);
        }}
      >
        <input
          ref={field}
          aria-label={`Text for the terminal of ${nameAndId(session)}`}
          placeholder={isControl ? 'a letter, with Ctrl' : 'Text, sent with Enter'}
          autocapitalize="off"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="main">
          Send
        </button>
        <button type="button" onClick={() => sendField(false)}>
          Without Enter
        </button>
      </form>
      <div class="key-bar" role="toolbar" aria-label="Keys">
        {bar.map(([label, key]) => (
          <button type="button" key={key} onClick={() => typist.type({ key })}>
            {label}
          </button>
        ))}
        <button type="button" aria-pressed={isControl} onClick={() => setControl(!isControl)}>
          Ctrl
        </button>
        <button type="button" onClick={() => setUnlocked(false)}>
          Lock
        </button>
      </div>
      {problem === null ? (
        <p class="quiet-line for-keyboard">Click into the terminal to type with your keyboard.</p>
      ) : (
        <p class="quiet-line" role="status">
          {problem}
        </p>
      )}
    </div>
  );
}

function useTypist(deeds: Deeds, id: string, setProblem: (problem: string | null) => void): Typist {
  const typist = useRef<Typist | null>(null);
  typist.current ??= createTypist(
    async (typed) =>
      void (await deeds.client.ask('POST /sessions/{ref}/typing', { ref: id, body: { typed } })),
    setProblem,
  );
  return typist.current;
}

function useKeys(frame: Props['frame'], isUnlocked: boolean, typist: Typist): void {
  // Before the next key: what is typed right after unlocking is for the pane.
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || !isUnlocked) return;
    current.tabIndex = 0;
    current.focus({ preventScroll: true });
    const pressed = (event: KeyboardEvent) => {
      const copies = event.ctrlKey && event.key === 'c' && !getSelection()?.isCollapsed;
      const pastes = event.ctrlKey && event.key === 'v';
      const typed = copies || pastes ? null : typedBy(event);
      event.stopPropagation();
      if (!typed) return;
      event.preventDefault();
      typist.type(typed);
    };
    const pasted = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text') ?? '';
      event.preventDefault();
      if (text !== '') typist.type({ paste: text });
    };
    current.addEventListener('keydown', pressed);
    current.addEventListener('paste', pasted);
    return () => {
      current.removeAttribute('tabindex');
      current.removeEventListener('keydown', pressed);
      current.removeEventListener('paste', pasted);
    };
  }, [frame, isUnlocked, typist]);
}
