// Which session a person means: by id, by name, or by a prefix of an id that fits one only. Who lives comes first.
import { emptyState } from '../domain/draft.ts';
import type { Refusal } from '../domain/input.ts';
import { displayName, type Session, type SessionId, type State } from '../domain/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Store } from '../ports/store.ts';

export function resolveSession(engine: Engine, ref: string): State | Refusal {
  const exact = engine.get(ref);
  if (exact) return exact;
  const all = [...engine.all()];
  const named = all.filter(({ session }) => isCalled(session, ref));
  if (named.length === 1) return named[0] as State;
  const prefixed = ref.length >= 2 ? all.filter(({ session }) => session.id.startsWith(ref)) : [];
  if (prefixed.length === 1) return prefixed[0] as State;
  const several = named.length > 1 ? named : prefixed;
  if (several.length > 1)
    return fitsSeveral(
      ref,
      several.map(({ session }) => session),
    );
  return { code: 'not-found', message: `There is no session "${ref}". See them with: sm all` };
}

export const isRefusal = <T extends object>(found: T | Refusal): found is Refusal => 'code' in found;

export interface Found {
  readonly state: State;
  /** Others that were called so when they were killed, the last one first; none for whoever gave an id. */
  readonly namesakes: readonly SessionId[];
}

/** More of one name than this are not counted. */
export const mostNamesakes = 20;

/** Also one that was killed, which is no longer in memory. */
export async function resolveAny(
  { engine, store }: { readonly engine: Engine; readonly store: Store },
  ref: string,
): Promise<Found | Refusal> {
  const found = resolveSession(engine, ref);
  if (!isRefusal(found)) {
    const byName = found.session.id !== ref && isCalled(found.session, ref);
    const others = byName ? await store.retiredNamed(ref, mostNamesakes) : [];
    return { state: found, namesakes: others.map(({ id }) => id) };
  }
  if (found.code !== 'not-found') return found;
  const exact = await store.state(ref);
  if (exact) return { state: exact, namesakes: [] };
  const [newest, ...older] = await store.retiredNamed(ref, mostNamesakes + 1);
  if (newest) return { state: emptyState(newest), namesakes: older.map(({ id }) => id) };
  const prefixed = ref.length >= 2 ? await store.retiredStarting(ref, 6) : [];
  if (prefixed.length > 1) return fitsSeveral(ref, prefixed);
  return prefixed[0] ? { state: emptyState(prefixed[0]), namesakes: [] } : found;
}

const isCalled = (session: Session, ref: string): boolean =>
  displayName(session) === ref || session.name === ref;

function fitsSeveral(ref: string, sessions: readonly Session[]): Refusal {
  const list = sessions.map((session) => `${displayName(session)} (${session.id})`).join(', ');
  return { code: 'conflict', message: `"${ref}" fits several sessions: ${list}. Give more of the id.` };
}
