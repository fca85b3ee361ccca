import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { message, settled, type TestEngine, task, testEngine } from '../../test/support/engine.ts';
import { factOf, screens, sent } from '../../test/support/session.ts';
import { person } from '../domain/core/names.ts';
import { StoreError } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';

const full = new StoreError('full', 'The disk is full.');
const busy = new StoreError('busy', 'The database is busy.');

let engine: TestEngine;

beforeEach(async () => {
  engine = testEngine(openSqliteStore(':memory:'));
  await engine.load();
  engine.resume();
});

afterEach(async () => {
  await engine.store.close();
});

describe('a tick', () => {
  it('commits what is ready together, whatever the lanes', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => engine.create(`s${i}`)));
    expect(engine.commits).toHaveLength(1);
    expect(engine.commits[0]?.sessions).toHaveLength(50);
    expect(engine.commits[0]?.owed).toHaveLength(50);
  });

  it('stores the last state of a session that changed several times, and every event', async () => {
    await engine.create('s1');
    await Promise.all(['one', 'two', 'three'].map((text) => engine.submit('s1', task(text))));
    expect(engine.commits).toHaveLength(2);
    expect(engine.commits[1]?.sessions.map((session) => session.task)).toEqual(['three']);
    expect(engine.commits[1]?.events).toHaveLength(3);
  });

  it('lets nobody who looks in time see what was then not stored', async () => {
    await engine.create('s1');
    const taskOf = () => engine.get('s1')?.session.task;
    const seen: unknown[] = [];
    Object.defineProperty(engine, 'broken', {
      get() {
        if (seen.push(taskOf()) === 1) void engine.whenStored(() => seen.push(taskOf()));
        return full;
      },
    });
    await expect(engine.submit('s1', task('never'))).rejects.toBe(full);
    expect([seen[0], seen.at(-1)]).toEqual(['never', null]);
  });

  it('lets no effect run before it is stored', async () => {
    const order: string[] = [];
    engine.onCommit(() => order.push(`committed, ${engine.running.length} running`));
    await engine.create('s1');
    await settled();
    expect(order).toEqual(['committed, 0 running']);
    expect(engine.running).toHaveLength(1);
  });

  it('commits nothing when nothing changes', async () => {
    const answer = await engine.submit('nobody', task('x'));
    expect(answer).toMatchObject({ ok: false, refusal: { code: 'not-found' } });
    expect(engine.commits).toEqual([]);
  });

  it('takes a name once, also when two ask for it at the same moment', async () => {
    const answers = await Promise.all([
      engine.create('s1', { friendlyName: 'lead' }),
      engine.create('s2', { friendlyName: 'lead' }),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it.each(['s1', 'scripted-s1'])('takes no name by which another session is known: %s', async (name) => {
    await engine.create('s1');
    expect(await engine.create('s2', { friendlyName: name })).toMatchObject({ ok: false });
  });

  it('is not held up, nor taken along, by an input that cannot be handled', async () => {
    await engine.create('s1');
    const poison = {
      type: 'result',
      effectId: 'x',
      get result(): never {
        throw new Error('poison');
      },
    } as never;
    const outcomes = await Promise.allSettled([
      engine.submit('s1', task('before')),
      engine.submit('s1', poison),
      engine.submit('s1', task('after')),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(engine.get('s1')?.session.task).toBe('after');
  });

  it('goes on when a listener fails', async () => {
    engine.onCommit(() => {
      throw new Error('listener');
    });
    await engine.create('s1');
    expect(await engine.submit('s1', task('x'))).toMatchObject({ ok: true });
    expect(engine.logged).toContain('a listener failed');
  });
});

describe('a commit that fails', () => {
  it.each([full, busy])('leaves memory as it was, and each caller hears why: $code', async (error) => {
    await engine.create('s1');
    await engine.submit('s1', message('aaaaaaaa'));
    const before = structuredClone(engine.get('s1'));
    engine.broken = error;
    const outcomes = await Promise.allSettled([
      engine.submit('s1', task('x')),
      engine.submit('s1', message('bbbbbbbb')),
      engine.create('s2'),
    ]);
    expect(outcomes).toEqual(Array(3).fill({ status: 'rejected', reason: error }));
    expect(engine.get('s1')).toEqual(before);
    expect(engine.get('s2')).toBeUndefined();
    engine.broken = null;
    expect(await engine.create('s2')).toMatchObject({ ok: true });
    expect(await engine.submit('s1', message('bbbbbbbb'))).toMatchObject({ ok: true });
  });

  it('rejects also the doubled fact and the refusal that rested on it', async () => {
    await engine.create('s1');
    engine.broken = full;
    const fact = factOf({ is: 'activity', providerId: 'c1-s1', turnId: 'p1' });
    const outcomes = await Promise.allSettled([
      engine.hear('s1', fact, 'same'),
      engine.hear('s1', fact, 'same'),
      engine.submit('s1', { type: 'rename', by: person, name: 'lead' }),
      engine.create('s2', { friendlyName: 'lead' }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  });

  it('lets no effect run', async () => {
    engine.broken = full;
    await engine.create('s1').catch(() => undefined);
    await settled();
    expect(engine.running).toEqual([]);
  });

  it('is tried again for the result of an effect until it is stored', async () => {
    await engine.create('s1');
    await settled();
    engine.broken = full;
    await engine
      .runningOf('s1')
      .finish({ of: 'launch', outcome: 'launched', pid: 7, startedAt: null, agentVersion: null });
    expect(engine.get('s1')?.session.process.state).toBe('launching');
    for (let second = 0; second < 3; second += 1) {
      engine.clock.advance(1_000);
      await settled();
    }
    expect(engine.logged).toHaveLength(4);
    engine.broken = null;
    engine.clock.advance(1_000);
    await settled();
    expect(engine.get('s1')?.session.process.state).toBe('running');
    expect((await engine.store.load()).owed).toEqual([]);
  });

  it('is tried again for a due time until it is stored', async () => {
    await engine.createIdle('s1');
    await engine.hear('s1', factOf({ is: 'prompt-submitted', providerId: 'c1-s1', turnId: 'p1' }));
    engine.broken = busy;
    engine.clock.advance(10_000);
    await settled();
    expect(engine.running).toEqual([]);
    engine.broken = null;
    engine.clock.advance(1_000);
    await settled();
    expect(engine.runningOf('s1').owed.effect.do).toBe('look');
  });
});

describe('what comes twice', () => {
  const fact = factOf({ is: 'compaction-began', providerId: 'c1-s1' });
  const begun = () =>
    engine.commits
      .flatMap(({ events }) => events)
      .filter(({ body }) => body.type === 'compaction' && body.step === 'began');

  it('counts once, later and inside one tick', async () => {
    await engine.createIdle('s1');
    await Promise.all([engine.hear('s1', fact, 'same'), engine.hear('s1', fact, 'same')]);
    await engine.hear('s1', factOf({ is: 'compaction-ended', providerId: 'c1-s1' }));
    expect(await engine.hear('s1', fact, 'same')).toMatchObject({ ok: true });
    expect(begun()).toHaveLength(1);
    expect(engine.get('s1')?.session.compaction).toBeNull();
  });

  it('counts once after a restart', async () => {
    await engine.createIdle('s1');
    await engine.hear('s1', fact, 'same');
    const restarted = testEngine(engine.store);
    await restarted.load();
    await restarted.hear('s1', fact, 'same');
    expect(restarted.commits).toEqual([]);
  });

  it('is the message that is there, though only the store remembers it', async () => {
    await engine.createIdle('s1');
    await engine.submit('s1', message('aaaaaaaa'));
    await engine.runningOf('s1').finish({ of: 'look', look: screens.composer() });
    await engine.runningOf('s1').finish({ of: 'submit', outcome: 'typed' });
    const text = '[sm] from the user #aaaaaaaa:\nx';
    await engine.hear('s1', factOf({ is: 'prompt-submitted', providerId: 'c1-s1', turnId: 'p1', text }));
    await engine.hear('s1', factOf({ is: 'turn-ended', providerId: 'c1-s1', turnId: 'p1' }));
    expect(await engine.submit('s1', message('aaaaaaaa'))).toMatchObject({ ok: true });
    expect((await engine.store.message('aaaaaaaa'))?.state.is).toBe('answered');
  });

  it('is refused as a message to another session', async () => {
    await engine.create('s1');
    await engine.create('s2');
    await engine.submit('s1', message('aaaaaaaa'));
    expect(await engine.submit('s2', message('aaaaaaaa'))).toMatchObject({
      ok: false,
      refusal: { code: 'conflict' },
    });
    const prompt = sent({ id: 'aaaaaaaa' });
    expect(await engine.create('s3', { prompt })).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
  });
});
