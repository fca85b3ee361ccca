// The flow of messages between sessions, as a moving picture: who wrote to whom, and what became of it. Something moves only
// when a message is sent; at rest nothing is done.
import { useMemo, useState } from 'preact/hooks';
import { isOver, stateText } from '../../cli/text/message.ts';
import { oneLine } from '../../cli/text/safe.ts';
import { clock } from '../../cli/text/time.ts';
import { familyRows } from '../../faces/attention.ts';
import type { Choices } from '../../faces/choices.ts';
import { signOf } from '../../faces/signs.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';
import { messageLink, sessionLink } from '../route.ts';
import type { FlowEvents, Happening } from '../state.ts';
import { arcPath, rowHeight } from './arc.ts';
import { Dots } from './dots.tsx';
import { type Sent, sentIn, shapes, streamsOf } from './flow.ts';

interface Props {
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly flow: FlowEvents | null;
  readonly choices: Choices;
  readonly deeds: Deeds;
  tell(happening: Happening): void;
}

const listed = 12;
const people: Readonly<Record<string, string>> = { person: 'you', sm: 'sm' };

export function FlowPage({ sessions, flow, choices, deeds, tell }: Props) {
  const { events, since } = flow ?? { events: [], since: null };
  /** Null: as it is now. */
  const [until, setUntil] = useState<number | null>(null);
  const shown = until === null ? events : events.slice(0, until);
  const sent = useMemo(() => sentIn(shown), [shown]);
  const rows = useMemo(() => familyRows(sessions.values(), choices.folded), [sessions, choices.folded]);
  const writers = Object.keys(people).filter((each) => sent.some(({ from }) => from === each));
  const places = new Map([...writers, ...rows.map(({ session }) => session.id)].map((id, row) => [id, row]));
  const placeOf = (id: string) => placeIn(id, places, sessions);
  const rowOf = (id: string): number => places.get(placeOf(id) ?? '') ?? 0;
  const drawn = sent.filter(({ from, to }) => placeOf(from) !== undefined && placeOf(to) !== undefined);
  const height = places.size * rowHeight;
  const parents = rows.filter(({ children }) => children > 0).map(({ session }) => session.id);
  const isFolded = parents.some((id) => choices.folded.has(id));
  const last = shown.at(-1);
  return (
    <article class="flow">
      <div class="tools">
        {parents.length > 0 && (
          <button
            type="button"
            onClick={() => tell({ is: 'choose', change: { folded: new Set(isFolded ? [] : parents) } })}
          >
            {isFolded ? 'Unfold all families' : 'Fold all families'}
          </button>
        )}
        <label class="past">
          Until
          <input
            type="range"
            min={1}
            max={Math.max(1, events.length)}
            value={until ?? events.length}
            disabled={events.length < 2}
            onInput={({ currentTarget: { valueAsNumber: at } }) => setUntil(at >= events.length ? null : at)}
          />
          {until === null || !last ? 'now' : clock(last.at, Date.now())}
        </label>
      </div>
      <div class="picture">
        <ol class="who">
          {writers.map((each) => (
            <li key={each}>{people[each]}</li>
          ))}
          {rows.map(({ session, branches, hidden, children }) => (
            <li key={session.id} style={{ paddingInlineStart: `${branches.length * 1.1}em` }}>
              <span class={`tone-${signOf(session).tone}`} title={signOf(session).word}>
                <span aria-hidden="true">{signOf(session).glyph}</span>
                <span class="spoken">{signOf(session).word}</span>
              </span>{' '}
              <a href={sessionLink(session.id)}>{oneLine(session.display_name)}</a>
              {children > 0 && (
                <button type="button" class="plain" onClick={() => deeds.choose(' ', session)}>
                  <span aria-hidden="true">{hidden > 0 ? `▸ +${hidden}` : '▾'}</span>
                  <span class="spoken">{hidden > 0 ? 'unfold' : 'fold'} its family</span>
                </button>
              )}
            </li>
          ))}
        </ol>
        <div class="ways" style={{ height: `${height}px` }}>
          <svg width="240" height={height} aria-hidden="true">
            {streamsOf(drawn, placeOf).map(({ from, to, count, isHeld }) => (
              <path
                key={`${from} ${to}`}
                class={isHeld ? 'held' : undefined}
                d={arcPath(places.get(from) ?? 0, places.get(to) ?? 0)}
                stroke-width={Math.min(8, 1 + Math.log2(count))}
              />
            ))}
          </svg>
          <Dots
            sent={drawn.filter(({ state }) => !isOver(state))}
            rowOf={rowOf}
            since={until === null ? since : null}
          />
        </div>
      </div>
      <List sent={sent} sessions={sessions} />
    </article>
  );
}

/** Whoever is folded away is drawn where his family is. */
function placeIn(
  id: string,
  places: ReadonlyMap<string, number>,
  sessions: ReadonlyMap<string, SessionView>,
): string | undefined {
  const seen = new Set<string>();
  for (let each: string | null | undefined = id; each && !seen.has(each); ) {
    if (places.has(each)) return each;
    seen.add(each);
    each = sessions.get(each)?.parent_session_id;
  }
  return undefined;
}

function List({ sent, sessions }: { readonly sent: readonly Sent[]; readonly sessions: Props['sessions'] }) {
  const nameOf = (id: string): string => people[id] ?? sessions.get(id)?.display_name ?? id;
  const now = Date.now();
  if (sent.length === 0) return <p class="quiet">No messages yet. Whatever is sent moves from row to row.</p>;
  return (
    <ol class="latest" aria-label="The latest messages">
      {sent
        .slice(-listed)
        .reverse()
        .map(({ id, from, to, state, why, at }) => (
          <li key={id} class={`state-${state}`}>
            <span class="shape" aria-hidden="true">
              {shapes[state]}
            </span>{' '}
            <time dateTime={at}>{clock(at, now)}</time> {oneLine(nameOf(from))} → {oneLine(nameOf(to))}{' '}
            <a href={messageLink(id)}>{stateText(state, why)}</a>
          </li>
        ))}
    </ol>
  );
}
