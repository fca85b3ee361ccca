import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { session, standInDaemon } from '../../../test/support/stand-in-daemon.ts';
import { compareVersions, versionNotice } from './versions.ts';

test.each([
  ['0.1.0', '0.2.0'],
  ['0.9.0', '0.10.0'],
  ['1.2', '1.2.1'],
  ['1.0.0-rc.1', '1.0.0'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['0.9.9', '1.0.0-rc.1'],
])('%s is older than %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
  expect(compareVersions(older, older)).toBe(0);
});

describe('of a daemon of another version', () => {
  it.each([
    ['0.1.0', 'sm 0.2.0 talks to an older daemon (0.1.0); run: sm up'],
    ['0.3.0', 'sm 0.2.0 talks to a newer daemon (0.3.0); update sm'],
    [undefined, 'sm 0.2.0 talks to an older daemon; run: sm up'],
    ['0.2.0', null],
  ])('%s it says: %s', (daemon, said) => {
    expect(versionNotice('0.2.0', daemon)).toBe(said);
    expect(versionNotice(null, daemon)).toBeNull();
  });

  it('is said once in a command, beside what it prints', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sm-versions-'));
    writeFileSync(join(folder, 'package.json'), '{"version":"0.2.0"}');
    const programDir = join(folder, 'dist');
    const killed = { 'GET /sessions/a': session({ id: 'a' }), 'POST /sessions/a/kill': {} };
    const daemon = await standInDaemon({ 'GET /sessions?fleet=true': { sessions: [] }, ...killed }, '0.1.0');
    const { code, io } = await daemon.sm(['kill', 'a', 'a'], { programDir });
    expect(code).toBe(0);
    expect(daemon.calls).toHaveLength(4);
    expect(io.printed.err).toBe('sm 0.2.0 talks to an older daemon (0.1.0); run: sm up\n');
    const json = await daemon.sm(['all', '--json'], { programDir });
    expect(JSON.parse(json.io.printed.out)).toEqual({ sessions: [] });
    expect(json.io.printed.err).toBe(io.printed.err);
    await daemon.close();
    rmSync(folder, { recursive: true });
  });
});
