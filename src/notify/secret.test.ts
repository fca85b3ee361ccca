import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readSecret } from './secret.ts';

function file(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), 'sm-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'token');
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

it('is what the file or the variable holds', () => {
  expect(readSecret({ file: file('abc\n') }, {})).toBe('abc');
  expect(readSecret({ variable: 'SM_T' }, { SM_T: 'abc' })).toBe('abc');
});

it('is refused from a file that others can read', () => {
  const open = file('abc', 0o640);
  expect(() => readSecret({ file: open }, {})).toThrow(`others can read ${open}: chmod 600 ${open}`);
});

it('that is missing or no single word is named by its place, never by what it holds', () => {
  expect(() => readSecret({ file: '/no/such' }, {})).toThrow('/no/such is not there');
  expect(() => readSecret({ variable: 'SM_T' }, {})).toThrow('the daemon was started without SM_T');
  const two = file('s3cret and more');
  expect(() => readSecret({ file: two }, {})).toThrow(`${two} must hold one word, and nothing else`);
});
