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

export function messageLife(io: Io, { message, events }: Trace, recipient: string): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const rows = events.map((event) => ({
    time: exactClock(event.at, now),
    offset: `+${((Date.parse(event.at) - Date.parse(message.created_at)) / 1000).toFixed(3)} s`,
    what: shortText(event, message.id) + proof(event, now),
  }));
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
