// Starts the page: signs in if the address brings a code, listens, draws.
import { render } from 'preact';
import { createClient } from '../client/client.ts';
import { App } from './app.tsx';
import { keepChoices } from './choices.ts';
import { createDeeds } from './deeds.ts';
import { type Feed, openFeed } from './feed.ts';
import { browserName, keepGuest, keepKey, readGuest, takeCode } from './key.ts';
import { listenToKeys } from './keys.ts';
import { sessionLink } from './route.ts';
import { createStore } from './store.ts';
import { pageTransport } from './transport.ts';

const client = createClient(pageTransport);
const root = document.getElementById('page') as HTMLElement;
const store = createStore(() => draw());
const deeds = createDeeds(client, store);
keepChoices(store);
let feed: Feed | null = null;

function draw(): void {
  const { state, tell } = store;
  render(<App state={state} tell={tell} deeds={deeds} signIn={signIn} />, root);
  const wanted = state.focus === null ? null : document.querySelector<HTMLElement>(state.focus);
  if (!wanted) return;
  wanted.focus();
  tell({ is: 'focus', on: null });
}

async function signIn(code: string): Promise<void> {
  try {
    const { key, device } = await client.ask('POST /devices', { body: { code, name: browserName() } });
    keepKey(key);
    keepGuest(device.guest_of);
    store.tell({ is: 'signed-in' });
    listen();
  } catch (error) {
    store.tell({ is: 'signed-out', why: error instanceof Error ? error.message : String(error) });
  }
}

function listen(): void {
  feed?.stop();
  feed = openFeed(client, store);
  went();
}

function went(): void {
  const code = takeCode();
  if (code !== null) return void signIn(code);
  const guest = readGuest();
  const isElsewhere = guest !== null && !location.hash.startsWith(sessionLink(guest));
  store.tell({ is: 'went', hash: isElsewhere ? sessionLink(guest) : location.hash });
  const { route } = store.state;
  feed?.follow(route.is === 'session' ? route.id : null);
  feed?.flow();
}

window.addEventListener('hashchange', went);
listenToKeys(store, deeds);
// How long ago something was is said anew once a minute, and only while somebody looks.
setInterval(() => document.visibilityState === 'visible' && draw(), 60_000);

const code = takeCode();
if (code === null) listen();
else void signIn(code);
draw();
