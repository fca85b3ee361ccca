// Everything that lies in a directory. Names are bytes, and need not be text: here each byte is one character, so that no
// name is changed on its way.
import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';

/** A path below some directory, byte by byte. */
export type BytePath = string;

export const onDisk = (folder: string, path: BytePath): Buffer =>
  path === '' ? Buffer.from(folder) : Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
export const shown = (path: BytePath): string => Buffer.from(path, 'latin1').toString('utf8');
export const bytePath = (path: string): BytePath => Buffer.from(path).toString('latin1');
export const bytePaths = (list: Buffer): BytePath[] => list.toString('latin1').split('\0').filter(Boolean);

export interface Entry {
  readonly path: BytePath;
  readonly stats: Stats;
}

/** Throws where something cannot be read: what was not seen is not known. */
export async function* walk(folder: string, below: BytePath = ''): AsyncGenerator<Entry> {
  const names = await readdir(onDisk(folder, below), { encoding: 'buffer' });
  for (const name of names) {
    const path = below === '' ? name.toString('latin1') : `${below}/${name.toString('latin1')}`;
    const stats = await lstat(onDisk(folder, path));
    yield { path, stats };
    if (stats.isDirectory()) yield* walk(folder, path);
  }
}
