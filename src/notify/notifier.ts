// One channel of notifications: a sender, with the rules that say whether and when it sends. What waits is looked at again
// when its time has come, and told only if it still holds; so nothing that matters is lost, and nothing is told in vain.
import type { Occasion } from '../domain/core/occasion.ts';
import { questionId } from '../domain/core/parts.ts';
import { displayName, type Session } from '../domain/core/session.ts';
import type { Channel, Outcome } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type Notification,
  type NotifyRule,
  notifyChannel,
  type QuietHours,
  type Sender,
  type Sent,
} from '../ports/notifications.ts';
import type { StoredEvent } from '../ports/store.ts';
import type { Telling, Tellings } from '../ports/telling.ts';
import { whatHappened } from '../telling/words.ts';
import { quietUntil } from './quiet-hours.ts';
import { dueTime, ruleFor } from './rules.ts';
import { whyOver } from './still-so.ts';

/** Of one session, through one channel, at most one in this time. */
const oneEach = 60_000;
/** After how long one that failed is sent again, each time. Then it has failed for good. */
const pauses = [5_000, 15_000, 60_000, 300_000, 900_000] as const;

export interface NotifierDeps {
  readonly name: string;
  readonly sender: Sender;
  readonly rules: readonly NotifyRule[];
  readonly quietHours: QuietHours | null;
  readonly tellings: Pick<Tellings, 'lastDone'>;
  readonly clock: Clock;
  /** Also one that was killed; null: it is forgotten. */
  session(id: string): Promise<Session | null>;
  selects(selector: string, session: Session): boolean;
  hasParent(session: Session): boolean;
  ancestry(session: Session): Iterable<Session>;
  link(session: Session): string | null;
  told(): void;
}

export function createNotifier(deps: NotifierDeps): Channel {
  const { name, sender, rules, quietHours, tellings, clock } = deps;
  const ruleOf = (occasion: Occasion, session: Session | null) => ruleFor(rules, occasion, session, deps);

  /** Null: now. */
  async function notNow(
    telling: Telling,
    event: StoredEvent,
    session: Session | null,
  ): Promise<Outcome | null> {
    const { occasion, channel, to, sessionId } = telling;
    const over = whyOver(session, event.body, event.at);
    if (over !== null) return { is: 'suppressed', why: over };
    const tries = triesOf(telling);
    const now = clock.now();
    const quiet = ruleOf(occasion, session)?.throughQuietHours ? null : quietUntil(quietHours, now);
    if (quiet !== null) return { is: 'later', due: quiet, tries, why: 'quiet hours' };
    const last = await tellings.lastDone(channel, to, sessionId);
    const next = last && last.state.is === 'done' ? last.state.at + oneEach : 0;
    return next > now ? { is: 'later', due: next, tries, why: 'at most one a minute of a session' } : null;
  }

  function outcomeOf(telling: Telling, sent: Sent, stopping: boolean): Outcome {
    const tries = triesOf(telling);
    if (sent.is !== 'failed') return sent;
    if (stopping) return { is: 'later', due: clock.now(), tries, why: sent.why };
    const pause = pauses[tries];
    if (!sent.again || pause === undefined) return { is: 'failed', why: sent.why };
    const due = clock.now() + Math.max(pause, sent.afterMs ?? 0);
    return { is: 'later', due, tries: tries + 1, why: sent.why };
  }

  return {
    name: notifyChannel(name),
    // In order, so that one a minute can be counted on.
    atOnce: 1,
    // It may come twice then. A question that nobody hears of is worse.
    again: true,
    async recipients(occasion, event) {
      const session = await deps.session(event.sessionId);
      const rule = ruleOf(occasion, session);
      const due = rule && dueTime(rule, name, occasion, event.at);
      return due === null ? [] : sender.recipients.map((to) => ({ to, due }));
    },
    told: deps.told,
    async tell(telling, event, { signal }) {
      const session = await deps.session(event.sessionId);
      const wait = await notNow(telling, event, session);
      if (wait || !session) return wait ?? { is: 'suppressed', why: 'the session is forgotten' };
      const notification = notificationOf(telling.occasion, event, session, deps.link(session));
      return outcomeOf(telling, await sender.send(telling.to, notification, signal), signal.aborted);
    },
  };
}

const triesOf = ({ state }: Telling): number => (state.is === 'owed' ? (state.tries ?? 0) : 0);

const longest = 600;

function notificationOf(
  occasion: Occasion,
  { body }: StoredEvent,
  session: Session,
  link: string | null,
): Notification {
  const name = displayName(session);
  const text = whatHappened(body).replace(/\s+/g, ' ').trim();
  return {
    occasion,
    session: { id: session.id, name },
    title: `${name} (${session.id})`,
    text: text.length > longest ? `${text.slice(0, longest)}…` : text,
    link,
    question: occasion === 'waiting' && session.question?.hook ? questionId(session.question) : null,
    test: false,
  };
}
