// The books of what sessions have used up, added up as somebody wants to see them.
import type { SessionId } from '../domain/core/names.ts';
import { displayName, type Session } from '../domain/core/session.ts';
import { noTokens, plus, priced, type Spent, type Tokens, totalOf } from '../domain/core/spending.ts';
import type { CostBy, CostEntry, CostView, TokensView } from '../protocol/cost.ts';
import { findAny } from './resolve.ts';
import type { Service } from './service.ts';

interface Asked {
  readonly session?: string | undefined;
  readonly since?: string | undefined;
  readonly by?: CostBy | undefined;
}

type Books = Pick<Service, 'engine' | 'store' | 'prices'>;

export async function costs(service: Books, asked: Asked): Promise<CostView> {
  const one = asked.session === undefined ? null : (await findAny(service, asked.session)).session;
  const by = asked.by ?? (one ? 'context' : 'session');
  const since = asked.since === undefined ? 0 : Date.parse(asked.since);
  const sessions = await sessionsOf(service);
  const wanted = one && by === 'family' ? sessions.family(one.id) : null;
  const query = one && by !== 'family' ? { since, sessionId: one.id } : { since };
  const rows = await service.store.spent(query);
  await sessions.learn(rows.map(({ sessionId }) => sessionId));
  const told = toldBy(rows, sessions.get);
  const sums = new Map<string, Sum>();
  const total = emptySum();
  const unpriced = new Set<string>();
  for (const row of rows) {
    if (wanted !== null && sessions.family(row.sessionId) !== wanted) continue;
    const place = placeOf(row, by, sessions.family);
    const key = JSON.stringify(place);
    const sum = sums.get(key) ?? { ...emptySum(), place };
    sums.set(key, sum);
    const price = told.has(row.sessionId) ? null : service.prices(row.model);
    const cost = row.costUsd ?? (price ? priced(row.tokens, price) : null);
    const isUnpriced = cost === null && !told.has(row.sessionId) && totalOf(row.tokens) > 0;
    if (isUnpriced) unpriced.add(row.model);
    for (const each of [sum, total]) add(each, row.tokens, cost, isUnpriced);
  }
  const entries = [...sums.values()].map((sum) => entry(sum, sessions.get)).sort(order(by));
  return {
    by,
    since: asked.since === undefined ? null : new Date(since).toISOString(),
    entries,
    total: spentView(total),
    unpriced_models: [...unpriced].sort(),
  };
}

interface Place {
  readonly session?: SessionId;
  readonly context?: number;
  readonly day?: string;
}

interface Sum {
  place?: Place;
  tokens: Tokens;
  cost: number | null;
  unpriced: number;
}

const emptySum = (): Sum => ({ tokens: noTokens, cost: null, unpriced: 0 });

function add(sum: Sum, tokens: Tokens, cost: number | null, isUnpriced: boolean): void {
  sum.tokens = plus(sum.tokens, tokens);
  if (cost !== null) sum.cost = (sum.cost ?? 0) + cost;
  if (isUnpriced) sum.unpriced += totalOf(tokens);
}

function placeOf({ sessionId, context, at }: Spent, by: CostBy, family: (id: string) => string): Place {
  switch (by) {
    case 'session':
      return { session: sessionId };
    case 'context':
      return { session: sessionId, context };
    case 'family':
      return { session: family(sessionId) };
    case 'day':
      return { day: dayOf(at) };
  }
}

/** Where the agent tells what it costs, that is the cost; prices are for the others. */
function toldBy(rows: readonly Spent[], get: (id: string) => Session | undefined): ReadonlySet<string> {
  return new Set(
    rows
      .filter(
        ({ sessionId, costUsd }) => costUsd !== null || (get(sessionId)?.spending?.costUsd ?? null) !== null,
      )
      .map(({ sessionId }) => sessionId),
  );
}

/** Also those that were killed, as long as they are kept. */
async function sessionsOf({ engine, store }: Pick<Service, 'engine' | 'store'>) {
  const known = new Map<string, Session>();
  for (const { session } of engine.all()) known.set(session.id, session);
  async function learn(ids: readonly string[]): Promise<void> {
    for (const id of new Set(ids)) {
      if (known.has(id)) continue;
      const session = (await store.state(id))?.session;
      if (!session) continue;
      known.set(id, session);
      if (session.parentId !== null) await learn([session.parentId]);
    }
  }
  await learn([...known.values()].flatMap(({ parentId }) => parentId ?? []));
  const family = (id: string, seen: ReadonlySet<string> = new Set()): string => {
    const parent = known.get(id)?.parentId;
    return parent && !seen.has(parent) ? family(parent, new Set([...seen, id])) : id;
  };
  return { get: (id: string) => known.get(id), family: (id: string) => family(id), learn };
}

function entry({ place = {}, ...sum }: Sum, get: (id: string) => Session | undefined): CostEntry {
  const session = place.session === undefined ? undefined : get(place.session);
  return {
    session_id: place.session ?? null,
    session_name: place.session === undefined ? null : session ? displayName(session) : place.session,
    context: place.context ?? null,
    day: place.day ?? null,
    ...spentView(sum),
  };
}

const spentView = ({ tokens, cost, unpriced }: Sum) => ({
  tokens: tokensView(tokens),
  cost_usd: cost,
  unpriced_tokens: unpriced,
});

export const tokensView = (tokens: Tokens): TokensView => ({
  input: tokens.input,
  cache_read: tokens.cacheRead,
  cache_write: tokens.cacheWrite,
  output: tokens.output,
  total: totalOf(tokens),
});

const order =
  (by: CostBy) =>
  (a: CostEntry, b: CostEntry): number => {
    if (by === 'day') return compare(a.day ?? '', b.day ?? '');
    if (by === 'context' && a.session_id === b.session_id) return (a.context ?? 0) - (b.context ?? 0);
    return (b.cost_usd ?? 0) - (a.cost_usd ?? 0) || b.tokens.total - a.tokens.total;
  };

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function dayOf(at: number): string {
  const day = new Date(at);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
