import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from './logging.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the log', () => {
  it('is JSON lines that only the owner can read', () => {
    const file = join(folder, 'daemon.log');
    openLog(file).warn({ session: 's1' }, 'something odd');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ session: 's1', msg: 'something odd' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is turned over when it has grown too large, and old ones are let go', () => {
    const log = openLog(join(folder, 'daemon.log'));
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 30; i += 1) log.info({ i, megabyte }, 'a long line');
    expect(readdirSync(folder).sort()).toEqual([
      'daemon.log',
      'daemon.log.1',
      'daemon.log.2',
      'daemon.log.3',
    ]);
    for (const name of readdirSync(folder))
      expect(statSync(join(folder, name)).size).toBeLessThan(8 * 1024 * 1024);
    expect(readFileSync(join(folder, 'daemon.log'), 'utf8')).toContain('"i":29');
  });

  it('that cannot be written does not take the program along', () => {
    const log = openLog(join(folder, 'not', 'there', 'daemon.log'));
    expect(() => log.error({}, 'nobody reads this')).not.toThrow();
  });
});
