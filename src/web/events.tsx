// What happened in a session: its turns as bars in time with ticks on them, and below each event, the newest first.
import { useMemo } from 'preact/hooks';
import { eventText } from '../cli/text/event.ts';
import { clock, elapsed, shortClock } from '../cli/text/time.ts';
import type { EventView } from '../protocol/event.ts';
import { placeOn } from './curve.ts';
import { Proof } from './proof.tsx';
import { type Tick, timelineOf } from './timeline.ts';

const signs: Readonly<Record<Tick['is'], string>> = {
  message: '▸',
  question: '◐',
  reminder: '◷',
  compaction: '◌',
  handoff: '↻',
  clear: '⌫',
  session: '✦',
};

export function Events({ events }: { readonly events: readonly EventView[] }) {
  const now = Date.now();
  const minute = Math.floor(now / 60_000);
  const timeline = useMemo(() => timelineOf(events, Date.now()), [events, minute]);
  return (
    <>
      {timeline && (
        <figure class="timeline" aria-label="Turns and what happened in them">
          <div class="plot">
            {timeline.turns.map(({ number, from, to, end }) => (
              <a
                key={number}
                href={`#event-${number}`}
                onClick={scrollTo}
                class={`turn end-${end}`}
                title={`turn ${end.replace('-', ' ')}, ${elapsed(to - from)}`}
                style={{
                  left: `${placeOn(from, timeline)}%`,
                  width: `max(3px, ${placeOn(to, timeline) - placeOn(from, timeline)}%)`,
                }}
              >
                <span class="spoken">turn {end.replace('-', ' ')}</span>
              </a>
            ))}
            {timeline.ticks.map(({ number, at, is }) => (
              <a
                key={number}
                href={`#event-${number}`}
                onClick={scrollTo}
                class={`tick tick-${is}`}
                title={`${is}, ${clock(at, now)}`}
                style={{ left: `${placeOn(at, timeline)}%` }}
              >
                {signs[is]}
              </a>
            ))}
          </div>
          <p class="axis">
            <span>{shortClock(new Date(timeline.from).toISOString(), now)}</span>
            <span>now</span>
          </p>
          <figcaption>
            {Object.entries(signs).map(([is, sign]) => (
              <span key={is} class={`tick-${is}`}>
                {sign} {is}
              </span>
            ))}
          </figcaption>
        </figure>
      )}
      <ol class="events">
        {[...events].reverse().map((event) => (
          <li key={event.number} id={`event-${event.number}`} class={`event-${event.type}`}>
            <time dateTime={event.at}>{clock(event.at, now)}</time> {eventText(event)}
            <Proof event={event} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** The address stays that of the session. */
function scrollTo(event: MouseEvent): void {
  event.preventDefault();
  const [, id = ''] = (event.currentTarget as HTMLAnchorElement).hash.split('#');
  document.getElementById(id)?.scrollIntoView({ block: 'center' });
}
