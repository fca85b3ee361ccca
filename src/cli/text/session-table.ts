// The sessions as a table, in families; all of them, or repository by repository.
import type { SessionView } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { coloursFor, phaseColour } from './colours.ts';
import { directory, oneLine } from './safe.ts';
import { branchOf, byFamily, contextUse, doing, type Relative } from './session.ts';
import { type Cell, type Column, tableLines } from './table.ts';
import { ago } from './time.ts';
import { cut } from './width.ts';

const columns: readonly Column[] = [
  { title: 'NAME' },
  { title: 'ID' },
  { title: 'PHASE' },
  { title: 'AGENT', leaves: 6 },
  { title: 'MODEL', leaves: 3 },
  { title: 'CONTEXT', leaves: 5 },
  { title: 'ACTIVE', leaves: 4 },
  { title: 'REPO', leaves: 8 },
  { title: 'BRANCH', leaves: 7 },
  { title: 'TAGS', leaves: 2 },
  { title: 'DIRECTORY', leaves: 1, cutAt: 'start' },
  { title: 'DOING' },
];

export function sessionTable(io: Io, sessions: readonly SessionView[]): string[] {
  return tableOf(io, byFamily(sessions));
}

/** Under the name of each repository those that work in it, in whatever worktree. */
export function sessionTableByRepo(io: Io, sessions: readonly SessionView[]): string[] {
  const { bold } = coloursFor(io);
  const room = io.columns ?? Number.POSITIVE_INFINITY;
  const byPath = new Map<string, SessionView[]>();
  for (const session of sessions) {
    const path = session.checkout?.repository ?? '';
    const members = byPath.get(path);
    if (members) members.push(session);
    else byPath.set(path, [session]);
  }
  // Those outside of any come last.
  const groups = [...byPath]
    .map(([path, members]) => ({
      path,
      members: byFamily(members),
      name: members[0]?.checkout?.name ?? '\uffff',
    }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.path, b.path));
  const withoutRepo = columns.map(({ title }) => title !== 'REPO');
  const [head = '', ...lines] = tableOf(
    io,
    groups.flatMap(({ members }) => members),
    withoutRepo,
  );
  let at = 0;
  return groups.flatMap(({ path, name, members }, index) => [
    ...(index === 0 ? [head] : ['']),
    bold(cut(path === '' ? '(no repository)' : `${oneLine(name)} (${directory(path)})`, room)),
    ...lines.slice(at, (at += members.length)),
  ]);
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function tableOf(io: Io, relatives: readonly Relative[], shown = columns.map(() => true)): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const rows = relatives.map(({ session, depth }): Cell[] =>
    [
      { text: '  '.repeat(depth) + oneLine(session.display_name) },
      { text: session.id },
      { text: session.phase, paint: phaseColour(session.phase, colours) },
      { text: oneLine(session.provider) },
      { text: oneLine(session.model ?? '') },
      { text: contextUse(session) },
      { text: ago(session.last_activity, now) },
      { text: oneLine(session.checkout?.name ?? '') },
      { text: branchOf(session) },
      // An older daemon knows of none.
      { text: oneLine(session.tags?.join(' ') ?? '') },
      { text: directory(session.working_dir) },
      { text: doing(session, now) },
    ].filter((_, column) => shown[column]),
  );
  const [head = '', ...lines] = tableLines(
    columns.filter((_, column) => shown[column]),
    rows,
    io.columns,
  );
  return [colours.dim(head), ...lines];
}
