import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkTarget } from './reviews.ts';

const root = mkdtempSync(join(tmpdir(), 'sm-reviews-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', '-C', root, ...args], { stdio: 'pipe' });

test('only what is there is reviewed, and what is not is told', async () => {
  const refusal = async (target: Parameters<typeof checkTarget>[1]) =>
    (await checkTarget(root, target))?.message ?? null;
  expect(await refusal({ of: 'custom', text: 'anything' })).toBeNull();
  expect(await refusal({ of: 'uncommitted' })).toContain('is in no git repository');
  git('init', '-q');
  expect(await refusal({ of: 'uncommitted' })).toContain('no uncommitted changes');
  writeFileSync(join(root, 'a'), 'a');
  expect(await refusal({ of: 'uncommitted' })).toBeNull();
  git('add', '.');
  git('commit', '-qm', 'a');
  git('branch', 'side');
  expect(await refusal({ of: 'base', branch: 'side' })).toBeNull();
  expect(await refusal({ of: 'base', branch: 'nope' })).toContain('Unknown branch nope');
  expect(await refusal({ of: 'commit', commit: 'HEAD' })).toBeNull();
  expect(await refusal({ of: 'commit', commit: '0123456' })).toContain('Unknown commit 0123456');
});
