import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { batch, event } from '../../../test/conformance/store/records.ts';
import { openSqliteStore } from './store.ts';
import { writeBackBeside } from './write-back.ts';

// Inside node_modules, so that the driver is found from there.
const cache = join(import.meta.dirname, '../../../node_modules/.cache');
let program: string;
let folder: string;
let file: string;

beforeAll(() => {
  mkdirSync(cache, { recursive: true });
  program = join(mkdtempSync(join(cache, 'sm-write-back-')), 'write-back.cjs');
  buildSync({
    entryPoints: [join(import.meta.dirname, 'write-back-worker.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@photostructure/sqlite'],
  });
});
afterAll(() => rmSync(join(program, '..'), { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-write-back-'));
  file = join(folder, 'sm.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

const size = () => statSync(file).size;
const events = (count: number) =>
  batch({ events: Array.from({ length: count }, () => event('s1', 10, 'x'.repeat(1_000))) });

it('puts what the log holds into the database', async () => {
  const store = openSqliteStore(file);
  await store.commit(events(500));
  const before = size();
  const beside = writeBackBeside(program, file);
  expect(await beside.run()).toBe(true);
  expect(size()).toBeGreaterThan(before + 400_000);
  expect(await beside.run()).toBe(true);
  beside.close();
  // What is committed from now on is not for it.
  expect(await store.events({ after: 0, limit: 1 })).toHaveLength(1);
  await store.close();
});

it('says so when it cannot', async () => {
  const broken = join(folder, 'broken.cjs');
  writeFileSync(broken, "throw new Error('no')");
  const beside = writeBackBeside(broken, file);
  expect(await beside.run()).toBe(false);
  expect(await beside.run()).toBe(false);
  beside.close();
});

it.each([
  ['with it', () => program],
  ['and without, if it cannot be run', () => join(folder, 'missing.cjs')],
])('space is given back %s', async (_, which) => {
  const store = openSqliteStore(file, which());
  await store.commit(events(2_000));
  await store.forget({ ended: 20, facts: 20 }, async () => {});
  expect(size()).toBeLessThan(200_000);
  await store.close();
});
