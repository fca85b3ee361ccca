// The limits of all accounts that sessions have told of.
import { type LimitRecord, reachedAt, usedNow } from '../domain/limits/record.ts';
import type { LimitView } from '../protocol/limits.ts';
import type { Service } from './service.ts';

export async function limitsOf({ engine, store, clock }: Service): Promise<LimitView[]> {
  const providers = new Map<string, Set<string>>();
  for (const { session } of engine.all()) {
    if (session.account === null) continue;
    const known = providers.get(session.account) ?? new Set();
    providers.set(session.account, known.add(session.provider));
  }
  const now = clock.now();
  return (await store.limits()).map((record) =>
    limitView(record, [...(providers.get(record.account) ?? [])].sort(), now),
  );
}

/** Of a window of which so much is used, everybody wants to know. */
const near = 80;

export const nearLimits = async (service: Service): Promise<LimitView[]> =>
  (await limitsOf(service)).filter(({ used_percentage: used }) => used !== null && used >= near);

function limitView(record: LimitRecord, providers: string[], now: number): LimitView {
  const reached = reachedAt(record, now);
  const pace = 'pace' in reached ? Math.round(reached.pace * 10) / 10 : null;
  return {
    account: record.account,
    providers,
    window: record.window,
    used_percentage: usedNow(record, now),
    resets_at: record.resetsAt === null ? null : iso(record.resetsAt),
    told_at: iso(record.at),
    points_per_hour: pace,
    reached_at: reached.is === 'expected' ? iso(record.at + reached.in) : null,
    forecast: reached.is,
    why: reached.is === 'unknown' ? reached.why : null,
  };
}

const iso = (time: number): string => new Date(time).toISOString();
