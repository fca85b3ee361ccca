// Where the files of a call really are: found out once, before anything is decided by it.
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Session } from '../domain/core/session.ts';
import type { Call, Place, ToldCall } from '../domain/policy/call.ts';

export interface CallPlaces {
  /** The user's home directory. */
  readonly home: string;
  /** Folders and files of sm, which no rule lets an agent change. */
  readonly ours: readonly string[];
}

export type PlaceCall = (told: ToldCall, workingDir: string) => Promise<Call>;

export function callPlacing({ home, ours }: CallPlaces): PlaceCall {
  const placeOf = async (path: string, from: string): Promise<Place> => {
    const isOfHome = path === '~' || path.startsWith('~/');
    const whole = isOfHome ? join(home, path.slice(1)) : resolve(from, path);
    // What else a tool makes of a tilde nobody can tell.
    const real = path.startsWith('~') && !isOfHome ? null : await realPath(whole);
    const kept = await Promise.all(ours.map(async (each) => (await realPath(each)) ?? each));
    const isOurs = kept.some((each) => real === each || real?.startsWith(each + sep));
    return { path: whole, real, ...(isOurs && { ours: true as const }) };
  };
  return async ({ tool, does, cwd }, workingDir) => {
    const from = await placeOf(workingDir, '/');
    const base = cwd !== null && isAbsolute(cwd) ? cwd : workingDir;
    if (!('paths' in does)) return { tool, does, from, home };
    const files = await Promise.all(does.paths.map((path) => placeOf(path, base)));
    return { tool, does: { is: does.is, files }, from, home };
  };
}

/** Of what is not there yet, where it would be; null: nobody can tell. */
async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) return null;
    // A link that leads nowhere is written through all the same.
    if (await isThere(path)) return null;
    const folder = await realPath(dirname(path));
    return folder === null ? null : join(folder, basename(path));
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** What a session asks, with where its files are. */
export const placed = async (place: PlaceCall, told: ToldCall | null, session: Session) =>
  told && { call: await place(told, session.workingDir) };
