// Which session a person means: by id, by name, or by a prefix of an id that fits one only.
import { isId, isName } from '../domain/core/ids.ts';
import type { Refusal } from '../domain/core/input.ts';
import { displayName, type State } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';

export function find(service: Pick<Service, 'engine'>, ref: string): State {
  const found = resolve(service.engine, ref);
  if (isRefusal(found)) throw new Refused(found);
  return found;
}

/** A killed session is no longer in memory; it is found by its whole id. */
export async function findAny(service: Service, ref: string): Promise<State> {
  const found = resolve(service.engine, ref);
  if (!isRefusal(found)) return found;
  if (found.code !== 'not-found') throw new Refused(found);
  return findById(service, ref);
}

export async function findById({ engine, store }: Service, id: string): Promise<State> {
  const state = engine.get(id) ?? (isId(id) ? await store.state(id) : null);
  if (!state) throw new Refused(noSession(id));
  return state;
}

function resolve(engine: Engine, ref: string): State | Refusal {
  if (!isId(ref) && !isName(ref)) return noSession(ref);
  const exact = engine.get(ref);
  if (exact) return exact;
  const all = [...engine.all()];
  const named = all.filter(({ session }) => displayName(session) === ref || session.name === ref);
  if (named.length === 1) return named[0] as State;
  const prefixed = ref.length >= 2 ? all.filter(({ session }) => session.id.startsWith(ref)) : [];
  if (prefixed.length === 1) return prefixed[0] as State;
  const several = named.length > 1 ? named : prefixed;
  if (several.length > 1) {
    const list = several.map(({ session }) => `${displayName(session)} (${session.id})`).join(', ');
    return { code: 'conflict', message: `"${ref}" fits several sessions: ${list}. Give more of the id.` };
  }
  return noSession(ref);
}

const noSession = (ref: string): Refusal => ({
  code: 'not-found',
  message: `There is no session "${ref}". See them with: sm all`,
});

const isRefusal = (found: State | Refusal): found is Refusal => 'code' in found;
