// Keys and the mouse on the list: moving, choosing what is shown, opening dialogs. The rest is for the selected session.
import { chosenForList } from '../faces/choices.ts';
import { areasOf, isIn, isNarrow, scrolled, settled } from './areas.ts';
import { editOf, emptyEdit } from './edit.ts';
import type { Key } from './keys.ts';
import { newSession } from './new-session.ts';
import { and, chosen, noted } from './next.ts';
import { sessionKey } from './session-keys.ts';
import { lineOf, type Next, neighbour, type State, selectedSession } from './state.ts';

export function listMouse(state: State, { act, row, column }: Extract<Key, { kind: 'mouse' }>): Next {
  const { list } = areasOf(state.size, state.opened);
  if (!isIn(list, row, column)) return and(state);
  if (act !== 'press') {
    const by = act === 'up' ? -3 : 3;
    return and({ ...state, top: settled(state.top + by, state.list.lines.length, list.rows) });
  }
  const line = state.list.lines[row - list.row + state.top];
  if (line?.kind !== 'session') return and(state);
  const { id } = line.row.session;
  return and({ ...state, placed: true, selected: id, opened: isNarrow(state.size) || state.opened });
}

function moved(state: State, by: number): Next {
  const { lines } = state.list;
  const { list } = areasOf(state.size, false);
  const rows = list?.rows ?? 1;
  const from = lineOf(lines, state.selected) ?? 0;
  let at = from;
  // Titles are stepped over.
  for (let next = from + Math.sign(by); next >= 0 && next < lines.length; next += Math.sign(by)) {
    if (lines[next]?.kind === 'session') at = next;
    if (Math.abs(next - from) >= Math.abs(by) && lines[next]?.kind === 'session') break;
  }
  const selected = neighbour(lines, at);
  const wantedLine = at <= 1 ? 0 : at;
  return and({
    ...state,
    selected,
    placed: true,
    top: settled(scrolled(scrolled(state.top, at, rows), wantedLine, rows), lines.length, rows),
  });
}

/** The list from its beginning, as long as nobody moves. */
const home = (state: State): Next =>
  and({ ...state, placed: false, list: { ...state.list, of: [null, null] } });

/** The next one that waits for a human, from here downwards and then from the top. */
function nextWaiting(state: State): Next {
  const waiting = state.list.lines.flatMap((line, at) =>
    line.kind === 'session' && line.row.session.question ? [{ id: line.row.session.id, at }] : [],
  );
  const from = lineOf(state.list.lines, state.selected) ?? -1;
  const next = waiting.find(({ at }) => at > from) ?? waiting[0];
  if (!next) return noted(state, 'Nobody waits for you.');
  const { list } = areasOf(state.size, false);
  return and({
    ...state,
    placed: true,
    selected: next.id,
    top: scrolled(state.top, next.at, list?.rows ?? 1),
  });
}

export function listKey(state: State, key: string, now: number): Next {
  const { list } = areasOf(state.size, false);
  const page = Math.max(1, (list?.rows ?? 2) - 1);
  switch (key) {
    case 'q':
    case 'ctrl+c':
      return and(state, { do: 'quit' });
    case 'ctrl+z':
      return and(state, { do: 'suspend' });
    case 'escape':
      if (state.opened) return and({ ...state, opened: false });
      return state.choices.filter || state.choices.problemsOnly
        ? chosen(state, { filter: '', problemsOnly: false })
        : home(state);
    case 'down':
    case 'j':
      return moved(state, 1);
    case 'up':
    case 'k':
      return moved(state, -1);
    case 'pagedown':
    case 'ctrl+d':
      return moved(state, page);
    case 'pageup':
    case 'ctrl+u':
      return moved(state, -page);
    case 'g':
    case 'home':
      return home(moved(state, -state.list.lines.length).state);
    case 'G':
    case 'end':
      return moved(state, state.list.lines.length);
    case 'tab':
      return nextWaiting(state);
    case '/':
      return and({
        ...state,
        dialog: { kind: 'filter', edit: editOf(state.choices.filter), before: state.choices.filter },
      });
    case ':':
      return and({ ...state, dialog: { kind: 'command', edit: state.drafts.get(':') ?? emptyEdit } });
    case '?':
      return and({ ...state, dialog: { kind: 'help', top: 0 } });
    case 'l':
      return and({ ...state, dialog: { kind: 'log', at: Math.max(0, state.log.size - 1) } });
    case 'm':
      return noted(
        { ...state, mouse: !state.mouse },
        state.mouse ? 'Mouse off: select text with it as usual. m turns it on.' : 'Mouse on.',
        false,
        { do: 'mouse', on: !state.mouse },
      );
    case 'n':
      return and({ ...state, dialog: newSession(state) }, { do: 'ask-profiles' });
    default: {
      const choice = chosenForList(state.choices, key);
      if (choice) return chosen(state, choice);
      const session = selectedSession(state);
      return session ? sessionKey(state, session, key, now) : and(state);
    }
  }
}
