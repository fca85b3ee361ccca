// A backup and the way back, on state directories without a daemon.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batch, event, message, session } from '../../test/conformance/store/records.ts';
import { type Paths, resolvePaths } from '../daemon/paths.ts';
import { acquireInstanceLock } from '../daemon/single-instance.ts';
import type { Store } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { makeBackup } from './backup.ts';
import { restoreBackup } from './restore.ts';

const now = new Date('2025-01-02T12:00:00.000Z');
const mark = 'replaced-2025-01-02T120000Z';
let folder: string;
let paths: Paths;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-backup-'));
  paths = resolvePaths({ SM_HOME: join(folder, 'state') }, '/dist');
  mkdirSync(paths.home);
  file = join(folder, 'backup.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const backUp = (name = file) => makeBackup(paths, name, { made_at: now.toISOString(), version: '0.1.0' });
const restore = (name = file) => restoreBackup(paths, name, { stop: false, now });

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = openSqliteStore(paths.database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const put = (id: string) =>
  withStore((store) =>
    store.commit(
      batch({
        sessions: [session(id)],
        messages: [message(`m${id}`, 1, { to: id })],
        events: [event(id, 1)],
      }),
    ),
  );
const known = () => withStore(async (store) => (await store.load()).states.map((state) => state.session.id));

function write(name: string, text: string): void {
  const path = join(paths.home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
const read = (name: string) => readFileSync(join(paths.home, name), 'utf8');

describe('a backup', () => {
  it('has the database, also what stands in its log only, and the documents; for its owner alone', async () => {
    const store = openSqliteStore(paths.database);
    await store.commit(
      batch({ sessions: [session('s1')], messages: [message('m1', 1)], events: [event('s1', 1)] }),
    );
    write('messages/m1.txt', 'exact\ttext');
    write('handoffs/s1/1.md', 'go on');
    expect(await backUp()).toMatch(/: 1 session, 1 waiting message, 1 event, 2 documents \(\d+ KiB\)\.$/);
    await store.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'state']);
    const db = new DatabaseSync(file, { readOnly: true });
    expect(db.prepare('SELECT id FROM session').all()).toEqual([{ id: 's1' }]);
    expect(
      db.prepare('SELECT path, CAST(content AS TEXT) AS text FROM document ORDER BY path').all(),
    ).toEqual([
      { path: 'handoffs/s1/1.md', text: 'go on' },
      { path: 'messages/m1.txt', text: 'exact\ttext' },
    ]);
    db.close();
  });

  it('has the rules that sm has written; those that came after them stay beside them, which is told', async () => {
    await put('s1');
    write('policies.yaml', 'policies: []\n');
    expect(await backUp()).toContain(', 0 documents, your rules (');
    expect((await restore()).join('\n')).not.toContain('rules');
    write('policies.yaml', 'policies: [] # newer\n');
    const later = new Date('2025-01-03T12:00:00.000Z');
    const told = await restoreBackup(paths, file, { stop: false, now: later });
    expect(read('policies.yaml')).toBe('policies: []\n');
    const kept = 'policies.yaml.replaced-2025-01-03T120000Z';
    expect(read(kept)).toBe('policies: [] # newer\n');
    expect(told).toContain(
      `Your rules for permissions are those of the backup. The ones from before are in ${paths.home}/${kept}`,
    );
    rmSync(join(paths.home, 'policies.yaml'));
    await restoreBackup(paths, file, { stop: false, now: new Date('2025-01-04T12:00:00.000Z') });
    expect(read('policies.yaml')).toBe('policies: []\n');
  });

  it('never takes the place of a file', async () => {
    await put('s1');
    writeFileSync(file, 'precious');
    await expect(backUp()).rejects.toThrow(`${file} already exists, and sm does not overwrite it.`);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('is not made of nothing, nor where there is no place', async () => {
    await expect(backUp()).rejects.toThrow('Nothing to back up');
    await put('s1');
    await expect(backUp(join(folder, 'missing/backup.db'))).rejects.toThrow(`No directory ${folder}/missing`);
  });

  it('leaves nothing behind when the database is damaged', async () => {
    await put('s1');
    truncateSync(paths.database, 5_000);
    await expect(backUp()).rejects.toThrow('No backup was made');
    expect(readdirSync(folder)).toEqual(['state']);
  });
});

describe('restoring', () => {
  it('brings back what was there, and keeps what is there now', async () => {
    await put('s1');
    write('messages/m1.txt', 'exact');
    write('handoffs/s1/1.md', 'before');
    await backUp();
    await put('s2');
    rmSync(paths.messages, { recursive: true });
    write('handoffs/s1/1.md', 'after');
    const told = await restore();
    expect(await known()).toEqual(['s1']);
    expect(read('messages/m1.txt')).toBe('exact');
    expect(read('handoffs/s1/1.md')).toBe('before');
    expect(read(`handoffs/s1/1.md.${mark}`)).toBe('after');
    expect(statSync(paths.database).mode & 0o777).toBe(0o600);
    const kept = `${paths.database}.${mark}`;
    expect(told).toEqual([
      `Restored ${file} (made 2025-01-02T12:00:00.000Z by sm 0.1.0): 1 session, 1 waiting message.`,
      `The old database is in ${kept}`,
      'Messages that waited then wait again; some may arrive a second time.',
      'Start the daemon with: sm up',
    ]);
    // Which is itself something to go back to.
    await restoreBackup(paths, kept, { stop: false, now: new Date('2025-01-03T12:00:00.000Z') });
    expect(await known()).toEqual(['s1', 's2']);
  });

  it('keeps with a database that was not closed also its log', async () => {
    await put('s1');
    await backUp();
    // As after a crash: the log has not been written back.
    const store = openSqliteStore(paths.database);
    await store.commit(batch({ sessions: [session('s2')] }));
    const crashed = resolvePaths({ SM_HOME: join(folder, 'crashed') }, '/dist');
    mkdirSync(crashed.home);
    for (const end of ['', '-wal']) copyFileSync(paths.database + end, crashed.database + end);
    await store.close();
    paths = crashed;
    await restore();
    expect(await known()).toEqual(['s1']);
    await restoreBackup(paths, `${paths.database}.${mark}`, { stop: false, now: new Date(0) });
    expect(await known()).toEqual(['s1', 's2']);
  });

  it('takes the place of a database that is damaged, and keeps that with its log, byte for byte', async () => {
    await put('s1');
    await backUp();
    const [broken, log] = [Buffer.alloc(9_000, 0xee), Buffer.alloc(5_000, 0xdd)];
    writeFileSync(paths.database, broken);
    writeFileSync(`${paths.database}-wal`, log);
    await restore();
    expect(await known()).toEqual(['s1']);
    expect(readFileSync(`${paths.database}.${mark}`)).toEqual(broken);
    expect(readFileSync(`${paths.database}.${mark}-wal`)).toEqual(log);
  });

  it('begins a state directory that was empty', async () => {
    await put('s1');
    await backUp();
    paths = resolvePaths({ SM_HOME: join(folder, 'other') }, '/dist');
    const told = await restore();
    expect(await known()).toEqual(['s1']);
    expect(told.join('\n')).toContain(`It comes from ${folder}/state`);
    expect(told.join('\n')).not.toContain('The old database');
  });

  it('takes a copy from before an update as well, which has no documents', async () => {
    const old = new DatabaseSync(file);
    old.exec(readFileSync(join(import.meta.dirname, '../../test/fixtures/databases/schema-3.sql'), 'utf8'));
    old.close();
    expect((await restore())[0]).toContain('without the texts of messages and documents');
    expect(await known()).toEqual(['s1']);
  });

  it.each([
    ['is not there', () => {}, /No file/],
    ['is a directory', () => mkdirSync(file), /is not a file/],
    [
      'is something else',
      () => writeFileSync(file, 'no database at all\n'.repeat(500)),
      /not a backup of sm/,
    ],
    ['is empty', () => writeFileSync(file, ''), /not a backup of sm/],
    [
      'is a database of another program',
      () => change('PRAGMA user_version = 1; CREATE TABLE t (x)'),
      /not a backup of sm/,
    ],
    ['was cut short', () => broken(() => truncateSync(file, 9_000)), /not a backup of sm|damaged/],
    [
      'is of a newer version',
      () => broken(() => change('PRAGMA user_version = 999')),
      /newer version of sm.*Update sm/,
    ],
    [
      'names a place that is not ours',
      () => broken(() => change("INSERT INTO document VALUES ('messages/../../x', x'00')")),
      /does not belong there/,
    ],
  ])('refuses a file that %s, and changes nothing', async (_, make, why) => {
    await put('s1');
    await make();
    await put('s2');
    await expect(restore()).rejects.toThrow(why);
    expect(await known()).toEqual(['s1', 's2']);
    expect(readdirSync(folder).filter((name) => !['state', 'backup.db'].includes(name))).toEqual([]);
    expect(existsSync(`${paths.database}.${mark}`)).toBe(false);
  });

  it('refuses the database itself', async () => {
    await put('s1');
    await expect(restore(paths.database)).rejects.toThrow('is the database itself');
  });

  it('refuses while a daemon runs, with what to do', async () => {
    await put('s1');
    await backUp();
    const lock = acquireInstanceLock(paths.lock);
    await expect(restore()).rejects.toThrow(`sm restore-backup ${file} --stop`);
    lock?.release();
    await restore();
  });
});

async function broken(how: () => void): Promise<void> {
  await backUp();
  how();
}

function change(sql: string): void {
  const db = new DatabaseSync(file);
  db.exec(sql);
  db.close();
}
