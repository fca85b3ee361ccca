// All sessions: who needs you comes first. The order, the signs and the words are those of the screen.
import { useMemo, useRef, useState } from 'preact/hooks';
import { arrange, type Line } from '../faces/attention.ts';
import { type Choices, stillSnoozed, wantedOf } from '../faces/choices.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Deeds } from './deeds.ts';
import { SessionRow } from './session-row.tsx';
import type { Happening } from './state.ts';

interface Props {
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly choices: Choices;
  readonly deeds: Deeds;
  tell(happening: Happening): void;
}

export function Overview({ sessions, choices, tell, deeds }: Props) {
  const minute = Math.floor(Date.now() / 60_000);
  const wanted = useMemo(() => arranged(sessions, choices), [sessions, choices, minute]);
  const { lines, moved, hold } = useStillOrder(wanted, sessions, choices);
  const { filter, problemsOnly, byRepository } = choices;
  const choose = (change: Partial<Choices>) => tell({ is: 'choose', change });
  return (
    <>
      <div class="tools">
        <input
          class="filter"
          type="search"
          placeholder="Find"
          aria-label="Find sessions"
          value={filter}
          onInput={(event) => choose({ filter: event.currentTarget.value })}
        />
        <button
          type="button"
          aria-pressed={problemsOnly}
          onClick={() => choose({ problemsOnly: !problemsOnly })}
        >
          Only problems
        </button>
        <button
          type="button"
          aria-pressed={byRepository}
          onClick={() => choose({ byRepository: !byRepository })}
        >
          By repository
        </button>
        {moved && (
          <p class="moved" role="status">
            The order has changed; it waits until the pointer leaves the list.
          </p>
        )}
      </div>
      {lines.length === 0 && <Nothing filtered={filter !== ''} problemsOnly={problemsOnly} />}
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
              childCount={line.row.children}
              hidden={line.row.hidden}
              isPinned={choices.pinned.has(line.row.session.id)}
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

function Nothing({ filtered, problemsOnly }: { readonly filtered: boolean; readonly problemsOnly: boolean }) {
  if (filtered) return <p class="quiet">No session has these words.</p>;
  if (problemsOnly) return <p class="quiet">Nobody waits for you, has failed or is silent.</p>;
  return (
    <p class="quiet">
      No sessions yet. Start one with <code>sm claude</code>, <code>sm codex</code> or <code>sm spawn</code>.
    </p>
  );
}

const arranged = (sessions: ReadonlyMap<string, SessionView>, choices: Choices): Line[] =>
  arrange(sessions.values(), wantedOf({ ...choices, snoozed: stillSnoozed(choices, Date.now()) }));

/**
 * A row never moves under the pointer or the finger: while one is there, the rows stay, and only what they say changes. What
 * somebody chooses is done at once.
 */
function useStillOrder(
  wanted: readonly Line[],
  sessions: ReadonlyMap<string, SessionView>,
  choices: Choices,
) {
  const [isHeld, setHeld] = useState(false);
  const shown = useRef({ lines: wanted, choices });
  if (!isHeld || shown.current.choices !== choices) shown.current = { lines: wanted, choices };
  const lines = isHeld ? shown.current.lines.flatMap((line) => refreshed(line, sessions)) : wanted;
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
