// All sessions: who needs you comes first. The order, the signs and the words are those of the screen.
import { useMemo, useRef, useState } from 'preact/hooks';
import { oneLine } from '../cli/text/safe.ts';
import { arrange, type Line } from '../faces/attention.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Deeds } from './deeds.ts';
import { SessionRow } from './session-row.tsx';
import type { Happening } from './state.ts';

interface Props {
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly filter: string;
  readonly deeds: Deeds;
  tell(happening: Happening): void;
}

export function Overview({ sessions, filter, tell, deeds }: Props) {
  const wanted = useMemo(() => arranged(sessions, filter), [sessions, filter]);
  const minute = Math.floor(Date.now() / 60_000);
  const { lines, moved, hold } = useStillOrder(wanted, sessions);
  return (
    <>
      <div class="tools">
        <input
          class="filter"
          type="search"
          placeholder="Find"
          aria-label="Find sessions"
          value={filter}
          onInput={(event) => tell({ is: 'filter', text: event.currentTarget.value })}
        />
        {moved && (
          <p class="moved" role="status">
            The order has changed; it waits until the pointer leaves the list.
          </p>
        )}
      </div>
      {lines.length === 0 && <Nothing filtered={filter !== ''} />}
      <ul class="sessions" {...hold}>
        {lines.map((line) =>
          line.kind === 'title' ? (
            <li key={line.text} class="title">
              <h2>{line.text}</h2>
            </li>
          ) : (
            <SessionRow
              key={line.row.session.id}
              session={line.row.session}
              depth={line.row.branches.length}
              minute={minute}
              deeds={deeds}
              tell={tell}
            />
          ),
        )}
      </ul>
    </>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (filtered) return <p class="quiet">No session has these words.</p>;
  return (
    <p class="quiet">
      No sessions yet. Start one with <code>sm claude</code>, <code>sm codex</code> or <code>sm spawn</code>.
    </p>
  );
}

function arranged(sessions: ReadonlyMap<string, SessionView>, filter: string): Line[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shows = (session: SessionView) => {
    const text = textOf(session);
    return words.every((word) => text.includes(word));
  };
  const none: ReadonlySet<string> = new Set();
  return arrange(sessions.values(), {
    pinned: none,
    folded: none,
    snoozed: new Map(),
    byRepository: false,
    shows,
  });
}

const textOf = ({
  display_name,
  id,
  phase,
  provider,
  working_dir,
  current_task,
  checkout,
  tags,
}: SessionView) =>
  oneLine(
    [display_name, id, phase, provider, working_dir, current_task, checkout?.branch, ...tags].join(' '),
  ).toLowerCase();

/** A row never moves under the pointer or the finger: while one is there, the rows stay, and only what they say changes. */
function useStillOrder(wanted: readonly Line[], sessions: ReadonlyMap<string, SessionView>) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef(wanted);
  if (!isHeld) shown.current = wanted;
  const lines = isHeld ? shown.current.flatMap((line) => refreshed(line, sessions)) : wanted;
  return {
    lines,
    moved: isHeld && keysOf(lines) !== keysOf(wanted),
    hold: {
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
    },
  };
}

function refreshed(line: Line, sessions: ReadonlyMap<string, SessionView>): Line[] {
  if (line.kind === 'title') return [line];
  const session = sessions.get(line.row.session.id);
  if (!session) return [];
  return [session === line.row.session ? line : { ...line, row: { ...line.row, session } }];
}

const keysOf = (lines: readonly Line[]): string =>
  lines.map((line) => (line.kind === 'title' ? line.text : line.row.session.id)).join(' ');
