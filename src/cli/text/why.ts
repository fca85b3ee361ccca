// Why a session is in its phase, in words.
import type { WhyView } from '../../protocol/why.ts';
import type { Io } from '../io.ts';
import { coloursFor } from './colours.ts';
import { eventText } from './event.ts';
import { oneLine } from './safe.ts';
import { ago, duration, exactClock } from './time.ts';
import { proof } from './trace.ts';

export function whyLines(io: Pick<Io, 'outputIsTerminal' | 'env' | 'now'>, why: WhyView): string[] {
  const { bold } = coloursFor(io);
  const now = io.now();
  const since = why.since === null ? '' : `, for ${duration(now - Date.parse(why.since))}`;
  const because = why.event
    ? `${exactClock(why.event.at, now)}  ${eventText(why.event)}${proof(why.event, now)}`
    : 'That was so long ago that the history no longer has it.';
  return [
    bold(`${oneLine(why.name)} (${why.session_id}) is ${why.phase}${since}`),
    `  ${because}`,
    ...why.notes.map((note) => `  ${oneLine(note)}`),
    ...(why.screen_unrecognised_since ? ['  its screen is not recognised; see: sm doctor'] : []),
    `  last heard of it ${ago(why.heard_at, now)}`,
  ];
}
