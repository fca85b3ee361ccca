import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resolvePaths } from '../daemon/paths.ts';
import { type Entry, writeLedger } from '../ledger/ledger.ts';
import { checkSetup } from './setup.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sm-doctor-setup-'));
  writeFileSync(join(home, 'package.json'), '{"version":"2.0.0"}');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const paths = () => resolvePaths({ SM_HOME: join(home, 'state') }, join(home, 'dist'));
const entry = (): Entry => ({
  part: 'completion',
  did: 'wrote',
  path: join(home, 'file'),
  hashes: [],
  copy: null,
  folders: [],
});
function check(version: string, entries: Entry[]) {
  writeLedger(paths().ledger, { version, entries });
  return checkSetup({ paths: paths() });
}

it('is content where nothing was set up, and with what this sm has set up', () => {
  expect(check('2.0.0', []).state).toBe('ok');
  writeFileSync(join(home, 'file'), '');
  expect(check('2.0.0', [entry()])).toMatchObject({
    state: 'ok',
    found: 'completion; to take it back: sm uninstall',
  });
});

it('names what is gone, and what an older sm has set up, and does it again', () => {
  expect(check('2.0.0', [entry()])).toMatchObject({
    state: 'warn',
    found: `${join(home, 'file')} is gone`,
    repair: 'sm setup completion --yes',
    fix: expect.any(Function),
  });
  writeFileSync(join(home, 'file'), '');
  expect(check('1.0.0', [entry()])).toMatchObject({
    state: 'warn',
    found: 'made by sm 1.0.0; this is 2.0.0',
  });
});

it('says so when the ledger cannot be read', () => {
  check('2.0.0', [entry()]);
  writeFileSync(paths().ledger, '{');
  expect(checkSetup({ paths: paths() })).toMatchObject({
    state: 'warn',
    found: expect.stringContaining('damaged'),
  });
});
