import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestEngine, testEngine } from '../../test/support/engine.ts';
import { factOf } from '../../test/support/session.ts';
import { person } from '../domain/core/names.ts';
import type { Engine } from '../engine/engine.ts';
import type { Provider } from '../ports/provider.ts';
import type { Store } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { answerToEdit, takeLock } from './locks.ts';

let store: Store;
let engine: TestEngine;
beforeEach(async () => {
  store = openSqliteStore(':memory:');
  engine = testEngine(store);
  engine.resume();
  for (const id of ['a1', 'b1']) await engine.createIdle(id);
});
afterEach(() => store.close());

const request = (seconds: number | null, workspace = '/repo') => ({
  by: person,
  workspace,
  reason: 'mine',
  enforced: true,
  wait: seconds === null ? null : { id: 'w', seconds },
});

describe('a lock that another holds', () => {
  beforeEach(async () => {
    await takeLock(engine, 'a1', request(null));
  });

  it('is refused, or waited for', async () => {
    expect(await takeLock(engine, 'b1', request(null))).toMatchObject({ refusal: { code: 'conflict' } });
    expect(await takeLock(engine, 'b1', request(60))).toMatchObject({ is: 'awaited', holder: { id: 'a1' } });
    expect(engine.get('a1')?.session.lock?.waiters).toMatchObject([{ by: 'b1', seconds: 60 }]);
  });

  it('is taken when it becomes free just before the wait begins', async () => {
    const racing: Engine = {
      ...engine,
      async submit(id, input) {
        if (input.type === 'await-lock') await engine.submit('a1', { type: 'unlock', by: person });
        return engine.submit(id, input);
      },
    };
    expect(await takeLock(racing, 'b1', request(60))).toMatchObject({ is: 'taken', holder: { id: 'b1' } });
  });

  it('is not waited for by a session that holds another, or has ended', async () => {
    await takeLock(engine, 'b1', request(null, '/other'));
    expect(await takeLock(engine, 'b1', request(60))).toMatchObject({
      refusal: { message: expect.stringContaining('You already hold the lock on /other') },
    });
    await engine.hear('b1', factOf({ is: 'process-gone' }));
    expect(await takeLock(engine, 'b1', request(60))).toMatchObject({
      refusal: { message: expect.stringContaining('has ended') },
    });
    expect(engine.get('a1')?.session.lock?.waiters).toEqual([]);
  });
});

describe('an edit', () => {
  let root: string;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'sm-locks-')));
    for (const folder of ['repo/.git', 'repo/tree/.git', 'plain/sub'])
      mkdirSync(join(root, folder), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const calls: Provider['calls'] = {
    read: ({ file }) =>
      typeof file === 'string' ? { tool: 'Edit', does: { is: 'edit', paths: [file] }, cwd: root } : null,
    deny: (reason) => `no: ${reason}`,
  };
  const answer = (id: string, file: string | null, provider = { calls } as Provider) =>
    answerToEdit({ engine, provider: () => provider, now: () => engine.clock.now() }, id, {
      file,
    });
  const denied = expect.stringMatching(
    /^no: scripted-a1 \(a1\) has held the lock on .* for 0 seconds: "mine"/,
  );

  it('of others is denied in the workspace that is locked, and nowhere else', async () => {
    await takeLock(engine, 'a1', request(null, join(root, 'repo')));
    expect(await answer('b1', 'repo/src/new.ts')).toEqual(denied);
    expect(await answer('a1', 'repo/src/new.ts')).toBe('');
    expect(await answer('b1', 'repo/tree/new.ts')).toBe('');
    expect(await answer('b1', 'plain/new.ts')).toBe('');
    expect(await answer('b1', null)).toBe('');
    expect(await answer('nobody', 'repo/new.ts')).toBe('');
    expect(await answer('b1', 'repo/new.ts', {} as Provider)).toBe('');
    await engine.hear('a1', factOf({ is: 'process-gone' }));
    expect(await answer('b1', 'repo/src/new.ts')).toBe('');
  });

  it('is denied below a directory outside of git that is locked', async () => {
    await takeLock(engine, 'a1', request(null, join(root, 'plain')));
    expect(await answer('b1', 'plain/sub/new.ts')).toEqual(denied);
    expect(await answer('b1', 'new.ts')).toBe('');
  });

  it('is never denied by a lock that is only advisory', async () => {
    await takeLock(engine, 'a1', { ...request(null, join(root, 'repo')), enforced: false });
    expect(await answer('b1', 'repo/new.ts')).toBe('');
  });
});
