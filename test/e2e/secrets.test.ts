// What only its owner may know (the token, the keys of sessions, what a spawner's environment holds) stands after a whole life of
// a session in no log, event, list or row: only in the private files that are there for it.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith } from '../support/talk.ts';

const inherited = 'inherited-4f1c9a77e2';
const given = 'given-b83d05c6e1';
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ env: { DAEMON_SECRET: 'daemons-0a9b8c7d6e' } });
});
afterAll(() => daemon?.dispose());

it('of a whole life nothing secret is kept but in the private files for it', async () => {
  const keyFile = join(daemon.work, 'key');
  const id = await startWith(daemon, `hello [[bash printf %s "$SM_CALLER" > ${keyFile}]] [[say ready]]`, {
    provider: 'scripted',
    name: 'keeper',
    working_dir: daemon.work,
    env: { SPAWNER_SECRET: inherited },
    options: { env: { OPTION_SECRET: given } },
  });
  await daemon.until(id, is('turn ended'));
  const { message_id } = await sendText(daemon, id, 'again [[say done]]');
  await daemon.until(id, is('message answered', { message: message_id }));
  await daemon.sm('handoff', id, '/nowhere.md');
  await daemon.crash();
  await daemon.start();
  await daemon.call('POST', `/sessions/${id}/kill`);

  const token = readFileSync(join(daemon.home, 'token'), 'utf8').trim();
  const key = readFileSync(keyFile, 'utf8');
  const secrets = { token, key, inherited, given, daemon: 'daemons-0a9b8c7d6e' };
  expect(Object.values(secrets).map((secret) => secret.length > 8)).toEqual(Array(5).fill(true));

  const paths = [
    '/sessions?retired=true',
    '/events?limit=1000',
    `/sessions/${id}`,
    '/digest',
    '/profiles',
    '/health',
  ];
  const told = await Promise.all(
    paths.map(async (path) => JSON.stringify((await daemon.call('GET', path)).body)),
  );
  const shown = [
    await daemon.sm('doctor'),
    await daemon.sm('logs'),
    await daemon.sm('all', '--retired', '--json'),
  ];
  const places = new Map([
    ...paths.map((path, i) => [path, told[i] ?? ''] as const),
    ...shown.map(({ stdout, stderr }, i) => [`command ${i}`, stdout + stderr] as const),
    ['a row of the database', rowsIn(join(daemon.home, 'sm.db'))] as const,
    ...filesIn(daemon.home).map(
      (file) => [relative(daemon.home, file), readFileSync(file, 'latin1')] as const,
    ),
  ]);
  const found = [...places].flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      text.includes(secret) ? [`${name} in ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
  const open = readdirSync(daemon.home, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0)
    .map(({ name }) => name)
    // The program itself, for agents to find.
    .filter((name) => name !== 'sm');
  expect(open).toEqual([]);
});

/** All but the database, whose rows are read, and the variables of a session, which are kept for its next start. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !/^(token|sm\.db.*|env-[-\w]+\.json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function rowsIn(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
    name: string;
  }[];
  const rows = tables.map(({ name }) => JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all()));
  db.close();
  return rows.join('\n');
}
