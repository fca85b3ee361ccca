// The spool: facts that the hook programs could not hand over, one file each, named by when they were said.

import { readdirSync, watch } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isId } from '../domain/core/ids.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { HookInput } from '../ports/provider.ts';
import { readRegular } from './regular-file.ts';

/** More than the door for facts takes, in bytes. */
const longest = 32 * 1024 * 1024;

export type FactKind = 'hook' | 'status';

export interface SpoolFile {
  readonly path: string;
  readonly factId: string;
  /** When it was said, in nanoseconds of our clock. */
  readonly at: bigint;
  /** The same by the clock of who said it, which tells those of one moment apart. */
  readonly wall: bigint;
  readonly kind: FactKind;
}

export interface Spool {
  sessions(): Promise<SessionId[]>;
  /** Makes the session's folder and calls back whenever something arrives in it. */
  watch(id: SessionId, onArrival: () => void): Promise<() => void>;
  /** Whether there is nothing to list, at once: so it nearly always is, and nobody should wait to hear that. */
  isEmpty(id: SessionId): boolean;
  /** In order of emission. */
  list(id: SessionId): Promise<SpoolFile[]>;
  /** `gone`: its program has told it meanwhile. Null: it cannot be read. */
  read(file: SpoolFile): Promise<HookInput | 'gone' | null>;
  remove(file: SpoolFile): Promise<void>;
  /** Out of the way, but kept for a human. */
  setAside(file: SpoolFile): Promise<void>;
}

export function openSpool(folder: string, now: () => number = Date.now): Spool {
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
    isEmpty(id) {
      try {
        return readdirSync(folderOf(id)).length === 0;
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ENOENT';
      }
    },
    async list(id) {
      const own = folderOf(id);
      const names = await readdir(own).catch(() => []);
      const moment = { now: now(), up: names.length > 0 ? await uptime() : null };
      const files = await Promise.all(names.map((name) => describe(own, name, moment)));
      return files.filter((file) => file !== null).sort((a, b) => order(a.at, b.at) || order(a.wall, b.wall));
    },
    async read(file) {
      // An agent in a sandbox can put there what it likes: a link to what it cannot read, or a pipe that nobody fills.
      const text = await readRegular(file.path, longest, 'no links');
      if (text === null) {
        const there = await lstat(file.path).catch(() => null);
        return there ? null : 'gone';
      }
      try {
        const body: unknown = JSON.parse(text);
        return typeof body === 'object' && body !== null ? (body as HookInput) : null;
      } catch {
        return null;
      }
    },
    remove: (file) => unlink(file.path).catch(() => undefined),
    setAside: (file) => rename(file.path, `${file.path}.unreadable`).catch(() => undefined),
  };
}

const second = 1_000_000_000n;

/** A program that knows only the second names that; the file says when in it. */
async function exactly(at: bigint, path: string): Promise<bigint> {
  if (at % second !== 0n) return at;
  const written = await stat(path, { bigint: true }).catch(() => null);
  return written && written.mtimeNs > at ? written.mtimeNs : at;
}

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** For how many seconds the machine has run; null where it does not say. */
async function uptime(): Promise<number | null> {
  const said = Number.parseFloat(await readFile('/proc/uptime', 'utf8').catch(() => ''));
  return Number.isFinite(said) ? said : null;
}

/**
 * A wall clock may be set while a fact waits, and then puts it before facts that came earlier. So a fact is named by
 * how long the machine had run (`report.sh`): how long ago that was is true whatever the clock says.
 */
function saidAt(factId: string, wall: bigint, { now, up }: Moment): bigint {
  const then = Number.parseFloat(/^(\d+\.\d+)-/.exec(factId)?.[1] ?? '');
  // From before the machine was started anew.
  if (up === null || !(then <= up)) return wall;
  return BigInt(Math.round(now - (up - then) * 1_000)) * 1_000_000n;
}

interface Moment {
  readonly now: number;
  readonly up: number | null;
}

async function describe(folder: string, name: string, moment: Moment): Promise<SpoolFile | null> {
  const path = join(folder, name);
  const [, at, factId] = name.match(/^(\d+)-(.+)\.hook$/) ?? [];
  if (at && factId) {
    const wall = await exactly(BigInt(at), path);
    return { path, factId, at: saidAt(factId, wall, moment), wall, kind: 'hook' };
  }
  if (name !== 'newest.status') return null;
  // A sample has a fixed name, because only the newest counts: it is named by when it was written.
  const written = await stat(path, { bigint: true }).catch(() => null);
  if (!written) return null;
  const { mtimeNs } = written;
  return { path, factId: `status-${mtimeNs}`, at: mtimeNs, wall: mtimeNs, kind: 'status' };
}
