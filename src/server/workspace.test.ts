import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { workspaceOf, workspacesAround } from './workspace.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'sm-workspace-')));
  for (const folder of ['repo/.git', 'repo/src/deep', 'repo/trees/side/src', 'plain/sub'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'repo/trees/side/.git'), 'gitdir: ../../.git/worktrees/side\n');
  symlinkSync(join(root, 'repo/src'), join(root, 'plain/link'));
});
afterEach(() => rmSync(root, { recursive: true }));

it.each([
  ['repo', 'repo'],
  ['repo/src/deep', 'repo'],
  ['repo/trees/side/src', 'repo/trees/side'],
  ['repo/not/there/yet', 'repo'],
  ['plain/link/deep', 'repo'],
  ['plain/sub', 'plain/sub'],
  ['plain/not there', 'plain/not there'],
])('a lock taken in %s is on %s', async (directory, workspace) => {
  expect(await workspaceOf(join(root, directory))).toBe(join(root, workspace));
});

it('a file is in the workspace of its git root, and outside of git in each directory above it', async () => {
  expect(await workspacesAround(join(root, 'repo/src/new.ts'))).toEqual([join(root, 'repo')]);
  expect(await workspacesAround(join(root, 'repo/trees/side/new.ts'))).toEqual([
    join(root, 'repo/trees/side'),
  ]);
  expect(await workspacesAround(join(root, 'plain/link/new.ts'))).toEqual([join(root, 'repo')]);
  const around = await workspacesAround(join(root, 'plain/sub/new.ts'));
  expect(around).toContain(join(root, 'plain/sub'));
  expect(around).toContain(join(root, 'plain'));
  expect(around.at(-1)).toBe('/');
});
