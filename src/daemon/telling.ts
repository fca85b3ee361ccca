// Puts together what tells the outside.
import { homedir } from 'node:os';
import { emptyState } from '../domain/core/change.ts';
import type { Session, State } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import type { Trigger, Triggers } from '../ports/triggers.ts';
import type { SessionView } from '../protocol/session.ts';
import { Refused } from '../server/refused.ts';
import { find } from '../server/resolve.ts';
import { fitsSelector } from '../server/selection.ts';
import { eventView } from '../server/view.ts';
import { createPrograms } from '../telling/programs.ts';
import { createTelling, type TellingDeps, type TellingService } from '../telling/telling.ts';
import { processStartTime } from '../terminal/process-identity.ts';

interface Needs {
  readonly triggers: readonly Trigger[];
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly view: (state: State) => SessionView;
  readonly env: Readonly<Record<string, string>>;
  readonly crash: NonNullable<TellingDeps['crash']>;
}

export function tellOutside(needs: Needs): { readonly telling: TellingService; readonly triggers: Triggers } {
  const { triggers, engine, store, clock, log, view, env, crash } = needs;
  const programs = createPrograms({
    triggers,
    clock,
    log,
    home: homedir(),
    env,
    session: async (id) => (engine.get(id) ?? (await store.state(id)))?.session ?? null,
    selects: (selector, session) => selects(engine, selector, session),
    views: (event, session) => ({
      event: eventView(event),
      session: session && view(engine.get(session.id) ?? emptyState(session)),
    }),
    processStartTime,
  });
  const channels = triggers.length > 0 ? [programs.channel] : [];
  return {
    telling: createTelling({ store, engine, clock, log, channels, crash }),
    triggers: programs.triggers,
  };
}

/** Of a selector that names a session which is not there, nobody is meant. */
function selects(engine: Engine, selector: string, session: Session): boolean {
  try {
    return session.id === selector || fitsSelector(selector, (ref) => find({ engine }, ref).session)(session);
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
