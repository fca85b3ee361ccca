// Brings back the sessions whose agents ran when the machine or the tmux server ended: parents first, a few at a time. Who
// is still to come is kept with each session until its agent is ready, so that this can be done again after anything.
import type { SessionView } from '../../protocol/session.ts';
import type { Client } from '../daemon/client.ts';
import { type Io, ownSessionId } from '../io.ts';
import { safeJson, safeText } from '../text/safe.ts';
import { byFamily, isLive } from '../text/session.ts';
import { type Brought, bring } from './bring.ts';
import { broughtLine, leftLines, planLines } from './text.ts';

/** Agents that start at once take each other's time: of more, none is ready sooner. */
const atOnce = 4;

interface AllOptions {
  readonly refs: readonly string[];
  readonly dryRun: boolean;
  readonly json: boolean;
}

export async function restoreAll(io: Io, client: Client, options: AllOptions): Promise<number> {
  const { dryRun, json } = options;
  const family = await meant(io, client, options.refs);
  const stranded = family.filter((session) => session.stranded);
  const left = family.filter((session) => !session.stranded && !isLive(session));
  if (dryRun) {
    if (json) io.out(safeJson({ dry_run: true, sessions: stranded, left }));
    else io.out(`${[...planLines(io, stranded), ...leftLines(left)].join('\n')}\n`);
    return 0;
  }
  if (stranded.length === 0) {
    if (json) io.out(safeJson({ sessions: [], left }));
    else io.out(`${[...planLines(io, []), ...leftLines(left)].join('\n')}\n`);
    return 0;
  }
  const brought = await parentsFirst(stranded, async (session) => {
    const one = await bring(io, client, session);
    if (json) return one;
    if (one.outcome === 'failed') io.err(`Error: ${safeText(broughtLine(one))}\n`);
    else io.out(`${broughtLine(one)}\n`);
    return one;
  });
  const missing = brought.filter(({ outcome }) => outcome === 'failed');
  if (json) io.out(safeJson({ sessions: brought.map(told), left }));
  else if (missing.length > 0)
    io.err(
      `${missing.length} of ${brought.length} did not come back. Try again with: sm restore --all${options.refs.map((ref) => ` ${ref}`).join('')}\n`,
    );
  return missing.length > 0 ? 1 : 0;
}

const told = ({ session, outcome, resumed, why }: Brought) => ({
  ...{ id: session.id, name: session.display_name, parent_session_id: session.parent_session_id },
  ...{ outcome, resumed, why },
});

/** All sessions, or those that are named with all below them; parents before children. A session means its own family. */
async function meant(io: Io, client: Client, refs: readonly string[]): Promise<SessionView[]> {
  const { sessions } = await client.ask('GET /sessions', { query: {} });
  const family = byFamily(sessions).map(({ session }) => session);
  const self = ownSessionId(io);
  const named = refs.length === 0 && self !== undefined ? [self] : refs;
  if (named.length === 0) return family;
  const found = await Promise.all(named.map((ref) => client.ask('GET /sessions/{ref}', { ref })));
  const ids = new Set(found.map(({ id }) => id));
  // Parents come first, so that one pass finds all descendants.
  for (const { id, parent_session_id: parent } of family) if (parent !== null && ids.has(parent)) ids.add(id);
  return family.filter(({ id }) => ids.has(id));
}

async function parentsFirst<T>(
  sessions: readonly SessionView[],
  work: (session: SessionView) => Promise<T>,
): Promise<T[]> {
  const inSlot = slots(atOnce);
  const under = new Map<string, Promise<T>>();
  for (const session of sessions) {
    const parent = under.get(session.parent_session_id ?? '');
    const after = async () => {
      await parent;
      return inSlot(() => work(session));
    };
    under.set(session.id, after());
  }
  return Promise.all(under.values());
}

/** Runs so many at a time; the others wait in order. */
function slots(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
