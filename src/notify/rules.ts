// Which channels are told of an occasion, and when each of them.
import type { Occasion } from '../domain/core/occasion.ts';
import { displayName, type Session } from '../domain/core/session.ts';
import type { NotifyRule } from '../ports/notifications.ts';

/** How long an occasion must last before it is told, in ms: much of it is over at once. Who waits, waits now. */
const dwell: Readonly<Record<Occasion, number>> = {
  waiting: 0,
  failed: 5_000,
  died: 5_000,
  silent: 5_000,
  finished: 5_000,
  limit: 5_000,
  budget: 5_000,
};

interface Meant {
  selects(selector: string, session: Session): boolean;
  hasParent(session: Session): boolean;
  /** The session, its parent, and so on upwards. */
  ancestry(session: Session): Iterable<Session>;
}

/** The first rule that means it is the one that counts; null: nobody is told. */
export function ruleFor(
  rules: readonly NotifyRule[],
  occasion: Occasion,
  session: Session | null,
  { selects, hasParent, ancestry }: Meant,
): NotifyRule | null {
  return (
    rules.find(
      ({ when, sessions, family, withoutParent }) =>
        when.includes(occasion) &&
        (sessions === null || (session !== null && selects(sessions, session))) &&
        (family === null || (session !== null && isOf(family, ancestry(session)))) &&
        !(withoutParent && session !== null && hasParent(session)),
    ) ?? null
  );
}

function isOf(family: string, ancestry: Iterable<Session>): boolean {
  for (const each of ancestry) if (each.id === family || displayName(each) === family) return true;
  return false;
}

/** When a channel is told of what happened at that time; null: this rule does not tell it. */
export function dueTime(rule: NotifyRule, channel: string, occasion: Occasion, at: number): number | null {
  const step = rule.tell.indexOf(channel);
  if (step < 0) return null;
  const wait = rule.afterSeconds === null ? dwell[occasion] : rule.afterSeconds * 1_000;
  return at + wait + step * rule.nextAfterSeconds * 1_000;
}

/** Where there are channels and no rules. A child's end is told to its parent, who waits for it. */
export const standardRules = (channels: readonly string[]): readonly NotifyRule[] => {
  const to = {
    sessions: null,
    family: null,
    tell: channels,
    afterSeconds: null,
    nextAfterSeconds: 0,
    throughQuietHours: false,
  };
  return [
    { ...to, when: ['waiting', 'failed', 'died', 'silent', 'limit'], withoutParent: false },
    { ...to, when: ['finished', 'budget'], withoutParent: true },
  ];
};
