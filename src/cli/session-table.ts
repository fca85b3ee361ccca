// The list of sessions.
import type { SessionView } from '../protocol/session.ts';
import { byFamily } from './family.ts';
import { coloursFor, phaseColour } from './format/colours.ts';
import { type Cell, tableLines } from './format/table.ts';
import { oneLine } from './format/text.ts';
import { ago } from './format/time.ts';
import type { Io } from './io.ts';
import { contextUse, directory, doing } from './session-text.ts';

const heading = ['NAME', 'ID', 'PHASE', 'PROVIDER', 'CONTEXT', 'ACTIVE', 'DIRECTORY', 'DOING'];

export function sessionTable(io: Io, sessions: readonly SessionView[]): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const mixed = new Set(sessions.map(({ provider }) => provider)).size > 1;
  const rows = byFamily(sessions).map(({ session, depth }): Cell[] => [
    { text: '  '.repeat(depth) + oneLine(session.display_name) },
    { text: session.id },
    { text: session.phase, paint: phaseColour(session.phase, colours) },
    { text: mixed ? oneLine(session.provider) : '' },
    { text: contextUse(session) },
    { text: ago(session.last_activity, now) },
    { text: directory(session.working_dir) },
    { text: doing(session, now) },
  ]);
  const [head = '', ...lines] = tableLines(heading, rows, io.columns);
  return [colours.dim(head), ...lines];
}
