// The sessions as a table, in families; all of them, or repository by repository.
import type { SessionRow } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { coloursFor, isColoured, phaseColour } from './colours.ts';
import { directory, fromHome } from './directory.ts';
import { oneLine, oneLines } from './safe.ts';
import { branchOf, byFamily, contextUse, doing, type Relative } from './session.ts';
import { type Column, columnLines, type FilledColumn } from './table.ts';
import { ago } from './time.ts';
import { cut } from './width.ts';

interface SessionColumn extends Column {
  /** Not yet safe: that is seen to for all of them at once. */
  text(session: SessionRow, now: number): string;
}

const columns: readonly SessionColumn[] = [
  { title: 'NAME', text: ({ display_name }) => display_name },
  { title: 'ID', text: ({ id }) => id },
  { title: 'NODE', leaves: 9, text: ({ node }) => node ?? '' },
  { title: 'PHASE', text: ({ phase, away_since }) => (away_since === undefined ? phase : 'away') },
  { title: 'AGENT', leaves: 6, text: ({ provider }) => provider },
  { title: 'MODEL', leaves: 3, text: ({ model }) => model ?? '' },
  { title: 'CONTEXT', leaves: 5, text: contextUse },
  { title: 'ACTIVE', leaves: 4, text: ({ last_activity }, now) => ago(last_activity, now) },
  { title: 'REPO', leaves: 8, text: ({ checkout }) => checkout?.name ?? '' },
  { title: 'BRANCH', leaves: 7, text: branchOf },
  // An older daemon knows of none.
  { title: 'TAGS', leaves: 2, text: ({ tags }) => tags?.join(' ') ?? '' },
  { title: 'DIRECTORY', leaves: 1, cutAt: 'start', text: ({ working_dir }) => fromHome(working_dir) },
  { title: 'DOING', text: doing },
];

/** `node`: what this machine is called, where there are others. */
export function sessionTable(io: Io, sessions: readonly SessionRow[], node?: string): string[] {
  return tableOf(io, byFamily(named(sessions, node)), columnsFor(node));
}

const named = (sessions: readonly SessionRow[], own: string | undefined): readonly SessionRow[] =>
  own === undefined ? sessions : sessions.map((row) => ({ ...row, node: row.node ?? own }));

const columnsFor = (node: string | undefined): readonly SessionColumn[] =>
  node === undefined ? columns.filter(({ title }) => title !== 'NODE') : columns;

/** Under the name of each repository those that work in it, in whatever worktree. */
export function sessionTableByRepo(io: Io, sessions: readonly SessionRow[], node?: string): string[] {
  const { bold } = coloursFor(io);
  const room = io.columns ?? Number.POSITIVE_INFINITY;
  const byPath = new Map<string, SessionRow[]>();
  for (const session of named(sessions, node)) {
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
  const [head = '', ...lines] = tableOf(
    io,
    groups.flatMap(({ members }) => members),
    columnsFor(node).filter(({ title }) => title !== 'REPO'),
  );
  let at = 0;
  return groups.flatMap(({ path, name, members }, index) => [
    ...(index === 0 ? [head] : ['']),
    bold(cut(path === '' ? '(no repository)' : `${oneLine(name)} (${directory(path)})`, room)),
    ...lines.slice(at, (at += members.length)),
  ]);
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function tableOf(io: Io, relatives: readonly Relative[], shown: readonly SessionColumn[]): string[] {
  const [now, colours] = [io.now(), coloursFor(io)];
  const filled = shown.map((column): FilledColumn => {
    const texts = oneLines(relatives.map(({ session }) => column.text(session, now)));
    if (column.title === 'NAME') return { ...column, texts: relatives.map(under(texts)) };
    if (column.title !== 'PHASE' || !isColoured(io)) return { ...column, texts };
    return { ...column, texts, paints: relatives.map(({ session }) => phaseColour(session.phase, colours)) };
  });
  const [head = '', ...lines] = columnLines(filled, relatives.length, io.columns);
  return [colours.dim(head), ...lines];
}

/** Each name as deep as it stands. */
const under =
  (names: readonly string[]) =>
  ({ depth }: Relative, at: number): string =>
    depth === 0 ? (names[at] ?? '') : '  '.repeat(depth) + names[at];
