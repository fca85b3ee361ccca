// The spool: facts that the hook programs could not hand over, one file each, named by when they were said.

import { watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../domain/core/ids.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { HookInput } from '../ports/provider.ts';

export type FactKind = 'hook' | 'status';

export interface SpoolFile {
  readonly path: string;
  readonly factId: string;
  /** When it was said, in nanoseconds. */
  readonly at: bigint;
  readonly kind: FactKind;
}

export interface Spool {
  sessions(): Promise<SessionId[]>;
  /** Makes the session's folder and calls back whenever something arrives in it. */
  watch(id: SessionId, onArrival: () => void): Promise<() => void>;
  /** In order of emission. */
  list(id: SessionId): Promise<SpoolFile[]>;
  /** `gone`: its program has told it meanwhile. Null: it cannot be read. */
  read(file: SpoolFile): Promise<HookInput | 'gone' | null>;
  remove(file: SpoolFile): Promise<void>;
  /** Out of the way, but kept for a human. */
  setAside(file: SpoolFile): Promise<void>;
}

export function openSpool(folder: string): Spool {
  /** Whatever asks for it: nothing outside is ever read or removed. */
  const folderOf = (id: SessionId) => {
    if (!isId(id)) throw new Error(`"${id}" cannot be the id of a session`);
    return join(folder, id);
  };

  return {
    sessions: async () => (await readdir(folder).catch(() => [])).filter(isId),
    async watch(id, onArrival) {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 });
      const watcher = watch(folderOf(id), () => onArrival());
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    },
    async list(id) {
      const own = folderOf(id);
      const names = await readdir(own).catch(() => []);
      const files = await Promise.all(names.map((name) => describe(own, name)));
      return files.filter((file) => file !== null).sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    },
    async read(file) {
      try {
        const body: unknown = JSON.parse(await readFile(file.path, 'utf8'));
        return typeof body === 'object' && body !== null ? (body as HookInput) : null;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : null;
      }
    },
    remove: (file) => unlink(file.path).catch(() => undefined),
    setAside: (file) => rename(file.path, `${file.path}.unreadable`).catch(() => undefined),
  };
}

async function describe(folder: string, name: string): Promise<SpoolFile | null> {
  const path = join(folder, name);
  const [, at, factId] = name.match(/^(\d+)-(.+)\.hook$/) ?? [];
  if (at && factId) return { path, factId, at: BigInt(at), kind: 'hook' };
  if (name !== 'newest.status') return null;
  // A sample has a fixed name, because only the newest counts: it is named by when it was written.
  const written = await stat(path, { bigint: true }).catch(() => null);
  return written && { path, factId: `status-${written.mtimeNs}`, at: written.mtimeNs, kind: 'status' };
}
