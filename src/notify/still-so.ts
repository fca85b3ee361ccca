// Whether what happened still holds: nobody is told of what is over.

import { holdOf } from '../domain/core/budget.ts';
import type { EventBody } from '../domain/core/event.ts';
import { isNamed } from '../domain/core/event.ts';
import { isStandingStill } from '../domain/core/limits.ts';
import { isAlive, type Session } from '../domain/core/session.ts';
import { isSilent } from '../domain/promises/reminders.ts';

/** Null: it holds. */
export function whyOver(session: Session | null, body: EventBody, at: number): string | null {
  if (!session) return 'the session is forgotten';
  if (isNamed(body, 'session lost', 'session exited'))
    return isAlive(session) ? 'the session was restored' : null;
  if (!isAlive(session)) return 'the session has ended';
  if (isNamed(body, 'question asked')) {
    const { question } = session;
    if (!question || question.since > at) return 'the question was answered, or went away';
    return question.hook?.answer ? 'the question is answered' : null;
  }
  if (isNamed(body, 'screen unrecognised'))
    return session.unrecognised?.told ? null : 'its screen is recognised again';
  if (isNamed(body, 'reminder unheeded')) return isSilent(session) ? null : 'it has reported';
  if (isNamed(body, 'limit reached')) return isStandingStill(session) ? null : 'the limit is over';
  if (isNamed(body, 'budget used-up')) return holdOf(session) ? null : 'the budget was raised or removed';
  if (isNamed(body, 'turn ended')) {
    if (isStandingStill(session)) return 'it stands still at its limit, which is told for itself';
    const { turn, lastTurn } = session;
    const isLast = lastTurn?.id === body.turn && lastTurn?.at === body.evidence.at;
    return turn || !isLast ? 'it works again' : null;
  }
  return null;
}
