import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batch, event, message, owed, session } from '../../../test/conformance/store/records.ts';
import { StoreError } from '../../ports/store.ts';
import { openDatabase, transact } from './database.ts';
import { openSqliteStore } from './store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-failures-'));
  file = join(folder, 'sm.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const everything = batch({
  sessions: [session('s1')],
  messages: [message('m1', 1, { text: 'x'.repeat(2_000_000) })],
  events: [event('s1', 1)],
  owed: [owed('e1')],
  facts: [{ id: 'f1', at: 1 }],
});

describe('a full disk', () => {
  it('is an answer, and nothing is half-written', () => {
    const { db } = openDatabase(file, ['CREATE TABLE t (x TEXT)'], () => null);
    db.exec('PRAGMA max_page_count = 20');
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    transact(db, () => void insert.run('fits'));
    const tooMuch = () =>
      transact(db, () => {
        insert.run('part of it');
        insert.run('x'.repeat(200_000));
      });
    expect(tooMuch).toThrow(StoreError);
    expect(tooMuch).toThrow(
      expect.objectContaining({ code: 'full', message: expect.stringContaining('Free some space') }),
    );
    expect(db.prepare('SELECT x FROM t').all()).toEqual([{ x: 'fits' }]);
    transact(db, () => void insert.run('fits again'));
    db.close();
  });

  it.skipIf(!canMount())(
    'of a real file system is the same, and the store goes on when there is room again',
    async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
      const store = openSqliteStore(file);
      try {
        const ballast = join(folder, 'ballast');
        fill(ballast);
        await expect(store.commit(everything)).rejects.toMatchObject({ name: 'StoreError', code: 'full' });
        expect(await store.load()).toEqual({ states: [], owed: [] });
        expect(await store.events({ after: 0, limit: 9 })).toEqual([]);
        expect((await store.knownFacts(['f1'])).size).toBe(0);
        rmSync(ballast);
        await store.commit({ ...everything, messages: [message('m1', 1)] });
        expect((await store.load()).states).toHaveLength(1);
      } finally {
        await store.close();
        // Lazily: the driver lets go of a file only when its statements are collected.
        execFileSync('umount', ['-l', folder]);
      }
    },
  );
});

/** However much the store itself has taken. */
function fill(path: string): void {
  writeFileSync(path, '');
  try {
    for (;;) appendFileSync(path, Buffer.alloc(4_096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
}

describe('a busy database', () => {
  it('is an answer, soon, and nothing is half-written', async () => {
    const store = openSqliteStore(file);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    const began = performance.now();
    await expect(store.commit(everything)).rejects.toMatchObject({ name: 'StoreError', code: 'busy' });
    // What a start would wait for it, nobody waits for who has work to do.
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(await store.load()).toEqual({ states: [], owed: [] });
    other.exec('COMMIT');
    await store.commit(everything);
    expect((await store.load()).states).toHaveLength(1);
    other.close();
    await store.close();
  });

  it('can be read meanwhile', async () => {
    const store = openSqliteStore(file);
    await store.commit(everything);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    expect(await store.knownFacts(['f1'])).toEqual(new Set(['f1']));
    other.exec('ROLLBACK');
    other.close();
    await store.close();
  });
});

function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'sm-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', place], { stdio: 'ignore' });
    execFileSync('umount', [place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(place, { recursive: true });
  }
}
