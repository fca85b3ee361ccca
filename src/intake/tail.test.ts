import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { virtualClock } from '../engine/virtual-clock.ts';
import { followFile, type Tail } from './tail.ts';

let folder: string;
let path: string;
let tail: Tail | null = null;
const clock = virtualClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-tail-'));
  path = join(folder, 'lines');
});
afterEach(async () => {
  await tail?.close();
  rmSync(folder, { recursive: true });
});

function follow(onLine: (line: string, offset: number) => Promise<void>, offset = 0): Tail {
  tail = followFile({ path, offset, clock, onLine });
  return tail;
}

describe('following a file', () => {
  it('hands over whole lines with the offset where they begin, and nothing twice', async () => {
    const lines: [string, number][] = [];
    writeFileSync(path, 'ä\ntwo\nhal');
    const it = follow(async (line, offset) => void lines.push([line, offset]));
    await it.catchUp();
    appendFileSync(path, 'f\n');
    await it.catchUp();
    expect(lines).toEqual([
      ['ä', 0],
      ['two', 3],
      ['half', 7],
    ]);
    expect(it.offset).toBe(12);
  });

  it('goes on where it left off', async () => {
    const lines: string[] = [];
    writeFileSync(path, 'one\ntwo\n');
    await follow(async (line) => void lines.push(line), 4).catchUp();
    expect(lines).toEqual(['two']);
  });

  it('takes lines that are longer than it reads at once', async () => {
    const lines: number[] = [];
    writeFileSync(path, `${'x'.repeat(700_000)}\n${'y'.repeat(10)}\n`);
    await follow(async (line) => void lines.push(line.length)).catchUp();
    expect(lines).toEqual([700_000, 10]);
  });

  it('waits for a file that is not there yet', async () => {
    const lines: string[] = [];
    follow(async (line) => void lines.push(line));
    writeFileSync(path, 'one\n');
    clock.advance(250);
    await vi.waitFor(() => expect(lines).toEqual(['one']));
  });

  it('reads once more for all who ask while it reads', async () => {
    let reads = 0;
    let goOn = () => {};
    const going = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    writeFileSync(path, 'one\n');
    // A line that cannot be handed over is read again each time.
    const it = follow(async () => {
      reads++;
      await going;
      throw new Error('the disk is full');
    });
    await vi.waitFor(() => expect(reads).toBe(1));
    const asked = Array.from({ length: 5 }, () => it.catchUp());
    goOn();
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
    expect(reads).toBe(2);
  });

  it('hands over what was there when it was asked, also while it reads', async () => {
    const lines: string[] = [];
    const knew: Promise<boolean>[] = [];
    writeFileSync(path, '0\n');
    const it = follow(async (line) => {
      lines.push(line);
      const more = String(Number(line) + 1);
      if (more === '4') return;
      appendFileSync(path, `${more}\n`);
      knew.push(it.catchUp().then(() => lines.includes(more)));
    });
    await vi.waitFor(() => expect(lines).toEqual(['0', '1', '2', '3']));
    expect(await Promise.all(knew)).toEqual([true, true, true]);
  });

  it('survives that a line cannot be handed over, and hands it over later, in its order', async () => {
    const lines: string[] = [];
    let full = true;
    writeFileSync(path, 'one\ntwo\n');
    const it = follow(async (line) => {
      if (full) throw new Error('the disk is full');
      lines.push(line);
    });
    await expect(it.catchUp()).rejects.toThrow('full');
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(0));
    full = false;
    clock.advance(1_000);
    await vi.waitFor(() => expect(lines).toEqual(['one', 'two']));
  });
});

it('a line that is longer than any is passed over, with all that belongs to it', async () => {
  const lines: string[] = [];
  const long = Buffer.alloc(65 * 1024 * 1024, 'x');
  writeFileSync(path, long);
  appendFileSync(path, long);
  appendFileSync(path, '\nnext\n');
  await follow(async (line) => void lines.push(line)).catchUp();
  expect(lines).toEqual(['next']);
});
