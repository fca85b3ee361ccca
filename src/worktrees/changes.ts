// What git says of changed files, read from its output for programs. Names are bytes, each one a character here.
import type { ChangedFile } from '../ports/diff.ts';
import type { BytePath } from './walk.ts';

export interface Change {
  readonly path: BytePath;
  readonly oldPath: BytePath | null;
  readonly is: ChangedFile['is'];
  /** What is another kind of thing now, a link say, has two patches: one takes it away, one brings it. */
  readonly patches: 1 | 2;
}

export interface Counted extends Change {
  /** Null: it is not text. */
  readonly lines: { readonly added: number; readonly removed: number } | null;
}

const kinds: Readonly<Record<string, ChangedFile['is']>> = {
  A: 'added',
  C: 'added',
  D: 'removed',
  R: 'renamed',
  U: 'conflicted',
};

/** `git diff --raw --numstat -z` */
export function readCounts(output: Buffer): Counted[] {
  const fields = output.toString('latin1').split('\0');
  const changes = new Map(readRaw(fields).map((change) => [change.path, change]));
  const counted = new Map<BytePath, Counted>();
  for (let field = fields.shift(); field; field = fields.shift()) {
    const [added = '', removed = '', name = ''] = splitOnce(field);
    // Of one that was renamed, both names follow.
    if (name === '') fields.shift();
    const path = name === '' ? (fields.shift() ?? '') : name;
    const change = changes.get(path);
    const lines = added === '-' ? null : { added: Number(added), removed: Number(removed) };
    if (change) counted.set(path, { ...change, lines });
  }
  return [...counted.values()];
}

/** `git diff --raw --patch -z`: the hunks of each file that has some. */
export function readPatches(output: Buffer, isCut: boolean): ReadonlyMap<BytePath, string> {
  const text = output.toString('latin1');
  const at = text.indexOf('\0\0');
  const changes = readRaw((at < 0 ? '' : text.slice(0, at + 1)).split('\0'));
  const parts = text.slice(at + 2).split(/^(?=diff --git )/m);
  if (isCut) parts.pop();
  const patches = new Map<BytePath, string>();
  const written = changes
    .filter(({ is }) => is !== 'conflicted')
    .flatMap(({ path, patches }) => (patches === 2 ? [path, path] : [path]));
  for (const [index, part] of parts.filter((each) => each.startsWith('diff --git ')).entries()) {
    const path = written[index];
    const hunks = /^@@ [\s\S]*/m.exec(part)?.[0];
    if (path !== undefined && hunks !== undefined)
      patches.set(path, (patches.get(path) ?? '') + Buffer.from(hunks, 'latin1').toString('utf8'));
  }
  return patches;
}

/** Takes the records off that begin with a colon. */
function readRaw(fields: string[]): Change[] {
  const changes: Change[] = [];
  while (fields[0]?.startsWith(':')) {
    const status = (fields.shift() ?? '').split(' ').at(-1)?.[0] ?? '';
    const first = fields.shift() ?? '';
    const hasTwo = status === 'R' || status === 'C';
    const path = hasTwo ? (fields.shift() ?? '') : first;
    const oldPath = hasTwo ? first : null;
    changes.push({ path, oldPath, is: kinds[status] ?? 'changed', patches: status === 'T' ? 2 : 1 });
  }
  return changes;
}

/** `3\t1\tname`, where the name may have tabs too. */
function splitOnce(field: string): string[] {
  const [, ...parts] = /^([^\t]*)\t([^\t]*)\t([\s\S]*)$/.exec(field) ?? [];
  return parts;
}
