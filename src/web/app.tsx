// The whole page, as a function of the state.

import { clock } from '../cli/text/time.ts';
import { counts } from '../faces/signs.ts';
import { Overview } from './overview.tsx';
import { overviewLink } from './route.ts';
import { SessionPage } from './session-page.tsx';
import { SignIn } from './sign-in.tsx';
import type { Happening, State } from './state.ts';

interface Props {
  readonly state: State;
  tell(happening: Happening): void;
  signIn(code: string): Promise<void>;
}

export function App({ state, tell, signIn }: Props) {
  if (state.sign === 'out') return <SignIn refused={state.refused} signIn={signIn} />;
  const { sessions, route } = state;
  return (
    <>
      <TopLine state={state} />
      <main>
        {sessions === null ? (
          <p class="quiet">{state.awaySince === null ? 'Connecting …' : 'The daemon does not answer.'}</p>
        ) : route.is === 'session' ? (
          <SessionPage session={sessions.get(route.id)} detail={state.detail} id={route.id} />
        ) : (
          <Overview sessions={sessions} filter={state.filter} tell={tell} />
        )}
      </main>
    </>
  );
}

/** The same as that of the screen: how many there are of each kind, and whether all this is still true. */
function TopLine({ state: { sessions, awaySince } }: { readonly state: State }) {
  const found = counts(sessions?.values() ?? []);
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
    </header>
  );
}
