import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type TestEngine, testEngine } from '../../test/support/engine.ts';
import { testIntake } from '../../test/support/intake.ts';
import { factOf } from '../../test/support/session.ts';
import { silentLog } from '../ports/log.ts';
import type { HookInput, Provider } from '../ports/provider.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { openSpool, type Spool } from './spool.ts';
import { type SpoolWatch, watchSpools } from './spool-watch.ts';

let folder: string;
let engine: TestEngine;
let spools: SpoolWatch;
/** Which spools were drained, in order. */
let drained: string[];
/** What happens while a watch is being set up, which is the moment in which something is easily missed. */
let meanwhile: () => void;

const provider = {
  hookFacts: ({ turn }: HookInput) => [factOf({ is: 'activity', providerId: 'c1-s1', turnId: String(turn) })],
} as unknown as Provider;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sm-spools-'));
  drained = [];
  meanwhile = () => {};
  engine = testEngine(openSqliteStore(':memory:'));
  engine.resume();
  for (const id of ['s1', 's2']) await engine.createIdle(id);
  const real = openSpool(folder);
  const spool: Spool = {
    ...real,
    async watch(id, onArrival) {
      meanwhile();
      return real.watch(id, onArrival);
    },
    // The first thing that is asked of a spool that is drained.
    isEmpty(id) {
      drained.push(id);
      return real.isEmpty(id);
    },
  };
  const intake = testIntake(engine, spool, provider);
  spools = watchSpools({ spool, intake, clock: engine.clock, log: silentLog });
});
afterEach(async () => {
  spools.close();
  await engine.store.close();
  rmSync(folder, { recursive: true });
});

function say(id: string, fact: string): void {
  mkdirSync(join(folder, id), { recursive: true });
  writeFileSync(join(folder, id, `1000000-${fact}.hook`), '{"turn":"t"}');
}
const sessions = () => [...engine.all()].map(({ session }) => session);
const facts = () => engine.commits.flatMap((batch) => batch.facts.map(({ id }) => id));

test('at the start each spool is drained once, and those of the dead, too', async () => {
  say('gone', 'a');
  await spools.open(sessions());
  expect(drained.sort()).toEqual(['gone', 's1', 's2']);
  for (const session of sessions()) spools.attend(session);
  expect(drained).toHaveLength(3);
  expect(readdirSync(join(folder, 'gone'))).toEqual([]);
});

test('what comes while the watches are being set up is not missed', async () => {
  meanwhile = () => say('s1', 'early');
  await spools.open(sessions());
  expect(facts()).toContain('early');
});

test('what comes later is heard, and a hundred at once cost a few drains, not a hundred', async () => {
  await spools.open(sessions());
  for (let i = 0; i < 100; i += 1) say('s1', `late${i}`);
  await vi.waitFor(() => expect(facts().filter((id) => id.startsWith('late'))).toHaveLength(100));
  await vi.waitFor(() => expect(readdirSync(join(folder, 's1'))).toEqual([]));
  expect(drained.length).toBeLessThan(50);
});
