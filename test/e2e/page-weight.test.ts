// What a browser loads before it shows the sessions. More belongs into a part that is loaded when it is opened.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

it('the first look at the page weighs at most 30 KB', () => {
  const folder = join(import.meta.dirname, '../../dist/web');
  const page = readFileSync(join(folder, 'index.html'));
  const files = [...page.toString().matchAll(/\/assets\/[^"]+/g)].map(([file]) =>
    readFileSync(join(folder, file)),
  );
  expect(files.length).toBeGreaterThan(1);
  const weight = [page, ...files].reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(weight / 1024).toBeLessThan(30);
});
