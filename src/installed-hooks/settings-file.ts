// A settings file of the user's: read as it is, replaced as a whole or not at all.
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The file is left alone; the message names it, and says why and what to do. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export interface SettingsFile {
  /** As the user knows it. */
  readonly path: string;
  /** Behind all links. */
  readonly target: string;
  /** Null: it is not there. */
  readonly text: string | null;
  readonly mode: number;
  /** Whose it is, so that it stays so when root changes it. */
  readonly owner: { readonly uid: number; readonly gid: number } | null;
}

export function readSettingsFile(path: string): SettingsFile {
  try {
    const target = behindLinks(path);
    const { mode, uid, gid } = statSync(target);
    const bytes = readFileSync(target);
    if (!isUtf8(bytes)) throw new SettingsError(`${path} is not UTF-8. sm did not change it.`);
    return { path, target, text: bytes.toString('utf8'), mode: mode & 0o7777, owner: { uid, gid } };
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { path, target: path, text: null, mode: 0o600, owner: null };
    throw new SettingsError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

function behindLinks(path: string): string {
  const isLink = lstatSync(path).isSymbolicLink();
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isLink) throw error;
    throw new SettingsError(`${path} is a link to a missing file. Fix the link, or remove it.`);
  }
}

/** Asked of the mode itself: who may do everything would not notice, and a rename does not ask. */
export function checkWritable({ path, target, text, mode }: SettingsFile): void {
  if (text !== null && (mode & 0o200) === 0)
    throw new SettingsError(`${path} is read-only. sm did not change it. To allow it: chmod u+w ${target}`);
}

/** Gives the file another text, or none at all, if it is still what was read. */
export function replaceSettings(file: SettingsFile, text: string | null): void {
  const { path, target } = file;
  checkWritable(file);
  const temporary = join(dirname(target), `.${basename(target)}.sm-${process.pid}`);
  try {
    if (text !== null) {
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      writeDurably(temporary, text, file);
    }
    if (readSettingsFile(path).text !== file.text)
      throw new SettingsError(`${path} changed at the same moment. Try again.`);
    if (text === null) rmSync(target, { force: true });
    else renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof SettingsError) throw error;
    throw new SettingsError(`Cannot write ${path}: ${(error as Error).message}. sm did not change it.`);
  }
}

function writeDurably(path: string, text: string, { mode, owner }: SettingsFile): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    if (owner && process.getuid?.() === 0) fchownSync(file, owner.uid, owner.gid);
    fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
