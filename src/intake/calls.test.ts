import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { callPlacing } from './calls.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'sm-calls-')));
afterAll(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, 'repo/src'), { recursive: true });
mkdirSync(join(root, 'state'));
writeFileSync(join(root, 'repo/src/a.ts'), '');
symlinkSync(root, join(root, 'repo/out'));
symlinkSync(join(root, 'nowhere'), join(root, 'repo/dangling'));
symlinkSync('loop', join(root, 'repo/loop'));
symlinkSync(join(root, 'repo'), join(root, 'link'));

const place = callPlacing({ home: '/home/me', ours: [join(root, 'state')] });
const fileOf = async (path: string, cwd: string | null = null, workingDir = join(root, 'repo')) => {
  const { does } = await place({ tool: 'Write', does: { is: 'edit', paths: [path] }, cwd }, workingDir);
  return 'files' in does ? does.files[0] : undefined;
};

it.each([
  ['src/a.ts', 'repo/src/a.ts'],
  ['src/new/deep.ts', 'repo/src/new/deep.ts'],
  ['src/../../state/x', 'state/x'],
  ['out/b.ts', 'b.ts'],
])('%s is really %s', async (path, real) => {
  expect((await fileOf(path))?.real).toBe(join(root, real));
});

it('nobody can tell where a dangling link, a loop or a strange tilde leads', async () => {
  for (const path of ['dangling', 'dangling/x', 'loop', '~other/x'])
    expect((await fileOf(path))?.real).toBeNull();
});

it('a path starts where the agent is, and a tilde at home', async () => {
  expect((await fileOf('a.ts', join(root, 'repo/src')))?.real).toBe(join(root, 'repo/src/a.ts'));
  expect((await fileOf('~/a.ts'))?.path).toBe('/home/me/a.ts');
});

it('the directory of the session is known as it is called and as it is', async () => {
  const call = await place({ tool: 'x', does: { is: 'other', texts: [] }, cwd: null }, join(root, 'link'));
  expect(call.from).toEqual({ path: join(root, 'link'), real: join(root, 'repo') });
});

it('files of sm are known, also by way of a link', async () => {
  expect(await fileOf('out/state/policies.yaml')).toMatchObject({ ours: true });
  expect(await fileOf('src/a.ts')).not.toHaveProperty('ours');
});
