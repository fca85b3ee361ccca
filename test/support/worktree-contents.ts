// All files below a directory, to be compared with what is there later.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

export type Contents = ReadonlyMap<string, string>;

/** Every file: what it is, and what is in it. Folders that have a git directory of their own are left to git. */
export function contents(folder: string): Contents {
  const found = new Map<string, string>();
  const walk = (below: string) => {
    for (const name of readdirSync(join(folder, below))) {
      const path = below === '' ? name : `${below}/${name}`;
      if (name === '.git') continue;
      const stats = lstatSync(join(folder, path));
      if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink()) found.set(path, `link ${readlinkSync(join(folder, path))}`);
      else
        found.set(
          path,
          `${(stats.mode & 0o777).toString(8)} ${readFileSync(join(folder, path)).toString('hex')}`,
        );
    }
  };
  walk('');
  return found;
}

export function expectSame(before: Contents, after: Contents): void {
  for (const [path, content] of before)
    if (after.get(path) !== content)
      throw new Error(`${path} was ${content}, and is ${after.get(path) ?? 'gone'}`);
  for (const path of after.keys()) if (!before.has(path)) throw new Error(`${path} has come from nowhere`);
}

/** Only these files. */
export const among = (all: Contents, paths: readonly string[]): Contents =>
  new Map(paths.flatMap((path) => (all.has(path) ? [[path, all.get(path) as string]] : [])));
