// `sm backup FILE`: a consistent copy while the daemon works, in a process of its own, so that nobody waits for it.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Paths } from '../daemon/paths.ts';
import { flush, giveName } from '../store/sqlite/copies.ts';
import {
  BackupError,
  type Counts,
  checkWhole,
  countsOf,
  type Origin,
  ownTables,
  plural,
  rulesFile,
} from './file.ts';
import { copySnapshot } from './snapshot.ts';

interface Content {
  readonly counts: Counts;
  readonly documents: number;
  readonly rules: boolean;
}

/** Answers what to say of it. */
export async function makeBackup(
  paths: Paths,
  file: string,
  origin: Omit<Origin, 'state_dir'>,
): Promise<string> {
  if (existsSync(file))
    throw new BackupError(`${file} already exists, and sm does not overwrite it. Name another file.`);
  if (!existsSync(dirname(file))) throw new BackupError(`No directory ${dirname(file)}. Create it first.`);
  if (!existsSync(paths.database))
    throw new BackupError(`Nothing to back up: ${paths.home} has no database yet.`);
  const { counts, documents, rules } = await copy(paths, file, { ...origin, state_dir: paths.home });
  const size = Math.ceil(statSync(file).size / 1024);
  const parts = [
    plural(counts.sessions, 'session'),
    plural(counts.waiting, 'waiting message'),
    plural(counts.events, 'event'),
    plural(documents, 'document'),
    ...(rules ? ['your rules'] : []),
  ];
  return `Backed up to ${file}: ${parts.join(', ')} (${size} KiB).`;
}

/** Under a name of its own until it is whole. */
async function copy(paths: Paths, file: string, origin: Origin): Promise<Content> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await writeFile(part, '', { mode: 0o600, flag: 'wx' });
    await copySnapshot(paths.database, part);
    const content = complete(part, paths, origin);
    giveName(part, file);
    return content;
  } catch (error) {
    throw new BackupError(`No backup was made: ${(error as Error).message}.`);
  } finally {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(part + end, { force: true });
  }
}

/** After the rows: a file that a row names was written before it. */
function complete(part: string, paths: Paths, origin: Origin): Content {
  const db = new DatabaseSync(part);
  try {
    checkWhole(db, part);
    db.exec(`BEGIN; ${ownTables}`);
    const add = db.prepare('INSERT INTO document VALUES (?, ?)');
    let documents = 0;
    let rules = false;
    for (const path of documentsIn(paths)) {
      const content = readIfThere(join(paths.home, path));
      if (content === null) continue;
      add.run(path, content);
      if (path === rulesFile) rules = true;
      else documents += 1;
    }
    db.prepare('INSERT INTO backup VALUES (?, ?, ?)').run(origin.made_at, origin.version, origin.state_dir);
    db.exec('COMMIT');
    return { counts: countsOf(db), documents, rules };
  } finally {
    db.close();
    flush(part);
  }
}

/** Texts of messages, what was handed over, and the rules that sm has written, by their paths in the state directory. */
function* documentsIn({ messages, handoffs }: Paths): Iterable<string> {
  yield rulesFile;
  for (const name of namesIn(messages)) yield join('messages', name);
  for (const id of namesIn(handoffs))
    for (const name of namesIn(join(handoffs, id))) yield join('handoffs', id, name);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The daemon may just be removing it, because it is old. */
function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}
