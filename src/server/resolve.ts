// Which session a person means: by id, by name, by a selector or by a prefix of an id that fits one only. Who lives comes
// first.

import { emptyState } from '../domain/core/change.ts';
import { isId, isName } from '../domain/core/ids.ts';
import type { Refusal } from '../domain/core/input.ts';
import type { SessionId } from '../domain/core/names.ts';
import { conflict, type RefusalData } from '../domain/core/refusal.ts';
import { displayName, nameAndId, named, type Session, type State } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Store } from '../ports/store.ts';
import { isSelector } from '../protocol/selector.ts';
import type { Fleet } from './fleet.ts';
import { Refused } from './refused.ts';
import { fitsSelector } from './selection.ts';

interface Where {
  readonly engine: Engine;
  readonly store: Store;
  readonly fleet?: () => Pick<Fleet, 'node'> | null;
}

export interface Found {
  readonly state: State;
  /** Others that were called so when they were killed, the last one first; none for whoever gave an id. */
  readonly namesakes: readonly SessionId[];
}

/** More of one name than this are not counted. */
export const mostNamesakes = 20;
/** Of those that a selector matches, so many are named. */
const mostShown = 20;

export function find(where: Omit<Where, 'store'>, ref: string): State {
  return orThrow(resolve(where.engine, withoutOwnNode(where, ref)));
}

/** Also one that was killed, which is no longer in memory. */
export async function findAny(where: Where, ref: string): Promise<State> {
  return (await foundAny(where, ref)).state;
}

export async function foundAny(where: Where, ref: string): Promise<Found> {
  return orThrow(await resolveAny(where, ref));
}

export async function findById({ engine, store }: Where, id: string): Promise<State> {
  const state = engine.get(id) ?? (isId(id) ? await store.state(id) : null);
  return orThrow(state ?? noSession(id));
}

function resolve(engine: Engine, ref: string): State | Refusal {
  if (!isId(ref) && !isName(ref) && !isSelector(ref)) return noSession(ref);
  const exact = engine.get(ref);
  if (exact) return exact;
  const all = [...engine.all()];
  const named = all.filter(({ session }) => isCalled(session, ref));
  if (named.length === 1) return named[0] as State;
  if (isSelector(ref)) return theOne(engine, ref);
  const prefixed = ref.length >= 2 ? all.filter(({ session }) => session.id.startsWith(ref)) : [];
  if (prefixed.length === 1) return prefixed[0] as State;
  const several = (named.length > 1 ? named : prefixed).map(({ session }) => session);
  return several.length > 1 ? fitsSeveral(ref, several) : noSession(ref);
}

async function resolveAny(where: Where, asked: string): Promise<Found | Refusal> {
  const { engine, store } = where;
  const ref = withoutOwnNode(where, asked);
  const found = resolve(engine, ref);
  if (!isRefusal(found)) {
    const byName = found.session.id !== ref && isCalled(found.session, ref);
    const others = byName ? await store.retiredNamed(ref, mostNamesakes) : [];
    return { state: found, namesakes: others.map(({ id }) => id) };
  }
  if (found.code !== 'not-found' || (!isId(ref) && !isName(ref))) return found;
  const exact = isId(ref) ? await store.state(ref) : null;
  if (exact) return { state: exact, namesakes: [] };
  const [newest, ...older] = await store.retiredNamed(ref, mostNamesakes + 1);
  if (newest) return { state: emptyState(newest), namesakes: older.map(({ id }) => id) };
  const prefixed = ref.length >= 2 && isId(ref) ? await store.retiredStarting(ref, 6) : [];
  if (prefixed.length > 1) return fitsSeveral(ref, prefixed);
  return prefixed[0] ? { state: emptyState(prefixed[0]), namesakes: [] } : found;
}

/** `login@laptop`, said on the laptop, is `login`; unless a session is called so. */
function withoutOwnNode({ engine, fleet }: Omit<Where, 'store'>, ref: string): string {
  const node = fleet?.()?.node;
  if (node === undefined || !ref.endsWith(`@${node}`)) return ref;
  for (const { session } of engine.all()) if (isCalled(session, ref)) return ref;
  return ref.slice(0, -node.length - 1);
}

/** Of a selector, where only one session can be meant. */
function theOne(engine: Engine, ref: string): State | Refusal {
  const fits = fitsSelector(ref, (each) => find({ engine }, each).session);
  const found = [...engine.all()].filter(({ session }) => fits(session));
  if (found.length < 2) return found[0] ?? { ...noSession(ref), message: `No session matches "${ref}".` };
  const names = found.slice(0, mostShown).map(({ session }) => nameAndId(session));
  const rest = found.length > mostShown ? ` and ${found.length - mostShown} more` : '';
  const message = `"${ref}" matches ${found.length} sessions: ${names.join(', ')}${rest}. Name one of them.`;
  return conflict(
    message,
    severalSessions(
      ref,
      found.map(({ session }) => session),
    ),
  );
}

const isCalled = (session: Session, ref: string): boolean =>
  displayName(session) === ref || session.name === ref;

function fitsSeveral(ref: string, sessions: readonly Session[]): Refusal {
  const list = sessions.map(nameAndId).join(', ');
  const message = `"${ref}" matches several sessions: ${list}. Give more of the id.`;
  return conflict(message, severalSessions(ref, sessions));
}

const severalSessions = (ref: string, sessions: readonly Session[]): RefusalData => ({
  is: 'several-sessions',
  ref,
  sessions: sessions.map(named),
});

const noSession = (ref: string): Refusal => ({
  code: 'not-found',
  message: `No session "${ref}".`,
  data: { is: 'no-session', ref },
});

const isRefusal = (found: object): found is Refusal => 'code' in found;

function orThrow<T extends object>(found: T | Refusal): T {
  if (isRefusal(found)) throw new Refused(found);
  return found as T;
}
