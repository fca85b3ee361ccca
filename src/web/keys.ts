// The keys of the page: those of the table of acts, on the session that is open or has the focus in the list.
import { acts, general } from '../faces/acts.ts';
import type { SessionView } from '../protocol/session.ts';
import { isOfComposing } from './composing.ts';
import type { Deeds } from './deeds.ts';
import { findLink, overviewLink } from './route.ts';
import type { Store } from './store.ts';

export function listenToKeys(store: Store, deeds: Deeds): void {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isOfComposing(event)) return;
    if (store.state.dialog || store.state.sign === 'out' || isTyping(event.target)) return;
    if (press(event.key, store, deeds)) event.preventDefault();
  });
}

/** True: the key means something here. */
function press(key: string, store: Store, deeds: Deeds): boolean {
  const session = current(store);
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return move(1);
    case 'k':
    case 'ArrowUp':
      return move(-1);
    case '/':
      location.hash = overviewLink;
      store.tell({ is: 'focus', on: '.filter' });
      return true;
    case 'f':
      location.hash = findLink('');
      store.tell({ is: 'focus', on: '.find input' });
      return true;
    case 'Escape':
      if (store.state.route.is === 'overview')
        store.tell({ is: 'choose', change: { filter: '', problemsOnly: false } });
      location.hash = overviewLink;
      return true;
    case '?':
      store.tell({ is: 'dialog', dialog: { is: 'keys' } });
      return true;
  }
  // Space on a button or a link is the browser's.
  const isPress = key === ' ' && document.activeElement?.matches('button, summary');
  if (!isPress && deeds.choose(key, session)) return true;
  const anywhere = general.find((each) => each.key === key);
  if (anywhere) deeds.act(anywhere.command, null);
  // Enter on a link or a button is the browser's.
  const act = key === 'Enter' ? undefined : acts.find((each) => each.key === key);
  if (session && act?.can(session)) deeds.act(act.command, session);
  return anywhere !== undefined || act !== undefined;
}

function current({ state: { route, sessions } }: Store): SessionView | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-session]');
  const id = route.is === 'session' ? route.id : row?.dataset.session;
  return (id !== undefined && sessions?.get(id)) || null;
}

/** The focus goes on by one row; from nowhere, to the first. */
function move(by: number): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('.sessions .row')];
  if (rows.length === 0) return false;
  const at = rows.indexOf(document.activeElement as HTMLElement);
  rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
  return true;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
