// The life of one message, event by event, with the proof of each.
import type { EventView } from '../../protocol/event.ts';
import type { Trace } from '../../protocol/message.ts';
import type { Io } from '../io.ts';
import { coloursFor } from './colours.ts';
import { eventText } from './event.ts';
import { beginning, stateText } from './message.ts';
import { oneLine } from './safe.ts';
import { actor } from './session.ts';
import { exactClock } from './time.ts';
import { padEnd } from './width.ts';

export function messageLife(io: Io, { message, events, way }: Trace, recipient: string): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const there = way ? `${way.to}: ` : '';
  const rows = events.map((event) => ({
    time: exactClock(event.at, now),
    offset: offsetOf(event.at, message.created_at),
    what: there + shortText(event, message.id) + proof(event, now),
  }));
  if (way) rows.unshift(...wayRows(way, message.created_at, now));
  const timeWidth = Math.max(0, ...rows.map(({ time }) => time.length));
  const offsetWidth = Math.max(0, ...rows.map(({ offset }) => offset.length));
  return [
    colours.bold(`#${oneLine(message.id)} from ${actor(message.from)} to ${recipient}, ${message.mode}`),
    `  "${beginning(message.text)}"`,
    ...rows.map(
      ({ time, offset, what }) => `  ${padEnd(time, timeWidth)}  ${offset.padStart(offsetWidth)}  ${what}`,
    ),
    `Now: ${stateText(message.state, message.why)}`,
  ];
}

/** How it came to its node. What that tells afterwards has the times of its own clock. */
function wayRows({ from, to, left_at: left }: NonNullable<Trace['way']>, sent: string, now: number) {
  const row = (at: string, what: string) => ({
    time: exactClock(at, now),
    offset: offsetOf(at, sent),
    what: oneLine(what),
  });
  return [
    row(sent, `${from}: queued for node ${to}`),
    ...(left === null ? [] : [row(left, `${from}: on its way; the fleet has it`)]),
  ];
}

const offsetOf = (at: string, sent: string): string =>
  `+${((Date.parse(at) - Date.parse(sent)) / 1000).toFixed(3)} s`;

/** Everything here is about this message. */
function shortText(event: EventView, id: string): string {
  return eventText(event).replace(`message ${id}, `, '').replace(`message ${id} `, '');
}

/** ` (hook 0123, 12:00:01.234)`; nothing for what needs no proof. */
export function proof({ evidence }: EventView, now: number): string {
  const { source, id, at } = (evidence ?? {}) as { source?: string; id?: string; at?: string | number };
  if (source === undefined) return '';
  const when = at === undefined ? '' : `, ${exactClock(at, now)}`;
  return ` (${oneLine(`${source} ${id ?? ''}`)}${when})`;
}
