// The demo as a new user sees it: something happens all the time, and at the right moment.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';

let lines: { at: number; text: string }[];
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, '../../dist/demo.cjs'),
  ]);
  lines = stdout.split('\n').flatMap((line) => {
    const [, at, text = ''] = /^ *([\d.]+) s {2}(.*)$/.exec(line) ?? [];
    return at === undefined ? [] : [{ at: Number(at), text }];
  });
});

it('never stands still for long', () => {
  // 3 s, and room for a busy machine.
  const pauses = lines.map(({ at }, i) => at - (lines[i - 1]?.at ?? 0));
  expect(Math.max(...pauses)).toBeLessThan(5);
  expect(lines.at(-1)?.at).toBeLessThan(40);
});

it('shows the critical mark in the middle of the turn that fills the context', () => {
  const mark = lines.findIndex(({ text }) => text.includes('(critical mark)'));
  const after = lines.slice(mark).find(({ text }) => /^tests (ends its turn|is interrupted)/.test(text));
  expect(after?.text).toBe('tests is interrupted');
});
