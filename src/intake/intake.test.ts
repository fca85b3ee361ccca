import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestEngine, testEngine } from '../../test/support/engine.ts';
import { testIntake } from '../../test/support/intake.ts';
import { factOf } from '../../test/support/session.ts';
import type { HookInput, Provider } from '../ports/provider.ts';
import { StoreError } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { Intake } from './intake.ts';
import { openSpool } from './spool.ts';

let folder: string;
let engine: TestEngine;
let intake: Intake;

/** Its hooks only say what the agent works on. */
const provider = {
  hookFacts: ({ turn, poison }: HookInput) => {
    if (poison) throw new Error('poison');
    return [factOf({ is: 'activity', providerId: 'c1-s1', turnId: String(turn) })];
  },
  statusFacts: () => [],
} as unknown as Provider;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sm-intake-'));
  mkdirSync(join(folder, 's1'));
  engine = testEngine(openSqliteStore(':memory:'));
  await engine.load();
  engine.resume();
  await engine.createIdle('s1');
  intake = testIntake(engine, openSpool(folder), provider);
});
afterEach(async () => {
  await engine.store.close();
  rmSync(folder, { recursive: true });
});

const spool = (name: string, body: string) => writeFileSync(join(folder, 's1', name), body);
const left = () => readdirSync(join(folder, 's1'));
const turns = () =>
  engine.commits.flatMap(({ events }) =>
    events.flatMap(({ body }) => (body.type === 'turn' && body.step === 'began' ? [body.turn] : [])),
  );
const direct = (turn: string, factId = turn) =>
  intake.direct({ sessionId: 's1', factId, kind: 'hook', body: { turn } });

describe('the spool', () => {
  it('is drained in the order in which it was said, and before a fact that comes directly', async () => {
    spool('2000000-b.hook', '{"turn":"second"}');
    spool('1000000-a.hook', '{"turn":"first"}');
    await direct('third');
    const facts = engine.commits.flatMap((batch) => batch.facts.map(({ id }) => id));
    expect(facts.slice(-3)).toEqual(['a', 'b', 'third']);
    expect(turns()).toEqual(['first']);
    expect(left()).toEqual([]);
  });

  it('counts a fact once that came directly, too', async () => {
    await direct('one', 'a');
    const commits = engine.commits.length;
    spool('1000000-a.hook', '{"turn":"one"}');
    await intake.drain();
    expect(engine.commits).toHaveLength(commits);
    expect(left()).toEqual([]);
  });

  it('keeps what cannot be stored just now, in its order', async () => {
    spool('1000000-a.hook', '{"turn":"one"}');
    spool('2000000-b.hook', '{"turn":"two"}');
    engine.broken = new StoreError('full', 'full');
    await expect(intake.drain()).rejects.toThrow('full');
    await expect(direct('three')).rejects.toThrow('full');
    expect(left()).toHaveLength(2);
    engine.broken = null;
    await intake.drain();
    expect(left()).toEqual([]);
    expect(turns()).toEqual(['one']);
  });

  it('keeps everything when the daemon is stopping', async () => {
    spool('1000000-a.hook', '{"turn":"one"}');
    await engine.stop();
    await expect(intake.drain()).rejects.toThrow('stopping');
    expect(left()).toEqual(['1000000-a.hook']);
  });

  it.each(['not json', '{"poison":true}'])(
    'sets aside what can never be handled, and goes on: %s',
    async (body) => {
      spool('1000000-a.hook', body);
      spool('2000000-b.hook', '{"turn":"two"}');
      await intake.drain();
      expect(left()).toEqual(['1000000-a.hook.unreadable']);
      expect(turns()).toEqual(['two']);
    },
  );

  it('of a session that is not there is emptied', async () => {
    mkdirSync(join(folder, 'gone'));
    writeFileSync(join(folder, 'gone', '1000000-a.hook'), '{"turn":"one"}');
    await intake.drain();
    expect(readdirSync(join(folder, 'gone'))).toEqual([]);
  });
});
