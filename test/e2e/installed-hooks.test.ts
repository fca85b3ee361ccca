// `sm hooks` from the command line, and what the daemon and the doctor make of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';

let daemon: TestDaemon;
let settings: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  settings = join(daemon.home, '..', 'home', '.claude', 'settings.json');
});
afterAll(() => daemon.dispose());

const status = async () =>
  JSON.parse((await daemon.sm('hooks', 'status', '--json')).stdout) as Record<string, unknown> & {
    hooks: { event: string; state: string }[];
  };

it('installs, says so, and takes back', async () => {
  expect(await status()).toMatchObject({
    settings,
    state: 'absent',
    status_line: 'missing',
    programs: 'missing',
  });
  expect(await daemon.sm('hooks', 'install')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Installed the hooks of sm in /),
  });
  const installed = await status();
  expect(installed).toMatchObject({ state: 'installed', status_line: 'current', programs: 'current' });
  expect(new Set(installed.hooks.map(({ state }) => state))).toEqual(new Set(['current']));
  expect((await daemon.sm('hooks', 'install')).stdout).toMatch(/^The hooks of sm are already in /);
  expect((await daemon.sm('hooks', 'status')).stdout).toMatch(/: installed\n {2}SessionStart +current\n/);
  expect((await daemon.sm('hooks', 'uninstall')).stdout).toMatch(/^Removed the hooks of sm from /);
  expect((await daemon.sm('hooks', 'uninstall')).stdout).toMatch(/^No hooks of sm in /);
  expect(existsSync(settings)).toBe(false);
});

it('names a file that it cannot change, with the line', async () => {
  const broken = '{\n  // mine\n}\n';
  mkdirSync(join(settings, '..'), { recursive: true });
  writeFileSync(settings, broken);
  for (const action of ['install', 'status', 'uninstall']) {
    const { code, stderr } = await daemon.sm('hooks', action);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`Error: ${settings}:2: JSON allows no comments`),
    ]);
  }
  expect(readFileSync(settings, 'utf8')).toBe(broken);
  expect((await daemon.sm('doctor')).stdout).toMatch(
    /^warn user settings +.*settings\.json:2: JSON allows no comments/m,
  );
});

it('keeps its programs up to date with the package: at the next start of the daemon', async () => {
  writeFileSync(settings, '{}');
  await daemon.sm('hooks', 'install');
  writeFileSync(join(daemon.home, 'hooks', 'hook.sh'), '# of an older version\n');
  expect(await status()).toMatchObject({ state: 'stale', programs: 'stale' });
  expect((await daemon.sm('doctor')).stdout).toMatch(/^warn user settings[^\n]*\n +→ sm hooks install/m);
  await daemon.crash();
  await daemon.start();
  expect(await status()).toMatchObject({ state: 'installed', programs: 'current' });
  await daemon.sm('hooks', 'uninstall');
  expect(readFileSync(settings, 'utf8')).toBe('{}');
});
