// All that the screen knows, and what happens to it.
import type { PaneScreen } from '../client/screen-after.ts';
import { arrange, type Line } from '../faces/attention.ts';
import { type Choices, noChoices, wantedOf } from '../faces/choices.ts';
import type { Depth } from '../faces/pen.ts';
import type { EventView } from '../protocol/event.ts';
import type { MessageView } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import { areasOf, scrolled } from './areas.ts';
import type { Dialog } from './dialogs.ts';
import type { Edit } from './edit.ts';
import type { Key } from './keys.ts';

export type { PaneScreen };

/** What is known of the selected session beyond its view. */
export interface Detail {
  readonly id: string;
  readonly pane: PaneScreen | null;
  readonly messages: readonly MessageView[];
  /** The newest last. */
  readonly events: readonly EventView[];
}

export interface Ran {
  readonly argv: readonly string[];
  /** Null: it still runs. */
  readonly code: number | null;
  readonly out: string;
}

export interface State {
  readonly size: { readonly rows: number; readonly columns: number };
  readonly depth: Depth;
  readonly sessions: ReadonlyMap<string, SessionView>;
  /** `since`: when the daemon was last heard; undefined: never yet. */
  readonly link: { readonly up: boolean; readonly since?: number };
  /** What is to be said of channels that do not work. */
  readonly channels: string | null;
  readonly choices: Choices;
  /** The list, as it was arranged of these sessions and choices. */
  readonly list: { readonly lines: readonly Line[]; readonly of: readonly [unknown, unknown] };
  readonly selected: string | null;
  /** Somebody has put the cursor there: its row does not move. Until then the list is shown from its beginning. */
  readonly placed: boolean;
  /** The line of the list that stands first; below 0 there are blank lines before it. */
  readonly top: number;
  readonly detail: Detail | null;
  /** In a narrow terminal: the selected session is shown instead of the list. */
  readonly opened: boolean;
  readonly dialog: Dialog | null;
  /** What was half written when its dialog was left. */
  readonly drafts: ReadonlyMap<string, Edit>;
  readonly note: { readonly text: string; readonly bad: boolean } | null;
  /** What was run from here, the newest last; the number names each. */
  readonly log: ReadonlyMap<number, Ran>;
  readonly mouse: boolean;
  /** The kinds of agents and what a new session can be given. */
  readonly providers: readonly string[];
}

export type Happening =
  | Key
  | { readonly kind: 'resize'; readonly rows: number; readonly columns: number }
  | { readonly kind: 'sessions'; readonly sessions: readonly SessionView[] }
  | { readonly kind: 'session'; readonly session: SessionView }
  | { readonly kind: 'left'; readonly id: string }
  | { readonly kind: 'event'; readonly event: EventView }
  | { readonly kind: 'link'; readonly up: boolean }
  | { readonly kind: 'pane'; readonly id: string; readonly pane: PaneScreen | null }
  | {
      readonly kind: 'detail';
      readonly id: string;
      readonly messages?: readonly MessageView[];
      readonly events?: readonly EventView[];
    }
  | { readonly kind: 'ran'; readonly run: number; readonly code: number; readonly out: string }
  | { readonly kind: 'back'; readonly note: string; readonly bad: boolean }
  | { readonly kind: 'profiles'; readonly names: readonly string[] }
  | { readonly kind: 'channels'; readonly text: string | null }
  | { readonly kind: 'woke' };

export type Wish =
  | { readonly do: 'run'; readonly run: number; readonly argv: readonly string[] }
  /** The same with the terminal handed over. */
  | { readonly do: 'hand-over'; readonly argv: readonly string[] }
  /** Follow the screen, the messages and the events of this session, and of no other. */
  | { readonly do: 'follow'; readonly id: string | null }
  | { readonly do: 'ask-profiles' }
  | { readonly do: 'copy'; readonly text: string }
  | { readonly do: 'mouse'; readonly on: boolean }
  | { readonly do: 'keep'; readonly choices: Choices }
  | { readonly do: 'suspend' }
  | { readonly do: 'quit' };

export interface Next {
  readonly state: State;
  readonly wishes: readonly Wish[];
}

export function begin(
  given: Pick<State, 'size' | 'depth' | 'providers'> & {
    readonly choices?: Choices;
    readonly mouse?: boolean;
  },
): State {
  return {
    ...given,
    choices: given.choices ?? noChoices,
    sessions: new Map(),
    link: { up: false },
    channels: null,
    list: { lines: [], of: [null, null] },
    selected: null,
    placed: false,
    top: 0,
    detail: null,
    opened: false,
    dialog: null,
    drafts: new Map(),
    note: null,
    log: new Map(),
    mouse: given.mouse ?? true,
  };
}

export const selectedSession = ({ selected, sessions }: State): SessionView | undefined =>
  selected === null ? undefined : sessions.get(selected);

/**
 * The list is arranged when somebody looks, not with every event. The row under the cursor stays on its line of the
 * screen, whatever comes or goes above it.
 */
export function arranged(state: State): State {
  const { sessions, choices, list } = state;
  if (list.of[0] === sessions && list.of[1] === choices) return state;
  const lines = arrange(sessions.values(), wantedOf(choices));
  const before = lineOf(list.lines, state.selected);
  const after = lineOf(lines, state.selected);
  const next = { ...state, list: { lines, of: [sessions, choices] as const } };
  if (!state.placed) {
    const rows = areasOf(state.size, false).list?.rows ?? 1;
    return { ...next, selected: neighbour(lines, after ?? before ?? 0), top: scrolled(0, after ?? 0, rows) };
  }
  if (after !== undefined)
    return { ...next, top: before === undefined ? state.top : state.top + after - before };
  return { ...next, selected: neighbour(lines, before ?? 0), top: before === undefined ? 0 : state.top };
}

export function lineOf(lines: readonly Line[], id: string | null): number | undefined {
  const at = lines.findIndex((line) => line.kind === 'session' && line.row.session.id === id);
  return at < 0 ? undefined : at;
}

/** The session on a line, or on the nearest one that has one. */
export function neighbour(lines: readonly Line[], at: number): string | null {
  for (let away = 0; away <= lines.length; away += 1)
    for (const line of [lines[at + away], lines[at - away]])
      if (line?.kind === 'session') return line.row.session.id;
  return null;
}
