import { expect, test } from 'vitest';
import { isInside, slug } from './plan.ts';

test('a name becomes one that is good for a branch and a directory', () => {
  expect(slug('fix/login page')).toBe('fix-login-page');
  expect(slug('../../etc')).toBe('etc');
  expect(slug('-rf')).toBe('rf');
  expect(slug('a..b.lock')).toBe('a.b');
  expect(slug('…')).toBe('work');
  expect(slug('später')).toBe('später');
});

test('a path is inside a folder, or only begins like it', () => {
  expect(isInside('/repo/x', '/repo')).toBe(true);
  expect(isInside('/repo', '/repo')).toBe(true);
  expect(isInside('/repo.worktrees/x', '/repo')).toBe(false);
  expect(isInside('/repo/..x', '/repo')).toBe(true);
  expect(isInside('/', '/repo')).toBe(false);
});
