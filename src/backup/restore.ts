// `sm restore-backup FILE`: puts a backup in the place of the present database, which is kept, and says what comes of the
// agents that run. Nobody else may use the state directory meanwhile.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Paths } from '../daemon/paths.ts';
import { acquireInstanceLock } from '../daemon/single-instance.ts';
import { askHealth } from '../doctor/state.ts';
import { copyTo, flush, giveName } from '../store/sqlite/copies.ts';
import { processEnds } from '../terminal/process-identity.ts';
import { agentsIn, fateOf, nameIn } from './agents.ts';
import { type Backup, BackupError, hasTable, openBackup, plural } from './file.ts';

const patience = 20_000;

export interface RestoreOptions {
  /** The daemon is stopped first, and agents that run go on. */
  readonly stop: boolean;
  readonly now: Date;
}

/** Answers what to say of it. */
export async function restoreBackup(
  paths: Paths,
  file: string,
  { stop, now }: RestoreOptions,
): Promise<string[]> {
  if (resolve(file) === resolve(paths.database))
    throw new BackupError(`${file} is the database itself. Name a backup.`);
  const backup = openBackup(file);
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  if (stop) await stopDaemon(paths.socket);
  const lock = acquireInstanceLock(paths.lock);
  try {
    if (!lock)
      throw new BackupError(
        `The daemon is running. Stop it with: sm down, or run: sm restore-backup ${file} --stop`,
      );
    const agents = await agentsIn(paths.tmuxSocket);
    if (agents.length > 0 && !stop)
      throw new BackupError(
        refusal(
          agents.map((agent) => nameIn(backup.db, agent) ?? agent.id),
          file,
        ),
      );
    const mark = `replaced-${now.toISOString().replace(/\.\d+/, '').replaceAll(':', '')}`;
    const aside = putDocuments(backup, paths.home, mark);
    const kept = replace(paths.database, backup, mark);
    return [
      ...told(backup, paths, file, kept),
      ...toldOfRules(aside.find((each) => each.startsWith(paths.policies))),
      ...agents.map((agent) => fateOf(agent, backup.db, paths.tmuxSocket)),
    ];
  } finally {
    lock?.release();
    backup.db.close();
  }
}

/** In order, as `sm down` does. Whoever starts it again before we have the lock keeps it. */
async function stopDaemon(socket: string): Promise<void> {
  const health = await askHealth({ socketPath: socket });
  if (!health) return;
  process.kill(health.pid, 'SIGTERM');
  if (!(await processEnds(health.pid, null, patience)))
    throw new BackupError(`The daemon (pid ${health.pid}) was told to stop but still runs. See: sm logs`);
}

const refusal = (agents: readonly string[], file: string): string =>
  `Agents are still running: ${agents.join(', ')}. End them with sm kill, or keep them and run: sm restore-backup ${file} --stop`;

function told({ origin, counts }: Backup, paths: Paths, file: string, kept: string | null): string[] {
  const from = origin
    ? `made ${origin.made_at} by sm ${origin.version}`
    : 'without the texts of messages and documents';
  const elsewhere = origin && origin.state_dir !== paths.home;
  return [
    `Restored ${file} (${from}): ${plural(counts.sessions, 'session')}, ${plural(counts.waiting, 'waiting message')}.`,
    ...(kept === null ? [] : [`The old database is in ${kept}`]),
    ...(elsewhere
      ? [`It comes from ${origin.state_dir}: files there that messages mention may be missing here.`]
      : []),
    ...(counts.waiting === 0 ? [] : ['Messages that waited then wait again; some may arrive a second time.']),
    'Start the daemon with: sm up',
  ];
}

/** A denial must not go silently. */
const toldOfRules = (kept: string | undefined): string[] =>
  kept === undefined
    ? []
    : [`Your rules for permissions are those of the backup. The ones from before are in ${kept}`];

/** The new database is whole before it takes the place of the old one, which has a second name by then. */
function replace(database: string, { db }: Backup, mark: string): string | null {
  return copyTo(db, database, (part) => {
    strip(part);
    const kept = putAside(database, mark);
    renameSync(part, database);
    return kept;
  });
}

function strip(part: string): void {
  const db = new DatabaseSync(part);
  try {
    db.exec('PRAGMA journal_mode = DELETE; DROP TABLE IF EXISTS document; DROP TABLE IF EXISTS backup');
  } finally {
    db.close();
  }
  flush(part);
}

/** With its log, if that holds something: in the place of another database's it would spoil it. */
function putAside(database: string, mark: string): string | null {
  if (!existsSync(database)) return null;
  emptyLog(database);
  const kept = `${database}.${mark}`;
  giveName(database, kept);
  const log = `${database}-wal`;
  if (existsSync(log) && statSync(log).size > 0) renameSync(log, `${kept}-wal`);
  for (const rest of [log, `${database}-shm`]) rmSync(rest, { force: true });
  return kept;
}

function emptyLog(database: string): void {
  try {
    const db = new DatabaseSync(database);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  } catch {
    // A damaged one is kept as it is.
  }
}

/** One that has changed since stays beside it; answers where. */
function putDocuments({ db }: Backup, home: string, mark: string): string[] {
  const aside: string[] = [];
  if (!hasTable(db, 'document')) return aside;
  for (const row of db.prepare('SELECT path, content FROM document').iterate()) {
    const { path, content } = row as { path: string; content: Uint8Array };
    const target = join(home, path);
    if (existsSync(target)) {
      if (readFileSync(target).equals(content)) continue;
      renameSync(target, `${target}.${mark}`);
      aside.push(`${target}.${mark}`);
    }
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileSync(target, content, { mode: 0o600 });
  }
  return aside;
}
