// The order of every list of sessions: who needs you comes first. A family stays together, and goes where its most
// urgent member belongs.
import type { SessionView } from '../protocol/session.ts';

export const tiers = ['pinned', 'waiting', 'trouble', 'working', 'idle', 'snoozed', 'gone'] as const;
export type Tier = (typeof tiers)[number];

export const tierTitle: Readonly<Record<Tier, string>> = {
  pinned: 'PINNED',
  waiting: 'WAITING FOR YOU',
  trouble: 'FAILED OR SILENT',
  working: 'WORKING',
  idle: 'IDLE',
  snoozed: 'SNOOZED',
  gone: 'GONE',
};

export interface Wanted {
  readonly pinned: ReadonlySet<string>;
  /** Sessions that may wait, with the state in which they were sent away: any other one brings them back. */
  readonly snoozed: ReadonlyMap<string, string>;
  /** Families of which only the first row is shown. */
  readonly folded: ReadonlySet<string>;
  readonly byRepository: boolean;
  shows(session: SessionView): boolean;
}

export interface Row {
  readonly session: SessionView;
  readonly tier: Tier;
  /** One entry for each generation above: whether a line goes on there, past this row. */
  readonly branches: readonly boolean[];
  /** How many of its family are folded away below it. */
  readonly hidden: number;
  readonly children: number;
}

export type Line =
  | { readonly kind: 'title'; readonly text: string }
  | { readonly kind: 'session'; readonly row: Row };

interface Member {
  readonly session: SessionView;
  readonly children: Member[];
}

export function tierOf(session: SessionView): Tier {
  const { phase, ended } = session;
  // Nobody can do anything about a limit but wait.
  if (session.limit && !session.question) return 'idle';
  if (phase === 'blocked') return 'waiting';
  if (phase === 'lost' || (ended && !ended.killed && ended.code !== 0)) return 'trouble';
  if (phase === 'exited') return 'gone';
  if (session.screen_unrecognised_since !== null || session.silent) return 'trouble';
  if (phase !== 'idle') return 'working';
  return session.last_turn?.end === 'failed' ? 'trouble' : 'idle';
}

/** What must change before a session that was sent away comes back. */
export function stateOf(session: SessionView): string {
  return [tierOf(session), session.phase, session.question?.since, session.ended?.at].join(' ');
}

export const isSnoozed = (session: SessionView, { snoozed }: Pick<Wanted, 'snoozed'>): boolean =>
  snoozed.get(session.id) === stateOf(session);

export function arrange(sessions: Iterable<SessionView>, wanted: Wanted): Line[] {
  const families = familiesOf(sessions)
    .map((root) => shownPart(root, wanted))
    .filter((root) => root !== undefined)
    .map((root) => ({ root, tier: familyTier(root, wanted), since: urgentSince(root) }));
  families.sort(
    (one, other) =>
      tiers.indexOf(one.tier) - tiers.indexOf(other.tier) ||
      (one.tier === 'waiting' ? compare(one.since, other.since) : 0) ||
      compareAge(one.root.session, other.root.session),
  );
  const titleOf = (family: (typeof families)[number]) =>
    wanted.byRepository ? placeOf(family.root.session).repository : tierTitle[family.tier];
  const titled = wanted.byRepository
    ? [...families].sort((one, other) => compare(titleOf(one), titleOf(other)))
    : families;
  const lines: Line[] = [];
  let title: string | undefined;
  for (const family of titled) {
    if (titleOf(family) !== title) {
      title = titleOf(family);
      lines.push({ kind: 'title', text: title });
    }
    lines.push(...rowsOf(family.root, family.tier, wanted));
  }
  return lines;
}

/** Families in the order of their age, which does not change with what they do. */
export function familyRows(sessions: Iterable<SessionView>, folded: ReadonlySet<string>): Row[] {
  const wanted: Wanted = {
    pinned: new Set(),
    snoozed: new Map(),
    folded,
    byRepository: false,
    shows: () => true,
  };
  return familiesOf(sessions)
    .sort((one, other) => compareAge(one.session, other.session))
    .flatMap((root) =>
      [...rowsOf(root, tierOf(root.session), wanted)].flatMap((line) =>
        line.kind === 'session' ? [line.row] : [],
      ),
    );
}

function familiesOf(sessions: Iterable<SessionView>): Member[] {
  const members = new Map<string, Member>();
  for (const session of sessions) members.set(session.id, { session, children: [] });
  const roots: Member[] = [];
  for (const member of members.values()) {
    const parent = parentOf(member, members);
    (parent ? parent.children : roots).push(member);
  }
  for (const { children } of members.values())
    children.sort((one, other) => compareAge(one.session, other.session));
  return roots;
}

function parentOf({ session }: Member, members: ReadonlyMap<string, Member>): Member | undefined {
  const upwards = ({ session: each }: Member) => members.get(each.parent_session_id ?? '');
  const parent = members.get(session.parent_session_id ?? '');
  const above = new Set<Member>();
  // Nobody is above himself, whatever somebody tells us.
  for (let each = parent; each && !above.has(each); each = upwards(each)) {
    if (each.session === session) return undefined;
    above.add(each);
  }
  return parent;
}

/** The family without whom nobody wants to see; a parent stays as long as a child is shown. */
function shownPart(member: Member, wanted: Wanted): Member | undefined {
  const children = member.children
    .map((child) => shownPart(child, wanted))
    .filter((child) => child !== undefined);
  return children.length > 0 || wanted.shows(member.session)
    ? { session: member.session, children }
    : undefined;
}

function* everyone(member: Member): Generator<SessionView> {
  yield member.session;
  for (const child of member.children) yield* everyone(child);
}

function familyTier(root: Member, wanted: Wanted): Tier {
  let best = tiers.length - 1;
  for (const session of everyone(root)) best = Math.min(best, tiers.indexOf(tierFor(session, wanted)));
  return tiers[best] as Tier;
}

function tierFor(session: SessionView, wanted: Wanted): Tier {
  if (wanted.pinned.has(session.id)) return 'pinned';
  return isSnoozed(session, wanted) ? 'snoozed' : tierOf(session);
}

/** Since when its longest waiting member waits. */
function urgentSince(root: Member): string {
  let oldest = '9';
  for (const { question } of everyone(root)) if (question && question.since < oldest) oldest = question.since;
  return oldest;
}

function* rowsOf(root: Member, tier: Tier, wanted: Wanted): Generator<Line> {
  yield* walk(root, []);

  function* walk({ session, children }: Member, branches: readonly boolean[]): Generator<Line> {
    const folded = wanted.folded.has(session.id);
    const hidden = folded ? children.reduce((sum, child) => sum + [...everyone(child)].length, 0) : 0;
    yield { kind: 'session', row: { session, tier, branches, hidden, children: children.length } };
    if (folded) return;
    for (const [index, child] of children.entries())
      yield* walk(child, [...branches, index < children.length - 1]);
  }
}

/** Where it works: `web` and, where it is known, `login`. */
export function placeOf(session: SessionView): { readonly repository: string; readonly branch: string } {
  const { checkout } = session;
  if (checkout)
    return { repository: checkout.name, branch: checkout.branch ?? checkout.commit?.slice(0, 7) ?? '' };
  return { repository: session.working_dir.split('/').filter(Boolean).at(-1) ?? '/', branch: '' };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const compareAge = (one: SessionView, other: SessionView): number =>
  compare(one.created_at, other.created_at) || compare(one.id, other.id);
