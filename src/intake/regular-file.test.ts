import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { virtualClock } from '../engine/virtual-clock.ts';
import { checkoutAt } from './git-head.ts';
import { readRegular } from './regular-file.ts';
import { openSpool } from './spool.ts';
import { followFile } from './tail.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-regular-'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  symlinkSync(join(root, 'pipe'), join(root, 'link'));
  mkdirSync(join(root, 'folder'));
});
afterEach(() => rmSync(root, { recursive: true }));

const odd = () => [
  '/dev/zero',
  '/dev/null',
  ...['pipe', 'link', 'folder', 'missing'].map((name) => join(root, name)),
];

it('what is no file has no text, and nobody waits for it', async () => {
  expect(await Promise.all(odd().map((path) => readRegular(path, 100)))).toEqual(odd().map(() => null));
  writeFileSync(join(root, 'file'), 'some text');
  expect(await readRegular(join(root, 'file'), 100)).toBe('some text');
  expect(await readRegular(join(root, 'file'), 4)).toBe('some');
});

it('a transcript that is a pipe or has no end is one that is not there', async () => {
  const lines: string[] = [];
  for (const path of odd().slice(0, 5)) {
    const tail = followFile({
      path,
      offset: 0,
      clock: virtualClock(),
      onLine: async (line) => void lines.push(line),
    });
    await tail.catchUp();
    await tail.close();
  }
  expect(lines).toEqual([]);
});

it('a fact that is a pipe cannot be read, and one that is gone is gone', async () => {
  const own = join(root, 'spool/s1');
  mkdirSync(own, { recursive: true });
  execFileSync('mkfifo', [join(own, '1-f1.hook')]);
  symlinkSync('/dev/zero', join(own, '2-f2.hook'));
  writeFileSync(join(own, '3-f3.hook'), '{"hook_event_name":"Stop"}');
  writeFileSync(join(own, '4-f4.hook'), 'torn');
  writeFileSync(join(own, '5-f5.hook'), '{}');
  const spool = openSpool(join(root, 'spool'));
  const files = await spool.list('s1');
  rmSync(join(own, '5-f5.hook'));
  expect(await Promise.all(files.map((file) => spool.read(file)))).toEqual([
    null,
    null,
    { hook_event_name: 'Stop' },
    null,
    'gone',
  ]);
});

it('a checkout whose files are pipes is none', async () => {
  execFileSync('mkfifo', [join(root, 'folder/.git')]);
  expect(await checkoutAt(join(root, 'folder'))).toBeNull();
  mkdirSync(join(root, 'other/.git'), { recursive: true });
  execFileSync('mkfifo', [join(root, 'other/.git/HEAD')]);
  expect(await checkoutAt(join(root, 'other'))).toBeNull();
});
