import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { configVariable, faultOfHome, resolvePaths } from './paths.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-paths-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const paths = (env: Record<string, string>) => resolvePaths({ SM_HOME: folder, ...env }, '/dist');

test('agents are told of a configuration that is there, or that was named', () => {
  const usual = { XDG_CONFIG_HOME: folder };
  expect(configVariable(paths(usual))).toEqual({});
  mkdirSync(join(folder, 'sm'));
  writeFileSync(join(folder, 'sm', 'config.yaml'), '');
  expect(configVariable(paths(usual))).toEqual({ SM_CONFIG: join(folder, 'sm', 'config.yaml') });
  expect(configVariable(paths({ SM_CONFIG: '/nowhere' }))).toEqual({ SM_CONFIG: '/nowhere' });
});

test('a configuration that was named has to be there, the usual one not', () => {
  expect(readConfig(paths({ XDG_CONFIG_HOME: folder }))).toMatchObject({ server: { port: 8420 } });
  expect(() => readConfig(paths({ SM_CONFIG: '/nowhere/x.yaml' }))).toThrow(
    'SM_CONFIG points to /nowhere/x.yaml, which does not exist.',
  );
});

test('a state directory that is not there yet can be used', () => {
  expect(faultOfHome(paths({ SM_HOME: join(folder, 'a', 'b') }))).toBeNull();
  expect(faultOfHome(paths({ SM_HOME: join(folder, 'x'.repeat(100)) }))?.what).toContain('too long');
});
