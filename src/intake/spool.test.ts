import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
