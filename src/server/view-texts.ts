// The view of each session as JSON text, kept until the session changes: so a list of a thousand costs little.
import { emptyState } from '../domain/core/change.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { Session, State } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import { type SessionView, sessionRow } from '../protocol/session.ts';

/** Only between two ticks of the engine (`whenStored`): what is told is stored. */
export interface ViewTexts {
  of(session: Session): string;
  /** Of each only what a list shows. */
  rowOf(session: Session): string;
}

export function createViewTexts(engine: Engine, view: (state: State) => SessionView): ViewTexts {
  return {
    of: keptTexts(engine, view),
    rowOf: keptTexts(engine, (state) => sessionRow.parse(view(state))),
  };
}

function keptTexts(engine: Engine, told: (state: State) => unknown): (session: Session) => string {
  const texts = new Map<SessionId, string>();
  engine.onCommit(({ id }) => void texts.delete(id));
  return (session) => {
    const state = engine.get(session.id);
    // One that was killed is no longer in memory.
    if (!state) return JSON.stringify(told(emptyState(session)));
    const text = texts.get(session.id) ?? JSON.stringify(told(state));
    texts.set(session.id, text);
    return text;
  };
}
