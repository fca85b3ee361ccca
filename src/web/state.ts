// What the page knows, and how that changes. Nothing here draws, asks or waits.
import { type Choices, noChoices } from '../faces/choices.ts';
import type { EventView } from '../protocol/event.ts';
import type { MessageView } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Dialog } from './dialogs.ts';
import { isOfFlow } from './flow/is-of-flow.ts';
import { type Route, routeOf } from './route.ts';

export interface State {
  /** `out`: this browser is not signed in. */
  readonly sign: 'in' | 'out';
  /** Why signing in did not work. */
  readonly refused: string | null;
  /** Null: nothing was heard yet. */
  readonly sessions: ReadonlyMap<string, SessionView> | null;
  /** Since when nothing is heard; null: the connection stands. */
  readonly awaySince: number | null;
  /** The channels of notifications that do not work. */
  readonly brokenChannels: readonly string[];
  readonly route: Route;
  /** What is shown of one session beside its view. */
  readonly detail: Detail | null;
  /** What the list shows, and how. */
  readonly choices: Choices;
  /** What happened to messages lately; null: nobody looks at them. */
  readonly flow: FlowEvents | null;
  readonly dialog: Dialog | null;
  /** What is to have the focus as soon as it is drawn. */
  readonly focus: string | null;
  /** What came of the last act. */
  readonly notice: Notice | null;
}

export interface FlowEvents {
  /** The newest last. */
  readonly events: readonly EventView[];
  /** What has a higher number happened while somebody looked; null: what was before is not known yet. */
  readonly since: number | null;
}

export interface Notice {
  readonly text: string;
  readonly bad: boolean;
}

export interface Detail {
  readonly id: string;
  /** The newest first. */
  readonly messages: readonly MessageView[];
  /** The newest last. */
  readonly events: readonly EventView[];
}

export type Happening =
  | { readonly is: 'signed-in' }
  | { readonly is: 'signed-out'; readonly why: string | null }
  | { readonly is: 'sessions'; readonly sessions: readonly SessionView[] }
  | { readonly is: 'session'; readonly session: SessionView }
  | { readonly is: 'event'; readonly event: EventView }
  | { readonly is: 'channels'; readonly broken: readonly string[] }
  | { readonly is: 'away'; readonly at: number }
  | { readonly is: 'went'; readonly hash: string }
  | { readonly is: 'detail'; readonly id: string; readonly part: Partial<Omit<Detail, 'id'>> }
  | { readonly is: 'flow'; readonly events: readonly EventView[] }
  | { readonly is: 'choose'; readonly change: Partial<Choices> }
  | { readonly is: 'dialog'; readonly dialog: Dialog | null }
  | { readonly is: 'focus'; readonly on: string | null }
  | { readonly is: 'said'; readonly notice: Notice | null };

/** More of them nobody scrolls through, and a page may stay open for weeks. */
const mostEvents = 500;

export const first: State = {
  sign: 'in',
  refused: null,
  sessions: null,
  awaySince: null,
  brokenChannels: [],
  route: routeOf(''),
  detail: null,
  flow: null,
  choices: noChoices,
  dialog: null,
  focus: null,
  notice: null,
};

export function update(state: State, happening: Happening): State {
  switch (happening.is) {
    case 'signed-in':
      return { ...state, sign: 'in', refused: null };
    case 'signed-out':
      return { ...state, sign: 'out', refused: happening.why, sessions: null, detail: null };
    case 'sessions':
      return {
        ...state,
        awaySince: null,
        sessions: new Map(happening.sessions.map((each) => [each.id, each])),
      };
    case 'session':
      return { ...state, sessions: withSession(state.sessions, happening.session) };
    case 'event':
      return withEvent(state, happening.event);
    case 'channels':
      return { ...state, brokenChannels: happening.broken };
    case 'away':
      return { ...state, awaySince: state.awaySince ?? happening.at };
    case 'went': {
      const route = routeOf(happening.hash);
      const stays = route.is === 'session' && route.id === state.detail?.id;
      const flow = route.is === 'flow' ? (state.flow ?? noFlow) : null;
      return { ...state, route, flow, detail: stays ? state.detail : null, dialog: null };
    }
    case 'detail': {
      const detail =
        state.detail?.id === happening.id ? state.detail : { id: happening.id, messages: [], events: [] };
      const isShown = state.route.is === 'session' && state.route.id === happening.id;
      if (!isShown) return state;
      const { messages = detail.messages, events } = happening.part;
      return { ...state, detail: { ...detail, messages, events: merged(events, detail.events) } };
    }
    case 'flow':
      return state.flow ? { ...state, flow: withPast(state.flow, happening.events) } : state;
    case 'choose':
      return { ...state, choices: { ...state.choices, ...happening.change } };
    case 'dialog':
      return { ...state, dialog: happening.dialog };
    case 'focus':
      return { ...state, focus: happening.on };
    case 'said':
      return { ...state, notice: happening.notice };
  }
}

function withSession(sessions: State['sessions'], session: SessionView): State['sessions'] {
  const next = new Map(sessions);
  if (session.ended?.killed) next.delete(session.id);
  else next.set(session.id, session);
  return next;
}

/** What was told while the answer was under way comes behind it. */
function merged(answer: Detail['events'] | undefined, told: Detail['events']): Detail['events'] {
  if (!answer) return told;
  const last = answer.at(-1)?.number ?? 0;
  return [...answer, ...told.filter(({ number }) => number > last)];
}

function withEvent(before: State, event: EventView): State {
  const state = withFlow(before, event);
  const { detail } = state;
  if (detail?.id !== event.session_id) return state;
  // What was asked for and what is told overlap at the moment of opening.
  const last = detail.events.at(-1)?.number ?? 0;
  if (event.number <= last) return state;
  return { ...state, detail: { ...detail, events: [...detail.events, event].slice(-mostEvents) } };
}

const noFlow: FlowEvents = { events: [], since: null };

function withPast({ events }: FlowEvents, past: readonly EventView[]): FlowEvents {
  const all = merged(past.filter(isOfFlow), events).slice(-mostEvents);
  return { events: all, since: past.at(-1)?.number ?? 0 };
}

function withFlow(state: State, event: EventView): State {
  const { flow } = state;
  if (!flow || !isOfFlow(event) || event.number <= (flow.events.at(-1)?.number ?? 0)) return state;
  return { ...state, flow: { ...flow, events: [...flow.events, event].slice(-mostEvents) } };
}
