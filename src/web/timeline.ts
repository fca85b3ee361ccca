// A session's time as bars and ticks: turns, and what happened in and between them.

import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';

export interface Bar {
  readonly number: number;
  readonly from: number;
  readonly to: number;
  /** How it ended; `running`: it has not. */
  readonly end: string;
}

export interface Tick {
  readonly number: number;
  readonly at: number;
  readonly is: 'message' | 'question' | 'reminder' | 'compaction' | 'handoff' | 'clear' | 'session';
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  readonly turns: readonly Bar[];
  readonly ticks: readonly Tick[];
}

const ticks: Readonly<Record<string, Tick['is']>> = {
  'message accepted': 'message',
  'question asked': 'question',
  'reminder sent': 'reminder',
  'one-shot sent': 'reminder',
  'compaction began': 'compaction',
  'handoff done': 'handoff',
  'clear done': 'clear',
  'session launched': 'session',
  'session exited': 'session',
  'session lost': 'session',
  'session restored': 'session',
};

/** `events`: oldest first. A turn that began before the first of them is not drawn. */
export function timelineOf(events: readonly EventView[], now: number): Timeline | null {
  const [first] = events;
  if (!first) return null;
  const turns: Bar[] = [];
  const found: Tick[] = [];
  let began: EventView | null = null;
  for (const event of events) {
    const name = eventName(event);
    const at = Date.parse(event.at);
    const is = ticks[name];
    if (is) found.push({ number: event.number, at, is });
    if (name === 'turn began') began = event;
    if (name === 'turn ended' && began) {
      turns.push({ number: began.number, from: Date.parse(began.at), to: at, end: String(event.end) });
      began = null;
    }
  }
  if (began) turns.push({ number: began.number, from: Date.parse(began.at), to: now, end: 'running' });
  return { from: Date.parse(first.at), to: now, turns, ticks: found };
}
