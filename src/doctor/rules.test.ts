import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { resolvePaths } from '../daemon/paths.ts';
import { checkConfig } from './state.ts';

it('a file of rules that keeps the daemon from starting is found, with its line', () => {
  const root = mkdtempSync(join(tmpdir(), 'sm-doctor-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const paths = resolvePaths({ SM_HOME: root, SM_CONFIG: join(root, 'config.yaml') }, root);
  writeFileSync(paths.config, '');
  expect(checkConfig(paths).finding).toMatchObject({ state: 'ok', found: paths.config });
  writeFileSync(paths.policies, 'policies:\n  - id: a\n');
  expect(checkConfig(paths).finding).toMatchObject({
    state: 'fail',
    found: expect.stringContaining('policies.yaml:2: policies.0: write either allow or deny'),
    repair: expect.stringContaining('policies.yaml'),
  });
});
