// The whole page, as a function of the state.

import { limitsText } from '../cli/text/limits.ts';
import { clock } from '../cli/text/time.ts';
import { counts } from '../faces/signs.ts';
import { BrokenChannels } from './broken-channels.tsx';
import type { Deeds } from './deeds.ts';
import { readGuest } from './key.ts';
import { lazy } from './lazy.tsx';
import { Overview } from './overview.tsx';
import { PushButton } from './push-button.tsx';
import { findLink, flowLink, overviewLink, useLink } from './route.ts';
import { SignIn } from './sign-in.tsx';
import type { Happening, State } from './state.ts';

/** What the first look does not need. */
const SessionPage = lazy(async () => (await import('./session-page.tsx')).SessionPage);
const MessagePage = lazy(async () => (await import('./message-page.tsx')).MessagePage);
const Flow = lazy(async () => (await import('./flow/flow-page.tsx')).FlowPage);
const UsePage = lazy(async () => (await import('./use-page.tsx')).UsePage);
const Find = lazy(async () => (await import('./find.tsx')).Find);
const DialogBox = lazy(async () => (await import('./dialog-box.tsx')).DialogBox);

interface Props {
  readonly state: State;
  readonly deeds: Deeds;
  tell(happening: Happening): void;
  signIn(code: string): Promise<void>;
}

export function App({ state, tell, deeds, signIn }: Props) {
  if (state.sign === 'out') return <SignIn refused={state.refused} signIn={signIn} />;
  const { sessions, dialog, notice } = state;
  return (
    <>
      <TopLine state={state} deeds={deeds} />
      <main>
        {sessions === null ? (
          <p class="quiet">{state.awaySince === null ? 'Connecting …' : 'The daemon does not answer.'}</p>
        ) : (
          <Shown state={state} sessions={sessions} tell={tell} deeds={deeds} />
        )}
      </main>
      {notice && (
        <div class={notice.bad ? 'notice bad' : 'notice'} role="status">
          <p>{notice.text}</p>
          <button type="button" aria-label="Close" onClick={() => tell({ is: 'said', notice: null })}>
            ✕
          </button>
        </div>
      )}
      {dialog && (
        <DialogBox
          dialog={dialog}
          deeds={deeds}
          sessions={sessions ?? new Map()}
          close={() => tell({ is: 'dialog', dialog: null })}
        />
      )}
    </>
  );
}

type ShownProps = Omit<Props, 'signIn'> & { readonly sessions: NonNullable<State['sessions']> };

function Shown({ state, sessions, tell, deeds }: ShownProps) {
  const { route } = state;
  switch (route.is) {
    case 'session':
      return (
        <SessionPage
          key={route.id}
          id={route.id}
          tab={route.tab}
          session={sessions.get(route.id)}
          detail={state.detail}
          deeds={deeds}
          isUp={state.awaySince === null}
          isGuest={readGuest() !== null}
          choices={state.choices}
          tell={tell}
        />
      );
    case 'message':
      return <MessagePage key={route.id} id={route.id} sessions={sessions} deeds={deeds} />;
    case 'flow':
      return <Flow sessions={sessions} flow={state.flow} choices={state.choices} deeds={deeds} tell={tell} />;
    case 'use':
      return <UsePage deeds={deeds} />;
    case 'find':
      return <Find key={route.words} words={route.words} deeds={deeds} />;
    case 'overview':
      return <Overview sessions={sessions} choices={state.choices} tell={tell} deeds={deeds} />;
  }
}

/** The same as that of the screen: how many there are of each kind, and whether all this is still true. */
function TopLine({
  state: { sessions, awaySince, brokenChannels },
  deeds,
}: {
  readonly state: State;
  readonly deeds: Deeds;
}) {
  const found = counts(sessions?.values() ?? []);
  const limits = limitsText(sessions?.values() ?? [], Date.now());
  const waiting = found.find(({ sign }) => sign.tone === 'wait')?.count ?? 0;
  document.title = waiting > 0 ? `(${waiting}) sm` : 'sm';
  return (
    <header>
      <a class="home" href={overviewLink} aria-label="sm: all sessions">
        sm
      </a>
      <p class="counts">
        {found.map(({ sign, count }) => (
          <span key={sign.glyph} class={`tone-${sign.tone}`} title={sign.word}>
            {count}
            <span aria-hidden="true">{sign.glyph}</span>
            <span class="spoken"> {sign.word}</span>
          </span>
        ))}
      </p>
      {awaySince !== null && (
        <p class="away" role="status">
          not connected since {clock(awaySince, Date.now())}
        </p>
      )}
      <BrokenChannels names={brokenChannels} />
      {readGuest() === null ? (
        <nav>
          <a href={useLink} class={limits?.isHigh ? 'tone-wait' : undefined}>
            {limits?.text ?? 'Limits and cost'}
          </a>
          <a href={flowLink}>Flow</a>
          <a href={findLink('')}>Find</a>
          {sessions !== null && <PushButton deeds={deeds} />}
          <button type="button" class="plain" onClick={() => deeds.act('spawn', null)}>
            New session
          </button>
        </nav>
      ) : (
        <p>You are a guest: you can look, and do nothing.</p>
      )}
    </header>
  );
}
