// The messages between sessions as a picture has them: who wrote to whom, what became of it, how often. A function of the
// history, so that it can be drawn for any time in it.
import type { EventView } from '../../protocol/event.ts';
import type { SenderView } from '../../protocol/fields.ts';
import type { MessageStateName } from '../../protocol/message.ts';

export interface Sent {
  readonly id: string;
  /** A session, `person`, or `sm`. */
  readonly from: string;
  readonly to: string;
  readonly state: MessageStateName;
  readonly why: string | null;
  /** The number of the event that queued it. */
  readonly number: number;
  readonly at: string;
}

/** Those of which the history tells who wrote them, in order. A notice is its session's, though sm has worded it. */
export function sentIn(events: readonly EventView[]): Sent[] {
  const about = new Map<string, string>();
  const all = new Map<string, Sent>();
  for (const event of events) {
    if (event.type === 'notice-posted') about.set(event.notice, event.session_id);
    if (event.type !== 'message') continue;
    const { message: id, session_id: to, state, number, at } = event;
    const why = typeof event.why === 'string' ? event.why : null;
    const known = all.get(id);
    if (known) all.set(id, { ...known, state, why });
    else if (event.state === 'queued')
      all.set(id, { id, from: writer(event.from), to, state, why, number, at });
  }
  // The session says that it has told somebody after that one has the notice, or before.
  return [...all.values()].map((sent) => ({
    ...sent,
    from: (sent.from === 'sm' && about.get(sent.id)) || sent.from,
  }));
}

const writer = (from: SenderView): string => (from.kind === 'session' ? from.id : from.kind);

/** Between two places of the picture, in one direction. */
export interface Stream {
  readonly from: string;
  readonly to: string;
  readonly count: number;
  /** Something in it cannot go on. */
  readonly isHeld: boolean;
}

/** `placeOf`: where somebody is drawn; undefined: nowhere. */
export function streamsOf(sent: readonly Sent[], placeOf: (id: string) => string | undefined): Stream[] {
  const streams = new Map<string, Stream>();
  for (const { from: writer, to: reader, state } of sent) {
    const [from, to] = [placeOf(writer), placeOf(reader)];
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from} ${to}`;
    const known = streams.get(key) ?? { from, to, count: 0, isHeld: false };
    streams.set(key, { ...known, count: known.count + 1, isHeld: known.isHeld || state === 'held' });
  }
  return [...streams.values()];
}

/** A shape for each state; the word stands beside it. */
export const shapes: Readonly<Record<MessageStateName, string>> = {
  queued: '○',
  held: '▲',
  typed: '◇',
  accepted: '●',
  answered: '✓',
  'cut-off': '✂',
  interrupted: '✂',
  failed: '✕',
  died: '✕',
  cleared: '⌫',
  unknown: '?',
  withdrawn: '↩',
  expired: '✕',
};
