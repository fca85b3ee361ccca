import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSpool } from './spool.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-spool-'));
  for (const folder of ['spool/s1', 'spool/.odd', 'outside'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ['spool', 'spool/s1', 'outside', '.'])
    for (const name of ['1-f1.hook', 'newest.status']) writeFileSync(join(root, folder, name), '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

test.each(['', '.', '..', '../outside', '../../x', 's1/../../outside', '/etc'])(
  'never leaves its folder, whatever id it is given: "%s"',
  async (id) => {
    const spool = openSpool(join(root, 'spool'));
    await expect(spool.list(id)).rejects.toThrow('cannot be the id of a session');
    await expect(spool.watch(id, () => {})).rejects.toThrow('cannot be the id of a session');
    expect(readdirSync(join(root, 'outside'))).toHaveLength(2);
  },
);

test('knows its sessions by their ids, and overlooks what else lies there', async () => {
  const spool = openSpool(join(root, 'spool'));
  expect((await spool.sessions()).sort()).toEqual(['1-f1.hook', 'newest.status', 's1']);
  expect(await spool.list('newest.status')).toEqual([]);
  expect((await spool.list('s1')).map(({ kind }) => kind).sort()).toEqual(['hook', 'status']);
});

test('facts of programs that know only the second stand in the order in which they were written', async () => {
  const written = { c: 0.125, a: 0.25, b: 0.5 };
  for (const [name, part] of Object.entries(written)) {
    const path = join(root, 'spool/s1', `1794986320000000000-${name}.hook`);
    writeFileSync(path, '{}');
    utimesSync(path, 1_794_986_320 + part, 1_794_986_320 + part);
  }
  writeFileSync(join(root, 'spool/s1', '1794986320300000000-exact.hook'), '{}');
  const hooks = (await openSpool(join(root, 'spool')).list('s1')).filter(({ kind }) => kind === 'hook');
  expect(hooks.map(({ factId }) => factId)).toEqual(['f1', 'c', 'a', 'exact', 'b']);
});

test('lists facts in the order in which they were said, also when the clock was set in between', async () => {
  const up = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'));
  const folder = join(root, 'spool/s2');
  mkdirSync(folder);
  const said = (agoSeconds: number, wall: number, name: string) =>
    writeFileSync(join(folder, `${wall}000000-${(up - agoSeconds).toFixed(2)}-${name}.hook`), '{}');
  said(30, 9_001, 'first');
  said(20, 1_001, 'second');
  said(10, 5_001, 'third');
  said(10, 5_002, 'fourth');
  const listed = await openSpool(join(root, 'spool'), () => 1_000_000).list('s2');
  expect(listed.map(({ factId }) => factId.split('-').at(-1))).toEqual([
    'first',
    'second',
    'third',
    'fourth',
  ]);
  const agoSeconds = listed.map(({ at }) => Math.round((1_000_000 - Number(at / 1_000_000n)) / 1_000));
  expect(agoSeconds).toEqual([30, 20, 10, 10]);
});

test('believes the wall clock of a fact from before the machine was started anew', async () => {
  mkdirSync(join(root, 'spool/s3'));
  writeFileSync(join(root, 'spool/s3', `7000000-99999999.00-old.hook`), '{}');
  const [file] = await openSpool(join(root, 'spool')).list('s3');
  expect(file?.at).toBe(7_000_000n);
});
