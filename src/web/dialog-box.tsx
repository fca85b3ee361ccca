// The dialog that is open, in the browser's own frame: it keeps the focus, and Escape closes it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { acts, general } from '../faces/acts.ts';
import { listChoices, noChoices } from '../faces/choices.ts';
import type { SessionView } from '../protocol/session.ts';
import { Buttons } from './buttons.tsx';
import type { Deeds } from './deeds.ts';
import type { Dialog } from './dialogs.ts';
import { SpawnForm } from './spawn-form.tsx';

interface Props {
  readonly dialog: Dialog;
  readonly deeds: Deeds;
  readonly sessions: ReadonlyMap<string, SessionView>;
  close(): void;
}

export function DialogBox(props: Props) {
  const { dialog, close } = props;
  const frame = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    frame.current?.showModal();
  }, [dialog]);
  // The state closes it, not the browser: else a key that follows at once would find it closed, and yet open.
  const cancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  return (
    <dialog
      ref={frame}
      class={`dialog dialog-${dialog.is}`}
      onCancel={cancel}
      onClose={close}
      aria-labelledby="dialog-title"
    >
      <Content {...props} />
    </dialog>
  );
}

function Content({ dialog, deeds, sessions, close }: Props) {
  switch (dialog.is) {
    case 'confirm':
      return (
        <form method="dialog" onSubmit={() => void deeds.perform(dialog.work)}>
          <h2 id="dialog-title">{dialog.title}</h2>
          <p>{dialog.text}</p>
          <Buttons button={dialog.button} close={close} />
        </form>
      );
    case 'line':
      return <LineForm dialog={dialog} deeds={deeds} close={close} />;
    case 'text':
      return <Reading dialog={dialog} deeds={deeds} close={close} />;
    case 'spawn':
      return <SpawnForm deeds={deeds} sessions={sessions} close={close} />;
    case 'keys':
      return <Keys close={close} />;
  }
}

type Part<Is extends Dialog['is']> = Omit<Props, 'dialog' | 'sessions'> & {
  readonly dialog: Extract<Dialog, { is: Is }>;
};

function LineForm({ dialog, deeds, close }: Part<'line'>) {
  const [text, setText] = useState(dialog.value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void deeds.perform(dialog.work(text.trim()));
      }}
    >
      <h2 id="dialog-title">{dialog.title}</h2>
      <label>
        {dialog.label}
        <input
          value={text}
          required={!dialog.optional}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Buttons button={dialog.button} close={close} />
    </form>
  );
}

function Reading({ dialog, deeds, close }: Part<'text'>) {
  const [text, setText] = useState('…');
  useEffect(() => {
    dialog.load(deeds.client).then(setText, (error: Error) => setText(error.message));
  }, [dialog]);
  return (
    <>
      <h2 id="dialog-title">{dialog.title}</h2>
      <pre>{text}</pre>
      <Close close={close} />
    </>
  );
}

const sessionKeys = [
  ['*', 'pin it to the top, or unpin it'],
  ['z', 'snooze it until something changes, for an hour at most; or bring it back'],
  ['space', 'fold or unfold its family'],
] as const;

function Keys({ close }: { close(): void }) {
  const rows: readonly (readonly [string, string])[] = [
    ['j k', 'move in the list'],
    ['/', 'find sessions'],
    ['f', 'find words in everything that was written and said'],
    ['esc', 'back to all sessions'],
    ...sessionKeys,
    ...listChoices(noChoices),
    ...[...acts, ...general].map(({ key, words }) => [key, words] as const),
  ];
  return (
    <>
      <h2 id="dialog-title">Keys</h2>
      <dl>
        {rows.map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <Close close={close} />
    </>
  );
}

const Close = ({ close }: { close(): void }) => (
  <div class="buttons">
    <button type="button" onClick={close}>
      Close
    </button>
  </div>
);
