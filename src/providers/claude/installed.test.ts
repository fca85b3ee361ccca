import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { installedHooks, installedStatusLine, isInstalled, userCommandIn } from './installed.ts';
import { userStatusLine } from './settings.ts';

test("the user's own status line is found in ours, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '\\', '\n', ' ', 'a', '"', '$') }), (command) => {
      const ours = installedStatusLine('/state/hooks', command);
      expect(isInstalled(ours)).toBe(true);
      expect(userCommandIn(ours)).toBe(command);
    }),
  );
  expect(userCommandIn(installedStatusLine('/state/hooks', null))).toBeNull();
});

test('what is ours is known by what it says', () => {
  for (const { hooks } of installedHooks('/x', 0).values()) expect(isInstalled(hooks[0].command)).toBe(true);
  for (const other of ['sh /state/hooks/hook.sh', '', undefined, 7]) expect(isInstalled(other)).toBe(false);
});

test('a session of ours shows the status line that the user has, not the one that we installed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'sm-line-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'work'));
  const write = (command: string) =>
    writeFileSync(join(root, 'settings.json'), JSON.stringify({ statusLine: { type: 'command', command } }));
  for (const own of ['date', "echo 'it'", null]) {
    write(installedStatusLine('/state/hooks', own));
    expect(await userStatusLine(root, join(root, 'work'))).toBe(own);
  }
});
