// The spool: facts that the hook programs could not hand over, one file each, named by when they were said.
import { readdirSync, watch } from 'node:fs';
import { mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../domain/session.ts';
import type { HookInput } from '../ports/provider.ts';
import type { FactKind } from './intake.ts';

export interface SpoolFile {
  readonly path: string;
  readonly factId: string;
  readonly kind: FactKind;
}

export interface Spool {
  sessions(): Promise<SessionId[]>;
  /** Makes the session's folder and calls back whenever something arrives in it. */
  watch(id: SessionId, onArrival: () => void): Promise<() => void>;
  /** Cheap enough for every direct fact. */
  hasFacts(id: SessionId): boolean;
  /** In order of emission. */
  list(id: SessionId): Promise<SpoolFile[]>;
  read(file: SpoolFile): Promise<HookInput | null>;
  remove(file: SpoolFile): Promise<void>;
  /** Out of the way, but kept for a human. */
  setAside(file: SpoolFile): Promise<void>;
}

export function openSpool(folder: string): Spool {
  const folderOf = (id: SessionId) => join(folder, id);

  return {
    sessions: () => readdir(folder).catch(() => []),
    async watch(id, onArrival) {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 });
      const watcher = watch(folderOf(id), () => onArrival());
      watcher.on('error', () => watcher.close());
      return () => watcher.close();
    },
    hasFacts(id) {
      try {
        return readdirSync(folderOf(id)).some((name) => name.endsWith('.hook'));
      } catch {
        return false;
      }
    },
    async list(id) {
      const names = await readdir(folderOf(id)).catch(() => []);
      const files = await Promise.all(names.map((name) => describe(folderOf(id), name)));
      return files.filter((file) => file !== null).sort((a, b) => compare(a.factId, b.factId));
    },
    async read(file) {
      try {
        const body: unknown = JSON.parse(await readFile(file.path, 'utf8'));
        return typeof body === 'object' && body !== null ? (body as HookInput) : null;
      } catch {
        return null;
      }
    },
    remove: (file) => unlink(file.path).catch(() => undefined),
    setAside: (file) => rename(file.path, `${file.path}.unreadable`).catch(() => undefined),
  };
}

/** A sample has a fixed name, because only the newest counts: its id is when it was written. */
async function describe(folder: string, name: string): Promise<SpoolFile | null> {
  const path = join(folder, name);
  if (name.endsWith('.hook')) return { path, factId: name.slice(0, -'.hook'.length), kind: 'hook' };
  if (name !== 'newest.status') return null;
  const written = await stat(path, { bigint: true }).catch(() => null);
  return written && { path, factId: `${written.mtimeNs}-status`, kind: 'status' };
}

/** Times have the same number of digits for the next centuries, but pids do not. */
function compare(a: string, b: string): number {
  const [timeA = '', pidA = ''] = a.split('-');
  const [timeB = '', pidB = ''] = b.split('-');
  return timeA.length - timeB.length || (timeA < timeB ? -1 : timeA > timeB ? 1 : Number(pidA) - Number(pidB));
}
