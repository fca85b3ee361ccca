// Sessions in the order of their family: each after the one that started it.
import type { SessionView } from '../protocol/session.ts';

export interface Relative {
  readonly session: SessionView;
  /** How many of its ancestors are in the list. */
  readonly depth: number;
}

export function byFamily(sessions: readonly SessionView[]): Relative[] {
  const known = new Set(sessions.map(({ id }) => id));
  const childrenOf = new Map<string | null, SessionView[]>();
  for (const session of sessions) {
    const parent =
      session.parent_session_id !== null && known.has(session.parent_session_id)
        ? session.parent_session_id
        : null;
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(session);
    else childrenOf.set(parent, [session]);
  }
  const ordered: Relative[] = [];
  const walk = (parent: string | null, depth: number) => {
    for (const session of childrenOf.get(parent) ?? []) {
      ordered.push({ session, depth });
      walk(session.id, depth + 1);
    }
  };
  walk(null, 0);
  return ordered;
}
