// The sessions as a table, in families; all of them, or repository by repository.
import type { SessionRow } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { type Colours, coloursFor, phaseColour } from './colours.ts';
import { directory } from './directory.ts';
import { oneLine } from './safe.ts';
import { branchOf, byFamily, contextUse, doing, type Relative } from './session.ts';
import { type Cell, type Column, tableLines } from './table.ts';
import { ago } from './time.ts';
import { cut } from './width.ts';

/** When, and with which colours, it is told. */
interface Telling {
  readonly now: number;
  readonly colours: Colours;
}

interface SessionColumn extends Column {
  cell(relative: Relative, telling: Telling): Cell;
}

const columns: readonly SessionColumn[] = [
  { title: 'NAME', cell: ({ session, depth }) => '  '.repeat(depth) + oneLine(session.display_name) },
  { title: 'ID', cell: ({ session }) => session.id },
  {
    title: 'PHASE',
    cell: ({ session: { phase } }, { colours }) => ({ text: phase, paint: phaseColour(phase, colours) }),
  },
  { title: 'AGENT', leaves: 6, cell: ({ session }) => oneLine(session.provider) },
  { title: 'MODEL', leaves: 3, cell: ({ session }) => oneLine(session.model ?? '') },
  { title: 'CONTEXT', leaves: 5, cell: ({ session }) => contextUse(session) },
  { title: 'ACTIVE', leaves: 4, cell: ({ session }, { now }) => ago(session.last_activity, now) },
  { title: 'REPO', leaves: 8, cell: ({ session }) => oneLine(session.checkout?.name ?? '') },
  { title: 'BRANCH', leaves: 7, cell: ({ session }) => branchOf(session) },
  // An older daemon knows of none.
  { title: 'TAGS', leaves: 2, cell: ({ session }) => oneLine(session.tags?.join(' ') ?? '') },
  {
    title: 'DIRECTORY',
    leaves: 1,
    cutAt: 'start',
    cell: ({ session }) => directory(session.working_dir),
  },
  { title: 'DOING', cell: ({ session }, { now }) => doing(session, now) },
];

export function sessionTable(io: Io, sessions: readonly SessionRow[]): string[] {
  return tableOf(io, byFamily(sessions));
}

/** Under the name of each repository those that work in it, in whatever worktree. */
export function sessionTableByRepo(io: Io, sessions: readonly SessionRow[]): string[] {
  const { bold } = coloursFor(io);
  const room = io.columns ?? Number.POSITIVE_INFINITY;
  const byPath = new Map<string, SessionRow[]>();
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
  const [head = '', ...lines] = tableOf(
    io,
    groups.flatMap(({ members }) => members),
    columns.filter(({ title }) => title !== 'REPO'),
  );
  let at = 0;
  return groups.flatMap(({ path, name, members }, index) => [
    ...(index === 0 ? [head] : ['']),
    bold(cut(path === '' ? '(no repository)' : `${oneLine(name)} (${directory(path)})`, room)),
    ...lines.slice(at, (at += members.length)),
  ]);
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

function tableOf(io: Io, relatives: readonly Relative[], shown = columns): string[] {
  const telling = { now: io.now(), colours: coloursFor(io) };
  const rows = relatives.map((relative) => shown.map((column) => column.cell(relative, telling)));
  const [head = '', ...lines] = tableLines(shown, rows, io.columns);
  return [telling.colours.dim(head), ...lines];
}
