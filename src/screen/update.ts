// The one function through which the screen changes: what happened goes in, the next state and wishes come out.
import { stillSnoozed } from '../faces/choices.ts';
import { dialogKey, dialogPaste, wheelIn } from './dialog-keys.ts';
import type { Key } from './keys.ts';
import { listKey, listMouse } from './list-keys.ts';
import { withProfiles } from './new-session.ts';
import { and, noted } from './next.ts';
import { arranged, type Happening, type Next, type State } from './state.ts';

const keptEvents = 200;
const keptRuns = 200;

export function update(state: State, happening: Happening, now: number): Next {
  switch (happening.kind) {
    case 'key':
    case 'paste':
    case 'mouse':
      return followed(arranged(state), input(arranged({ ...state, note: null }), happening, now));
    case 'focus':
      return and(state);
    case 'resize':
      return and({ ...state, size: { rows: happening.rows, columns: happening.columns } });
    case 'sessions':
      return selectFirst(
        { ...state, sessions: new Map(happening.sessions.map((session) => [session.id, session])) },
        state,
      );
    case 'session':
      return selectFirst(
        { ...state, sessions: new Map(state.sessions).set(happening.session.id, happening.session) },
        state,
      );
    case 'left': {
      const sessions = new Map(state.sessions);
      sessions.delete(happening.id);
      return selectFirst({ ...state, sessions }, state);
    }
    case 'event':
      return and(withEvent(state, happening));
    case 'link':
      return and({ ...state, link: { up: happening.up, since: now } });
    case 'channels':
      return and(state.channels === happening.text ? state : { ...state, channels: happening.text });
    case 'pane':
      return and(withDetail(state, happening.id, { pane: happening.pane }));
    case 'detail': {
      const { kind: _, id, ...more } = happening;
      return and(withDetail(state, id, more));
    }
    case 'ran':
      return and(ended(state, happening));
    case 'back':
      return and({
        ...state,
        note: happening.note === '' ? null : { text: happening.note, bad: happening.bad },
      });
    case 'profiles':
      return and({ ...state, dialog: withProfiles(state.dialog, happening.names) });
    case 'woke':
      return and({ ...state, choices: { ...state.choices, snoozed: stillSnoozed(state.choices, now) } });
  }
}

/** Whatever is selected in the end is what is followed. */
function followed(before: State, { state, wishes }: Next): Next {
  const next = arranged(state);
  if (next.selected === before.selected) return { state: next, wishes };
  const detail = next.selected === null ? null : { id: next.selected, pane: null, messages: [], events: [] };
  return { state: { ...next, detail }, wishes: [...wishes, { do: 'follow', id: next.selected }] };
}

/** Somebody is selected as soon as there is somebody. */
function selectFirst(state: State, before: State): Next {
  const gone = state.selected !== null && !state.sessions.has(state.selected);
  return state.selected === null || gone ? followed(before, and(arranged(state))) : and(state);
}

function withDetail(state: State, id: string, more: Partial<NonNullable<State['detail']>>): State {
  return state.detail?.id === id ? { ...state, detail: { ...state.detail, ...more } } : state;
}

function withEvent(state: State, { event }: Extract<Happening, { kind: 'event' }>): State {
  const { detail } = state;
  if (detail?.id !== event.session_id || (detail.events.at(-1)?.number ?? 0) >= event.number) return state;
  return { ...state, detail: { ...detail, events: [...detail.events, event].slice(-keptEvents) } };
}

function ended(state: State, { run: number, code, out }: Extract<Happening, { kind: 'ran' }>): State {
  const ran = state.log.get(number);
  if (!ran) return state;
  const log = new Map([...state.log].slice(-keptRuns)).set(number, { ...ran, code, out });
  const shown = state.dialog?.kind === 'text' && state.dialog.run === number;
  const note = shown ? state.note : { text: firstLine(out), bad: code !== 0 };
  return { ...state, log, note };
}

const firstLine = (text: string): string => text.split('\n').find((line) => line.trim() !== '') ?? 'Done.';

function input(state: State, key: Extract<Key, { kind: 'key' | 'paste' | 'mouse' }>, now: number): Next {
  if (state.dialog) {
    if (key.kind === 'mouse') return key.act === 'press' ? and(state) : wheelIn(state, key.act);
    return key.kind === 'paste' ? dialogPaste(state, key.text) : dialogKey(state, key.key);
  }
  if (key.kind === 'mouse') return listMouse(state, key);
  // A text that is pasted onto the list is meant for somebody: it is kept, and nothing is done.
  if (key.kind === 'paste')
    return noted(state, 'Pasted nothing: press s to write to the selected session.', true);
  return listKey(state, key.key, now);
}
