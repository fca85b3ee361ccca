import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { virtualClock } from '../engine/virtual-clock.ts';
import { followFile } from '../intake/tail.ts';
import { placeIn } from './place.ts';

let folder: string;
let output: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-place-'));
  output = join(folder, 'out');
  file = join(folder, 'offset');
});
afterEach(() => rmSync(folder, { recursive: true }));

const onDisk = () => statSync(output).blocks * 512;
const line = (i: number) => `${String(i).padStart(9, '0')} ${'x'.repeat(1_000)}`;
const megabytes = 3;
const lines = Array.from({ length: megabytes * 1_050 }, (_, i) => line(i));

it('is where the next one begins', async () => {
  expect(placeIn(output, file).from).toBe(0);
  writeFileSync(output, 'one\ntwo\n');
  await placeIn(output, file).keep(4);
  expect(placeIn(output, file).from).toBe(4);
  expect(readFileSync(output, 'utf8')).toBe('one\ntwo\n');
});

it.skipIf(!canMakeHoles())('gives back what lies before it, and nothing behind it', async () => {
  writeFileSync(output, `${lines.join('\n')}\n`);
  const offset = 2 * 1024 * 1024 + 11;
  const before = readFileSync(output);
  await placeIn(output, file).keep(offset);
  expect(onDisk()).toBeLessThan(1.5 * 1024 * 1024);
  expect(statSync(output).size).toBe(before.length);
  expect(readFileSync(output).subarray(offset)).toEqual(before.subarray(offset));
});

it.skipIf(!canMakeHoles())(
  'loses nothing of a process that goes on writing, through any number of readers',
  async () => {
    const script = `for (let i = 0; i < ${lines.length}; i += 1) console.log(String(i).padStart(9, '0') + ' ' + 'x'.repeat(1000))`;
    const writer = spawn('/bin/sh', ['-c', `exec "$0" -e "$1" >>"$2"`, process.execPath, script, output]);
    const ended = once(writer, 'exit');
    let writing = true;
    void ended.then(() => (writing = false));
    const read = new Map<number, string>();
    for (;;) {
      const isLast = !writing;
      const place = placeIn(output, file);
      const tail = followFile({
        path: output,
        offset: place.from,
        clock: virtualClock(),
        async onLine(text, offset) {
          // What was not kept is read again, and is the same.
          expect(read.get(offset) ?? text).toBe(text);
          read.set(offset, text);
          if (read.size % 100 === 0) await place.keep(offset);
        },
      });
      await tail.catchUp();
      await tail.close();
      if (isLast) break;
    }
    expect([...read.values()]).toEqual(lines);
    expect(onDisk()).toBeLessThan(2 * 1024 * 1024);
  },
);

function canMakeHoles(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'sm-hole-'));
  const path = join(probe, 'file');
  writeFileSync(path, '');
  truncateSync(path, 8_192);
  const { status } = spawnSync('fallocate', ['--punch-hole', '--offset', '0', '--length', '4096', path]);
  rmSync(probe, { recursive: true });
  return status === 0;
}
