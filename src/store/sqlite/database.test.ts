import { spawn } from 'node:child_process';
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
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { buildSync } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { batch, event, session } from '../../../test/conformance/store/records.ts';
import { type Store, StoreUnusable } from '../../ports/store.ts';
import { type Database, openDatabase } from './database.ts';
import { oldRows } from './forgetting.ts';
import { firstName, isOfCurve, migrations, shownName } from './migrations.ts';
import { highlightsFrom, openSqliteStore, retiredBy } from './store.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/databases');
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-database-'));
  file = join(folder, 'sm.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (known: readonly string[] = migrations): Database => openDatabase(file, known, () => null).db;

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it was not refused');
}

async function filled(): Promise<void> {
  const store = openSqliteStore(file);
  await store.commit({
    sessions: [session('s1')],
    messages: [],
    events: [],
    owed: [],
    settled: [],
    facts: [],
  });
  await store.close();
}

describe('a database that we open', () => {
  it('is for its owner alone, with its log', () => {
    const db = open();
    db.exec("INSERT INTO fact VALUES ('f1', 1)");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
    db.close();
  });

  it('keeps a write-ahead log and waits for the disk at every commit', () => {
    const db = open();
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    db.close();
  });

  it('is migrated from where it stands, once', () => {
    const first = ['CREATE TABLE done (step INTEGER)', 'INSERT INTO done VALUES (1)'];
    open(first).close();
    open([...first, 'INSERT INTO done VALUES (2)']).close();
    const db = open([...first, 'INSERT INTO done VALUES (2)']);
    expect(db.prepare('SELECT step FROM done').all()).toEqual([{ step: 1 }, { step: 2 }]);
    db.close();
  });

  it('holds sessions from before, which had all in one row', async () => {
    const old = open(migrations.slice(0, 1));
    const before = session('s1', { lastActivityAt: 5 });
    old.prepare('INSERT INTO session (id, body) VALUES (?, ?)').run('s1', JSON.stringify(before));
    old.close();
    const store = openSqliteStore(file);
    expect((await store.load()).states.map((state) => state.session)).toEqual([before]);
    const after = { ...before, lastActivityAt: 6 };
    await store.commit({ sessions: [after], messages: [], events: [], owed: [], settled: [], facts: [] });
    expect((await store.state('s1'))?.session).toEqual(after);
    await store.close();
  });

  it('has records of the contexts that began before there were any, as far as the events tell', async () => {
    const old = open(migrations.slice(0, 2));
    const add = old.prepare('INSERT INTO event (session_id, at, body) VALUES (?, ?, ?)');
    const began = (context: number, by: string) =>
      JSON.stringify({ type: 'context-began', context, providerId: `c${context}`, by });
    for (const [at, body] of [
      [1, began(1, 'launch')],
      [2, began(1, 'launch')],
      [3, '{"type":"task-set","task":"x"}'],
      [4, began(2, 'clear')],
    ] as const)
      add.run('s1', at, body);
    old.close();
    const store = openSqliteStore(file);
    const unknown = { peak: null, costUsd: null, compactions: 0 };
    expect(await store.contexts('s1', 9)).toEqual([
      {
        sessionId: 's1',
        number: 1,
        providerId: 'c1',
        began: { at: 2, how: 'launch' },
        ended: { at: 4, how: 'clear', by: null, why: null },
        ...unknown,
      },
      {
        sessionId: 's1',
        number: 2,
        providerId: 'c2',
        began: { at: 4, how: 'clear' },
        ended: null,
        ...unknown,
      },
    ]);
    await store.close();
  });

  it('holds ends from before, in which the screen stood behind the reason, as they are told now', async () => {
    const old = open(migrations.slice(0, 3));
    const addSession = old.prepare('INSERT INTO session (id, body) VALUES (?, ?)');
    const exited = (reason: string) => ({
      state: 'exited',
      at: 2,
      code: null,
      signal: 9,
      reason,
      killed: false,
    });
    const ends = {
      s1: 'ended by signal 9: $ boom: 3\nrow 2',
      s2: 'ended by signal 15',
      s3: 'exit code unknown: last words',
      s4: 'It could not be started: tmux: no such program',
      s5: 'killed',
    };
    for (const [id, reason] of Object.entries(ends))
      addSession.run(id, JSON.stringify({ ...session(id), process: exited(reason) }));
    old
      .prepare('INSERT INTO event (session_id, at, body) VALUES (?, ?, ?)')
      .run('s1', 1, JSON.stringify({ type: 'session-exited', code: null, signal: 9, reason: ends.s1 }));
    old
      .prepare('INSERT INTO context VALUES (?, ?, ?)')
      .run('s1', 1, JSON.stringify({ ended: { at: 1, how: 'exited', by: null, why: ends.s1 } }));
    old.close();
    const store = openSqliteStore(file);
    const { states } = await store.load();
    expect(states.map((state) => state.session.process)).toMatchObject([
      { reason: 'killed by signal 9', screen: '$ boom: 3\nrow 2' },
      { reason: 'killed by signal 15', screen: null },
      { reason: 'exit code unknown', screen: 'last words' },
      { reason: ends.s4, screen: null },
      { reason: 'killed', screen: null },
    ]);
    expect((await store.events({ after: 0, limit: 9 }))[0]?.body).toMatchObject({
      reason: 'killed by signal 9',
      screen: '$ boom: 3\nrow 2',
    });
    expect((await store.contexts('s1', 1))[0]?.ended?.why).toBe('killed by signal 9');
    await store.close();
  });

  it('holds interrupts, questions and commands from before as parts of what they belong to', async () => {
    const old = open(migrations.slice(0, 17));
    const by = { kind: 'person' };
    const aim = { message: null, from: { kind: 'sm' } };
    const asked = {
      kind: 'permission',
      since: 1,
      text: 'May I?',
      subject: null,
      call: null,
      overdueAt: null,
    };
    const pressed = { step: 'pressed', presses: 2, composerWasEmpty: true, looks: 1 };
    const before = {
      s1: {
        turn: { id: 'p1' },
        halt: { by, until: 9, held: null },
        interrupt: { turn: 'p1', for: { halt: by }, ...pressed, effect: 'e1', checkAt: null },
        question: { ...asked, fact: 'f1', answer: { decision: 'allow', by, effect: null } },
        rulings: [{ question: { ...asked, fact: 'f2', answer: null }, rule: 'r1', effect: 'e2' }],
        commands: [
          { id: 'c1', text: '/x', order: 1, is: 'looking', attempt: 'a1' },
          { id: 'c2', text: '/y', order: 2, is: 'waiting', attempt: null },
        ],
      },
      s2: {
        turn: { id: null },
        halt: null,
        interrupt: { turn: null, for: aim, ...pressed, step: 'looking', effect: null, checkAt: 7 },
        question: { ...asked, fact: null, answer: null },
      },
      s3: { turn: null, halt: null, interrupt: null, question: null },
    };
    for (const [id, part] of Object.entries(before))
      old
        .prepare('INSERT INTO session (id, body) VALUES (?, ?)')
        .run(id, JSON.stringify({ ...session(id), spending: undefined, ...part }));
    old.close();
    const store = openSqliteStore(file);
    const [one, two, three] = (await store.load()).states.map((state) => state.session);
    expect(one).toMatchObject({
      turn: {
        halt: { by, until: 9 },
        interrupt: { turn: 'p1', for: { halt: by }, ...pressed, awaits: { effect: 'e1' } },
      },
      question: { ...asked, hook: { fact: 'f1', answer: { decision: 'allow', by, effect: null } } },
      rulings: [{ question: { ...asked, hook: { fact: 'f2', answer: null } }, effect: 'e2' }],
      spending: { models: [], costUsd: null, meters: [], told: null },
    });
    expect(one?.commands).toEqual([
      { id: 'c1', text: '/x', order: 1, is: 'looking', attempt: 'a1' },
      { id: 'c2', text: '/y', order: 2, is: 'waiting' },
    ]);
    const looking = { turn: null, for: aim, step: 'looking', looks: 1, awaits: { lookAt: 7 } };
    expect(two?.turn).toEqual({ id: null, halt: null, interrupt: looking });
    expect(two?.question).toEqual({ ...asked, hook: null });
    expect(three).toMatchObject({ turn: null, question: null });
    expect(three).not.toHaveProperty('interrupt');
    await store.close();
  });

  it('finds sessions that were killed by indexes on their names', () => {
    const db = open();
    for (const [name, index] of [
      [shownName, 'retired_shown_name'],
      [firstName, 'retired_first_name'],
    ] as const) {
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${retiredBy(name)}`).all('worker', 9);
      expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
        `SEARCH session USING INDEX ${index} (<expr>=?)`,
      ]);
    }
    db.close();
  });

  it('finds the curve of a context by an index that has nothing else', () => {
    const db = open();
    const plan = db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT body FROM event WHERE session_id = ? AND at >= ? AND ${isOfCurve} ORDER BY at DESC, number DESC LIMIT ?`,
      )
      .all('s1', 0, 9);
    expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
      'SEARCH event USING INDEX event_of_curve (session_id=? AND at>?)',
    ]);
    db.close();
  });

  it('finds what a digest is made from by an index that has nothing else', () => {
    const db = open();
    const plan = db.prepare(`EXPLAIN QUERY PLAN ${highlightsFrom}`).all(0, 0, 9);
    expect(plan.map((step) => (step as { detail: string }).detail)).toEqual([
      'SEARCH event USING INDEX event_highlight ((at,rowid)>(?,?))',
    ]);
    db.close();
  });

  it('finds what is old by indexes, whatever else there is', async () => {
    const db = open();
    const planOf = (query: string) =>
      db
        .prepare(`EXPLAIN QUERY PLAN ${query}`)
        .all(1, 9)
        .map((step) => (step as { detail: string }).detail)
        .filter((detail) => /\b(event|message|session|fact)\b/.test(detail));
    for (const [name, query] of Object.entries(oldRows))
      expect(planOf(query), name).toEqual([expect.stringMatching(/^SEARCH \w+ USING .*INDEX \w+ \(/)]);
    db.close();
  });

  it('stays at the last good version when a migration fails', () => {
    const error = errorOf(() => open(['CREATE TABLE a (x)', 'CREATE TABLE b (x); CREATE TABLE a (x)']));
    expect(error).toBeInstanceOf(StoreUnusable);
    const db = open(['CREATE TABLE a (x)']);
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'a' }]);
    db.close();
  });

  it('leaves alone the copy that another program is just making, and not what a dead one has left', () => {
    const step = (n: number) => Array.from({ length: n }, (_, index) => `CREATE TABLE t${index} (x)`);
    open(step(1)).close();
    const uuid = '00000000-0000-4000-8000-000000000000';
    const [living, dead] = [process.ppid, 2 ** 22 + 1].map((pid) => `${file}.schema-1.${pid}-${uuid}.part`);
    for (const each of [living, dead]) writeFileSync(each as string, 'x');
    open(step(2)).close();
    expect([living, dead].map((each) => existsSync(each as string))).toEqual([true, false]);
  });

  it('is migrated once, though several programs open it at the same moment', async () => {
    const bundle = join(folder, 'database.cjs');
    buildSync({
      entryPoints: [join(import.meta.dirname, 'database.ts')],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['@photostructure/sqlite'],
    });
    const steps = [
      'CREATE TABLE done (step INTEGER)',
      ...[1, 2, 3].map((n) => `INSERT INTO done VALUES (${n})`),
    ];
    const script = `require(${JSON.stringify(bundle)}).openDatabase(${JSON.stringify(file)}, ${JSON.stringify(steps)}, () => null).db.close()`;
    const env = { ...process.env, NODE_PATH: join(import.meta.dirname, '../../../node_modules') };
    const codes = await Promise.all(
      Array.from(
        { length: 6 },
        () =>
          new Promise((resolve) =>
            spawn(process.execPath, ['-e', script], { env, stdio: 'inherit' }).on('exit', resolve),
          ),
      ),
    );
    expect(codes).toEqual(Array(6).fill(0));
    const db = open(steps);
    expect(db.prepare('SELECT step FROM done').all()).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }]);
    db.close();
  });
});

describe('space that nothing needs any more', () => {
  const megabytes = (name: string) => statSync(name).size / 1_000_000;
  const long = 'x'.repeat(2_000);
  const fill = (store: Store) =>
    store.commit(batch({ events: Array.from({ length: 3_000 }, () => event('s1', 10, long)) }));
  const forget = (store: Store) => store.forget({ ended: 20, facts: 20 }, async () => {});

  it('is given back when old things are forgotten, while the database is used', async () => {
    const store = openSqliteStore(file);
    await fill(store);
    await forget(store);
    expect(megabytes(file)).toBeLessThan(0.2);
    expect(await store.events({ after: 0, limit: 9 })).toEqual([]);
    await store.close();
  });

  it('is given back as well of a database from before, which could not do that', async () => {
    const old = open(migrations.slice(0, 3));
    old.exec('PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM');
    old.close();
    const store = openSqliteStore(file);
    await fill(store);
    await forget(store);
    expect(megabytes(file)).toBeLessThan(0.2);
    await store.close();
  });

  it('is given back by the log, which is cut when it starts again', async () => {
    const store = openSqliteStore(file);
    const reader = open();
    reader.exec('BEGIN; SELECT * FROM event');
    await fill(store);
    expect(megabytes(`${file}-wal`)).toBeGreaterThan(6);
    reader.exec('COMMIT');
    reader.close();
    await store.commit(batch({ events: [event('s1', 30)] }));
    await store.commit(batch({ events: [event('s1', 30)] }));
    expect(megabytes(`${file}-wal`)).toBeLessThan(5);
    await store.close();
  });
});

describe('a database that is brought up to date', () => {
  const copies = () => readdirSync(folder).filter((name) => name.startsWith('sm.db.'));

  it('is kept as it was, for its owner alone, until the next time', () => {
    const first = ['CREATE TABLE done (step INTEGER)', 'INSERT INTO done VALUES (1)'];
    open(first).close();
    expect(copies()).toEqual([]);
    open([...first, 'INSERT INTO done VALUES (2)']).close();
    expect(copies()).toEqual(['sm.db.schema-2']);
    expect(statSync(join(folder, 'sm.db.schema-2')).mode & 0o777).toBe(0o600);
    file = join(folder, 'sm.db.schema-2');
    const copy = open(first);
    expect(copy.prepare('SELECT step FROM done').all()).toEqual([{ step: 1 }]);
    copy.close();
    file = join(folder, 'sm.db');
    open([...first, 'INSERT INTO done VALUES (2)', 'INSERT INTO done VALUES (3)']).close();
    expect(copies()).toEqual(['sm.db.schema-3']);
  });

  it('has in its copy also what stood in the log only', () => {
    const first = ['CREATE TABLE done (step INTEGER)'];
    const db = open(first);
    db.exec('INSERT INTO done VALUES (1)');
    const crashed = join(folder, 'crashed.db');
    for (const end of ['', '-wal']) copyFileSync(file + end, crashed + end);
    db.close();
    file = crashed;
    open([...first, 'DELETE FROM done']).close();
    file = `${crashed}.schema-1`;
    const copy = open(first);
    expect(copy.prepare('SELECT step FROM done').all()).toEqual([{ step: 1 }]);
    copy.close();
  });

  it('stays as it is when there is no place for the copy', () => {
    open(['CREATE TABLE a (x)']).close();
    mkdirSync(join(folder, 'sm.db.schema-1'));
    const error = errorOf(() => open(['CREATE TABLE a (x)', 'CREATE TABLE b (x)']));
    expect(error).toBeInstanceOf(StoreUnusable);
    expect(error.message).toContain('Nothing was changed');
    expect(copies()).toEqual(['sm.db.schema-1']);
    rmSync(join(folder, 'sm.db.schema-1'), { recursive: true });
    open(['CREATE TABLE a (x)', 'CREATE TABLE b (x)']).close();
  });

  describe.each(
    readdirSync(fixtures)
      .filter((name) => name.endsWith('.sql'))
      .map((name) => [name.replace('.sql', '')]),
  )('from %s', (name) => {
    beforeEach(() => {
      const db = new DatabaseSync(file);
      db.exec(readFileSync(join(fixtures, `${name}.sql`), 'utf8'));
      db.close();
    });

    it('has all that it had', async () => {
      const store = openSqliteStore(file);
      expect(copies()).toEqual(name === `schema-${migrations.length}` ? [] : [`sm.db.${name}`]);
      const { states, owed } = await store.load();
      expect(states.map((state) => state.session)).toMatchObject([{ id: 's1', task: "it's alive" }]);
      expect([...(states[0]?.queue.sequential.keys() ?? [])]).toEqual(['m0', 'm1']);
      expect([...(states[0]?.active.keys() ?? [])]).toEqual(['m2', 'm3']);
      expect(owed).toMatchObject([{ id: 'e1' }]);
      expect((await store.retired(9)).map(({ id }) => id)).toEqual(['s2']);
      expect(await store.events({ after: 0, limit: 99 })).toHaveLength(5);
      expect(await store.eventsOfMessage('m0')).toHaveLength(1);
      expect(await store.contexts('s1', 9)).toMatchObject([{ number: 1 }, { number: 2 }]);
      expect(await store.knownFacts(['f1'])).toEqual(new Set(['f1']));
      await store.close();
    });

    it('forgets what is old in it', async () => {
      const store = openSqliteStore(file);
      await store.forget({ ended: 20, facts: 20 }, async () => {});
      expect((await store.load()).states[0]?.queue.sequential.size).toBe(2);
      expect(await store.retired(9)).toEqual([]);
      expect(await store.message('m4')).toBeNull();
      expect(await store.events({ after: 0, limit: 99 })).toMatchObject([{ body: { message: 'm0' } }]);
      await store.close();
    });
  });
});

describe('a database that a newer version has written', () => {
  const bytes = () => ['', '-wal'].map((end) => (existsSync(file + end) ? readFileSync(file + end) : null));

  it('is refused with what to do, and stays as it is byte for byte', () => {
    const db = open();
    db.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    db.close();
    const before = readFileSync(file);
    const error = errorOf(() => openSqliteStore(file));
    expect(error).toBeInstanceOf(StoreUnusable);
    expect(error.message).toContain('newer version');
    expect(error.message).toContain('Update sm');
    expect(readFileSync(file)).toEqual(before);
  });

  it('names the copy that this version has left, if there is one', () => {
    const db = open();
    db.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    db.close();
    writeFileSync(`${file}.schema-${migrations.length}`, '');
    expect(errorOf(() => openSqliteStore(file)).message).toContain(
      `sm restore-backup ${file}.schema-${migrations.length}`,
    );
  });

  it('is recognised though its version stands in the log only, which stays as it is, too', () => {
    const db = open();
    db.exec(`PRAGMA user_version = ${migrations.length + 1}`);
    // As after a crash: the log has not been written back.
    const crashed = join(folder, 'crashed.db');
    copyFileSync(file, crashed);
    copyFileSync(`${file}-wal`, `${crashed}-wal`);
    db.close();
    file = crashed;
    const before = bytes();
    expect(before[1]?.length).toBeGreaterThan(0);
    expect(errorOf(() => openSqliteStore(file)).message).toContain('newer version');
    expect(bytes()).toEqual(before);
  });

  it('is not turned into one with a write-ahead log', () => {
    const db = open();
    db.exec(`PRAGMA journal_mode = DELETE; PRAGMA user_version = 99`);
    db.close();
    const before = readFileSync(file);
    errorOf(() => openSqliteStore(file));
    expect(readFileSync(file)).toEqual(before);
  });
});

describe('a file that cannot be used', () => {
  it.each([
    ['is something else', () => writeFileSync(file, 'not a database at all\n'.repeat(500))],
    ['was cut short', () => truncateSync(file, 5_000)],
    ['has a broken schema', () => overwrite(100, 250)],
    ['has a broken page', () => overwrite(3 * 4_096, 4_096)],
  ])('because it %s is refused with its name and what to do', async (_, damage) => {
    await filled();
    damage();
    const error = errorOf(() => openSqliteStore(file));
    expect(error).toBeInstanceOf(StoreUnusable);
    expect(error.message).toContain(file);
    expect(error.message).toContain('backup');
  });

  it('because its folder is not there is refused', () => {
    file = join(folder, 'missing', 'sm.db');
    expect(errorOf(() => openSqliteStore(file))).toBeInstanceOf(StoreUnusable);
  });
});

function overwrite(offset: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xee, offset, offset + length);
  writeFileSync(file, bytes);
}
