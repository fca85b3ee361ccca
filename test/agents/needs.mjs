// Which agents a test needs: those whose programs it, or a file that it imports, takes from the environment.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The names of variables, `SM_TEST_CLAUDE`. */
export function neededBy(files) {
  const read = new Set();
  const found = new Set();
  for (const rest = [...files]; rest.length > 0; ) {
    const file = rest.pop();
    if (read.has(file)) continue;
    read.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [name] of text.matchAll(/SM_TEST_[A-Z_]+/g)) found.add(name);
    for (const [, path] of text.matchAll(/ from '(\.\.?\/[^']+\.ts)'/g))
      rest.push(resolve(dirname(file), path));
  }
  return found;
}
