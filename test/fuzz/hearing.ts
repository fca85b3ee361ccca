// What a reader makes of a line goes the whole way: into a session, and from there into what is told of it.

import type { Fact } from '../../src/domain/core/fact.ts';
import { eventView as eventSchema } from '../../src/protocol/event.ts';
import { sessionView } from '../../src/protocol/session.ts';
import { eventView, sessionViews } from '../../src/server/view.ts';
import { idleSession, type TestSession, workingSession } from '../support/session.ts';
import type { Dice } from './dice.ts';

const view = sessionViews(() => undefined);

export interface Hearing {
  hear(facts: readonly Fact[]): void;
}

/** `conversation`: what its lines call it; to the session they are its own. */
export function openHearing(d: Dice): Hearing {
  const session: TestSession = d.once(2) ? idleSession() : workingSession();
  let told = 0;
  return {
    hear(facts) {
      const { providerId } = session.state.session.context;
      for (const fact of facts)
        session.take({
          type: 'fact',
          id: `fuzz-${told++}`,
          at: session.now,
          source: 'hook',
          fact: 'providerId' in fact && !d.once(8) ? ({ ...fact, providerId } as Fact) : fact,
        });
      if (facts.length === 0) return;
      sessionView.parse(JSON.parse(JSON.stringify(view(session.state))));
      for (const body of session.events.slice(-8))
        eventSchema.parse(JSON.parse(JSON.stringify(eventView({ number: 1, sessionId: 'x', at: 0, body }))));
    },
  };
}
