import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, settled, type TestEngine, task, testEngine } from '../../test/support/engine.ts';
import { factOf, launched, restoreIt, screens } from '../../test/support/session.ts';
import type { EffectResult } from '../domain/core/effect.ts';
import { person } from '../domain/core/names.ts';
import { type Store, StoreError } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';

let store: Store;
let engine: TestEngine;

beforeEach(async () => {
  store = openSqliteStore(':memory:');
  engine = await started();
});
afterEach(() => store.close());

async function started(): Promise<TestEngine> {
  const next = testEngine(store);
  await next.load();
  next.resume();
  await settled();
  return next;
}

const kinds = (from: TestEngine) => from.running.map(({ owed }) => owed.effect.do);
const killIt = { type: 'kill', by: person } as const;

describe('lanes', () => {
  it('do not wait for each other, however long an effect takes', async () => {
    await engine.create('slow');
    await engine.createIdle('quick');
    await engine.submit('quick', message('aaaaaaaa'));
    await settled();
    expect(engine.runningOf('slow').owed.effect.do).toBe('launch');
    await engine.runningOf('quick').finish({ of: 'look', look: screens.composer() });
    expect(engine.runningOf('quick').owed.effect.do).toBe('submit');
  });

  it('run their effects one at a time, in the order in which they were owed', async () => {
    await engine.create('s1');
    await engine.submit('s1', killIt);
    await settled();
    expect(kinds(engine)).toEqual(['launch']);
    await engine.runningOf('s1').finish(launched);
    expect(kinds(engine)).toEqual(['kill']);
    await engine.runningOf('s1').finish({ of: 'kill' });
    expect(engine.get('s1')).toBeUndefined();
  });

  it('take inputs while an effect runs', async () => {
    await engine.create('s1');
    await engine.submit('s1', task('meanwhile'));
    expect(engine.get('s1')?.session.task).toBe('meanwhile');
  });

  it.each([
    ['launch', async () => void (await engine.create('s1')), 'exited'],
    [
      'kill',
      async () => {
        await engine.createIdle('s1');
        await engine.submit('s1', killIt);
      },
      'lost',
    ],
  ])('survive a %s that throws', async (_, begin, state) => {
    await begin();
    await settled();
    await engine.runningOf('s1').fail(new Error('tmux is not there'));
    expect(engine.get('s1')?.session.process).toMatchObject({
      state,
      reason: expect.stringContaining('tmux is not there'),
    });
    expect(engine.logged).toEqual(['an effect failed']);
  });

  it('wait for evidence after a typing that throws, as nobody knows whether the keys went out', async () => {
    await engine.createIdle('s1');
    await engine.submit('s1', message('aaaaaaaa'));
    await settled();
    await engine.runningOf('s1').finish({ of: 'look', look: screens.composer() });
    await engine.runningOf('s1').fail(new Error('broken pipe'));
    expect(engine.get('s1')?.session.attempt).toMatchObject({
      step: 'typed',
      pastes: 1,
      awaits: { lookAt: expect.any(Number) },
    });
  });
});

describe('after a crash', () => {
  it('a launch, a kill, a look and a burial that were owed run again', async () => {
    await engine.create('launch');
    await engine.createIdle('kill');
    await engine.submit('kill', killIt);
    await engine.createIdle('look');
    await engine.submit('look', message('aaaaaaaa'));
    await engine.createIdle('bury');
    await engine.hear('bury', factOf({ is: 'process-exited' }));
    const next = await started();
    const again = next.running.map(({ owed }) => [owed.sessionId, owed.effect.do]);
    expect(again.sort()).toEqual(['bury', 'kill', 'launch', 'look'].map((kind) => [kind, kind]));
  });

  it('a typing that was owed is not done again: it is unknown whether the keys went out', async () => {
    await engine.createIdle('s1');
    await engine.submit('s1', message('aaaaaaaa'));
    await settled();
    await engine.runningOf('s1').finish({ of: 'look', look: screens.composer() });
    const next = await started();
    expect(next.running).toEqual([]);
    expect(next.get('s1')?.session.attempt).toMatchObject({
      step: 'typed',
      awaits: { lookAt: expect.any(Number) },
    });
    next.clock.advance(1_500);
    await settled();
    expect(kinds(next)).toEqual(['look']);
  });

  it('due times stand again', async () => {
    await engine.createIdle('s1');
    await engine.hear('s1', factOf({ is: 'prompt-submitted', providerId: 'c1-s1', turnId: 'p1' }));
    const next = await started();
    expect(next.running).toEqual([]);
    next.clock.advance(10_000);
    await settled();
    expect(kinds(next)).toEqual(['look']);
  });

  it('no effect runs before `resume`, and those of facts that came meanwhile run after what was owed', async () => {
    await engine.createIdle('s1');
    await engine.hear('s1', factOf({ is: 'process-exited' }));
    const next = testEngine(store);
    await next.load();
    await next.submit('s1', restoreIt);
    await settled();
    expect(next.running).toEqual([]);
    next.resume();
    await settled();
    expect(kinds(next)).toEqual(['bury']);
    await next.runningOf('s1').finish({ of: 'bury' });
    expect(kinds(next)).toEqual(['launch']);
  });

  it('memory is what it was', async () => {
    await engine.createIdle('s1');
    await engine.hear('s1', factOf({ is: 'prompt-submitted', providerId: 'c1-s1', turnId: 'p1' }));
    for (const id of ['aaaaaaaa', 'bbbbbbbb']) await engine.submit('s1', message(id));
    const next = await started();
    expect([...next.all()]).toEqual([...engine.all()]);
  });
});

describe('a session that was killed', () => {
  const retire = async (id: string) => {
    await engine.createIdle(id);
    await engine.submit(id, killIt);
    await settled();
    await engine.runningOf(id).finish({ of: 'kill' });
  };

  it('leaves memory, and what is said of it is ignored', async () => {
    await retire('s1');
    expect([...engine.all()]).toEqual([]);
    const commits = engine.commits.length;
    const answer = await engine.hear('s1', factOf({ is: 'activity', providerId: 'c1-s1', turnId: 'p1' }));
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
    expect(engine.commits).toHaveLength(commits);
    expect((await store.load()).owed).toEqual([]);
  });

  it('leaves its name to others, and comes back with a restore', async () => {
    await retire('s1');
    expect(await engine.submit('s1', { ...restoreIt, providerId: 'c2' } as never)).toMatchObject({
      ok: true,
    });
    await settled();
    await engine.runningOf('s1').finish(launched);
    expect(engine.get('s1')?.session.process.state).toBe('running');
    expect((await started()).get('s1')).toBeDefined();
  });

  it('stays away when its restore could not be stored', async () => {
    await retire('s1');
    engine.broken = new StoreError('full', 'full');
    await expect(engine.submit('s1', restoreIt)).rejects.toThrow('full');
    expect(engine.get('s1')).toBeUndefined();
  });
});

describe('stopping', () => {
  const result: EffectResult = { of: 'look', look: screens.composer() };

  it('stores the result of what runs, begins nothing more, and then takes nothing', async () => {
    await engine.createIdle('s1');
    await engine.submit('s1', message('aaaaaaaa'));
    await settled();
    const stopping = engine.stop();
    const late = engine.submit('s1', task('still taken'));
    await engine.runningOf('s1').finish(result);
    await stopping;
    await late;
    expect(engine.running).toEqual([]);
    expect(engine.get('s1')?.session).toMatchObject({ task: 'still taken', attempt: { step: 'typed' } });
    await expect(engine.submit('s1', task('x'))).rejects.toThrow('stopping');
    const { owed } = await store.load();
    expect(owed.map(({ effect }) => effect.do)).toEqual(['submit']);
    expect(engine.clock.pending).toBe(0);
  });

  it('does not wait for a full disk: what was not stored is owed still', async () => {
    await engine.createIdle('s1');
    await engine.submit('s1', message('aaaaaaaa'));
    await settled();
    engine.broken = new StoreError('full', 'full');
    const stopping = engine.stop();
    await engine.runningOf('s1').finish(result);
    await stopping;
    expect((await store.load()).owed.map(({ effect }) => effect.do)).toEqual(['look']);
  });
});
