// The one function through which the screen changes: what happened goes in, the next state and wishes come out.
import { acts } from '../faces/acts.ts';
import type { SessionView } from '../protocol/session.ts';
import { areasOf, isIn, isNarrow, scrolled, settled } from './areas.ts';
import { dialogKey, dialogPaste, wheelIn } from './dialog-keys.ts';
import { editOf, emptyEdit } from './edit.ts';
import type { Key } from './keys.ts';
import { newSession } from './new-session.ts';
import { and, noted, run, showText } from './next.ts';
import {
  arranged,
  type Choices,
  type Happening,
  lineOf,
  type Next,
  neighbour,
  type State,
  selectedSession,
  snoozeOf,
} from './state.ts';

const snoozeMs = 60 * 60_000;
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

function stillSnoozed({ snoozed }: Choices, now: number): Choices['snoozed'] {
  return new Map([...snoozed].filter(([, { until }]) => until > now));
}

function input(state: State, key: Extract<Key, { kind: 'key' | 'paste' | 'mouse' }>, now: number): Next {
  if (state.dialog) {
    if (key.kind === 'mouse') return key.act === 'press' ? and(state) : wheelIn(state, key.act);
    return key.kind === 'paste' ? dialogPaste(state, key.text) : dialogKey(state, key.key);
  }
  if (key.kind === 'mouse') return mouse(state, key);
  // A text that is pasted onto the list is meant for somebody: it is kept, and nothing is done.
  if (key.kind === 'paste')
    return noted(state, 'Pasted nothing: press s to write to the selected session.', true);
  return listKey(state, key.key, now);
}

function mouse(state: State, { act, row, column }: Extract<Key, { kind: 'mouse' }>): Next {
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

function listKey(state: State, key: string, now: number): Next {
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
    case 'p':
      return chosen(state, { problemsOnly: !state.choices.problemsOnly });
    case 'b':
      return chosen(state, { byRepository: !state.choices.byRepository });
    case 'm':
      return noted(
        { ...state, mouse: !state.mouse },
        state.mouse ? 'Mouse off: select text with it as usual. m turns it on.' : 'Mouse on.',
        false,
        { do: 'mouse', on: !state.mouse },
      );
    case 'n':
      return and({ ...state, dialog: newSession(state) });
    default: {
      const session = selectedSession(state);
      return session ? sessionKey(state, session, key, now) : and(state);
    }
  }
}

const chosen = (state: State, change: Partial<Choices>): Next => {
  const choices = { ...state.choices, ...change };
  return and({ ...state, choices }, { do: 'keep', choices });
};

function toggled<T>(set: ReadonlySet<T>, value: T): Set<T> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

function sessionKey(state: State, session: SessionView, key: string, now: number): Next {
  const { id } = session;
  const { choices } = state;
  switch (key) {
    case '*':
      return chosen(state, { pinned: toggled(choices.pinned, id) });
    case ' ':
    case 'left':
    case 'right':
      return foldKey(state, id, key);
    case 'z': {
      const snoozed = new Map(stillSnoozed(choices, now));
      if (!snoozed.delete(id)) snoozed.set(id, snoozeOf(session, now + snoozeMs));
      return chosen(state, { snoozed });
    }
    case 'y':
      return copied(state, session);
  }
  const act = acts.find((each) => each.key === key);
  if (!act) return and(state);
  if (key === 'enter' && isNarrow(state.size) && !state.opened) return and({ ...state, opened: true });
  if (!act.can(session))
    return noted(state, `${session.display_name} is ${session.phase}: ${act.words} is not possible.`, true);
  return begun(state, session, act.command);
}

function foldKey(state: State, id: string, key: string): Next {
  const { folded } = state.choices;
  const fold = key === ' ' ? !folded.has(id) : key === 'left';
  return fold === folded.has(id) ? and(state) : chosen(state, { folded: toggled(folded, id) });
}

function copied(state: State, session: SessionView): Next {
  const pane = state.detail?.id === session.id ? state.detail.pane : null;
  if (!pane) return noted(state, `Copied ${session.id}.`, false, { do: 'copy', text: session.id });
  const text = pane.lines
    .map((line) => line.replace(/\x1b\[[\d;:]*m/g, '').trimEnd())
    .join('\n')
    .trimEnd();
  return noted(state, `Copied the screen of ${session.display_name}.`, false, { do: 'copy', text });
}

/** Either runs the command at once, or asks first for what it needs. */
function begun(state: State, session: SessionView, command: string): Next {
  const { id, display_name: name, question } = session;
  switch (command) {
    case 'attach':
      return and(state, { do: 'hand-over', argv: ['attach', id] });
    case 'send':
      return and({
        ...state,
        dialog: { kind: 'send', id, edit: state.drafts.get(id) ?? emptyEdit, mode: 'sequential' },
      });
    case 'answer':
      return and({ ...state, dialog: { kind: 'answer', id, question: question?.id ?? '', reason: null } });
    case 'name':
      return and({ ...state, dialog: { kind: 'rename', id, edit: editOf(name) } });
    case 'task':
      return and({ ...state, dialog: { kind: 'task', id, edit: editOf(session.current_task ?? '') } });
    case 'kill':
      return and({
        ...state,
        dialog: { kind: 'confirm', ask: `End ${name} (${id})? It can be restored.`, argv: ['kill', id] },
      });
    case 'clear':
      return and({
        ...state,
        dialog: {
          kind: 'confirm',
          ask: `Clear the context of ${name} (${id})? It forgets its conversation.`,
          argv: ['clear', id],
        },
      });
    case 'trace':
      return and({ ...state, dialog: { kind: 'messages', id, at: 0 } });
    case 'why':
    case 'queue':
    case 'contexts':
      return showText(state, [command, id], `${command} ${name}`);
    case 'output':
      return showText(state, ['output', id, '--lines', '1000'], `output ${name}`, 'end');
    case 'tail':
      return showText(state, ['tail', id, '--lines', '200'], `events of ${name}`, 'end');
    default:
      return run(state, [command, id]);
  }
}
