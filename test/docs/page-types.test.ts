// The page is checked by a configuration of its own, with the types of a browser: others who change what it is told of
// sessions and events hear of it here.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('the page fits the protocol', () => {
  const root = join(import.meta.dirname, '../..');
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', 'src/web'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
