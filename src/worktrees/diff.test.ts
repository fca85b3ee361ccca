// What has changed in a checkout, on real git.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRepository, type Repository } from '../../test/support/repository.ts';
import type { ChangedFile, Diff } from '../ports/diff.ts';
import { diff } from './diff.ts';

let folder: string;
let repo: Repository;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-diff-'));
  repo = makeRepository(join(folder, 'repo'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function look(more: { base?: string; path?: string } = {}): Promise<Diff> {
  const found = await diff({ directory: repo.root, base: null, path: null, ...more });
  if ('fault' in found) throw new Error(found.fault);
  return found;
}
const file = ({ files }: Diff, path: string): ChangedFile => {
  const found = files.find((each) => each.path === path);
  if (!found) throw new Error(`${path} is not among ${files.map((each) => each.path).join(', ')}`);
  return found;
};

describe('the changes of a checkout', () => {
  it('are what is not committed, staged or not, and files that git does not know', async () => {
    repo.write('README.md', 'hello\nworld\n');
    repo.write('staged.txt', 'one\n');
    repo.git('add', 'staged.txt');
    repo.write('loose.txt', 'a\nb');
    repo.write('.gitignore', 'ignored\n');
    repo.write('ignored', 'x\n');
    repo.git('rm', '--quiet', 'packages/api/index.ts');
    const found = await look();
    expect(found.commit).toBe(repo.git('rev-parse', 'HEAD'));
    expect(found.files.map(({ path, is, added, removed }) => [path, is, added, removed])).toEqual([
      ['README.md', 'changed', 1, 0],
      ['packages/api/index.ts', 'removed', 0, 1],
      ['staged.txt', 'added', 1, 0],
      ['.gitignore', 'untracked', 1, 0],
      ['loose.txt', 'untracked', 2, 0],
    ]);
    expect(file(found, 'README.md').patch).toBe('@@ -1 +1,2 @@\n hello\n+world\n');
    expect(file(found, 'loose.txt').patch).toBe('@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n');
  });

  it('since a branch are all that came since they parted, whatever came there', async () => {
    repo.git('switch', '--quiet', '-c', 'work');
    repo.commit('mine', { 'mine.txt': 'mine\n' });
    repo.git('switch', '--quiet', 'main');
    repo.commit('theirs', { 'theirs.txt': 'theirs\n' });
    repo.git('switch', '--quiet', 'work');
    repo.write('README.md', 'changed\n');
    const found = await look({ base: 'main' });
    expect(found.files.map(({ path }) => path)).toEqual(['README.md', 'mine.txt']);
    expect((await look()).files.map(({ path }) => path)).toEqual(['README.md']);
  });

  it('name files whatever they are called, moved, or made into', async () => {
    const odd = 'we"ird\n\tname ü *.txt';
    const long = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join('');
    repo.commit('more', { 'old.txt': long, [odd]: 'a\n', 'a-link': 'text\n', 'b.sh': 'true\n' });
    repo.git('mv', 'old.txt', 'new name.txt');
    repo.write(odd, 'a\nb\n');
    rmSync(join(repo.root, 'a-link'));
    symlinkSync('/etc/passwd', join(repo.root, 'a-link'));
    chmodSync(join(repo.root, 'b.sh'), 0o755);
    symlinkSync('/etc/passwd', join(repo.root, 'loose-link'));
    const found = await look();
    expect(file(found, 'new name.txt')).toMatchObject({ is: 'renamed', oldPath: 'old.txt', patch: '' });
    expect(file(found, odd).patch).toBe('@@ -1 +1,2 @@\n a\n+b\n');
    expect(file(found, 'a-link').patch).toMatch(/^-text$[\s\S]*^\+\/etc\/passwd$/m);
    expect(file(found, 'b.sh')).toMatchObject({ is: 'changed', patch: '', leftOut: null });
    // Where a link leads is what it says, not what lies there.
    expect(file(found, 'loose-link').patch).toMatch(/^\+\/etc\/passwd$/m);
  });

  it('are told of a repository without a commit, and refused where there is none', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    expect(await diff({ directory: empty, base: null, path: null })).toMatchObject({
      fault: expect.stringMatching(/not a git repository/),
    });
    execFileSync('git', ['init', '--quiet', empty]);
    writeFileSync(join(empty, 'a'), 'a\n');
    expect(await diff({ directory: empty, base: null, path: null })).toMatchObject({
      commit: null,
      files: [{ path: 'a', is: 'untracked', added: 1 }],
    });
  });

  it('leave out what is not text, not a file, or too long; one file alone is shown in full', async () => {
    const lines = (count: number) => 'x\n'.repeat(count);
    repo.commit('more', { 'binary.png': 'a\0b', 'long.txt': '', 'wide.txt': '' });
    repo.write('binary.png', 'a\0c');
    repo.write('long.txt', lines(2_000));
    repo.write('wide.txt', `${'w'.repeat(100_000)}\n`);
    repo.write('loose.bin', 'a\0b');
    repo.write('loose.txt', lines(2_000));
    repo.write('huge.txt', lines(1_000_000));
    execFileSync('mkfifo', [join(repo.root, 'pipe')]);
    execFileSync('git', ['init', '--quiet', join(repo.root, 'inner')]);
    const found = await look();
    const leftOut = (path: string) => file(found, path).leftOut;
    expect(['binary.png', 'loose.bin'].map(leftOut)).toEqual(['binary', 'binary']);
    expect(['long.txt', 'loose.txt', 'huge.txt'].map(leftOut)).toEqual(['long', 'long', 'long']);
    expect(leftOut('inner/')).toBe('no-file');
    expect(found.files.some(({ path }) => path === 'pipe')).toBe(false);
    expect(file(found, 'wide.txt').patch?.length).toBeLessThan(1_100);
    expect(file(await look({ path: 'long.txt' }), 'long.txt').patch?.length).toBeGreaterThan(4_000);
    expect(file(await look({ path: 'loose.txt' }), 'loose.txt').added).toBe(2_000);
    expect((await look({ path: 'long.txt' })).files).toHaveLength(1);
  });

  it('are bounded, however many there are', async () => {
    for (let number = 0; number < 600; number += 1) repo.write(`many/${number}.txt`, 'x\n'.repeat(20));
    const found = await look();
    expect(found.files).toHaveLength(500);
    expect(found.more).toBe(100);
    const told = found.files.reduce((sum, { patch }) => sum + (patch?.length ?? 0), 0);
    expect(told).toBeLessThan(50_000);
  });

  it('run nothing that the repository names', async () => {
    const witness = join(folder, 'witness');
    repo.commit('attributes', { '.gitattributes': '*.txt diff=evil\n', 'a.txt': 'a\n' });
    repo.git('config', 'diff.external', `touch ${witness}; false`);
    repo.git('config', 'diff.evil.textconv', `touch ${witness}; cat`);
    repo.git('config', 'diff.evil.command', `touch ${witness}; false`);
    repo.git('config', 'core.fsmonitor', `touch ${witness}; false`);
    repo.write('a.txt', 'b\n');
    expect(file(await look(), 'a.txt').added).toBe(1);
    expect(() => execFileSync('test', ['-e', witness])).toThrow();
  });
});
