// The list of roles.

import { type Io, printLines } from '../io.ts';
import { coloursFor } from '../text/colours.ts';
import { directory } from '../text/directory.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';
import { keysOf, keyWords } from './role.ts';
import type { FoundRole } from './roles.ts';

export function listRoles(io: Io, roles: readonly FoundRole[], json: boolean): number {
  const listed = roles.map((role) => ({
    name: role.name,
    about: role.about,
    keys: keysOf(role),
    from: role.from,
  }));
  if (json) {
    io.out(safeJson({ roles: listed }));
    return 0;
  }
  const rows = listed.map(({ name, about, keys, from }) =>
    [name, keyWords(keys), oneLine(about ?? ''), directory(from)].map((text) => ({ text })),
  );
  const [head = '', ...lines] = tableLines(['ROLE', 'KEYS', 'ABOUT', 'FROM'], rows, io.columns);
  printLines(io, [coloursFor(io).dim(head), ...lines]);
  return 0;
}
