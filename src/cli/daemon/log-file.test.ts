import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testIo, testNow } from '../../../test/support/io.ts';
import { run } from '../run.ts';
import { logText } from '../text/log.ts';
import { followFile, lastLines } from './log-file.ts';

let home: string;
let log: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sm-log-'));
  log = join(home, 'daemon.log');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('only whole lines are read', () => {
  writeFileSync(log, 'one\ntwo\nthr');
  expect(lastLines(log, 1)).toEqual({ lines: ['two'], end: 8 });
  expect(lastLines(log, 0)?.lines).toEqual([]);
  expect(lastLines(join(home, 'none'), 1)).toBeNull();
});

test('what is added is followed into the next file', async () => {
  writeFileSync(log, 'old\n');
  const seen: string[] = [];
  let next = () => {};
  const stop = new AbortController();
  const following = followFile(
    log,
    4,
    (lines) => {
      seen.push(...lines);
      if (lines.length > 0) next();
    },
    stop.signal,
  );
  const more = (write: () => void) =>
    new Promise<void>((resolve) => {
      next = resolve;
      write();
    });
  await more(() => appendFileSync(log, 'a\nhal'));
  await more(() => appendFileSync(log, 'f\n'));
  await more(() => {
    renameSync(log, `${log}.1`);
    writeFileSync(log, 'after a rotation\n');
  });
  stop.abort();
  await following;
  expect(seen).toEqual(['a', 'half', 'after a rotation']);
});

test('a line of the log is put into words, and made safe', () => {
  const text = (line: string) => logText(line, testNow).replace(/^\d\d:\d\d:\d\d/, 'TIME');
  const entry = {
    level: 40,
    time: testNow,
    pid: 1,
    hostname: 'h',
    msg: 'odd\u001b',
    port: 8420,
    err: { message: 'why' },
  };
  expect(text(JSON.stringify(entry))).toBe('TIME  warn   odd␛  port=8420  err=why');
  expect(text(JSON.stringify({ level: 30, time: '2025-01-02T12:00:00.000Z', msg: 'up' }))).toBe(
    'TIME  info   up',
  );
  expect(text('Error: not JSON\u0007')).toBe('Error: not JSON␇');
  expect(text('null')).toBe('null');
});

test('sm logs without a log says so', async () => {
  const io = testIo({ env: { SM_HOME: home } });
  expect(await run(['logs'], io)).toBe(1);
  expect(io.printed.err).toContain('Start it with: sm up');
});
