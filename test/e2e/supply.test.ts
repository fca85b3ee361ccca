// What is refused of what the package is made of. Whether it is well now says `npm run supply`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error a script, without types
import { componentsOf, faultsIn, refused } from '../../scripts/supply.mjs';

const of = (license: string | null) => refused([{ name: 'x', version: '1.0.0', license }]);

it('a licence is on the list, or its component is refused', () => {
  expect(of('MIT')).toEqual([]);
  expect(of('(GPL-3.0 OR MIT)')).toEqual([]);
  expect(of('MIT AND ISC')).toEqual([]);
  expect(of('MIT AND GPL-3.0')).toEqual(['x 1.0.0 is under MIT AND GPL-3.0, which is not on the list']);
  expect(of('MPL-2.0')).toHaveLength(1);
  expect(of(null)).toEqual(['x 1.0.0 says nothing of its licence']);
});

it('every component of the package is known, and none is refused', () => {
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'));
  const components = componentsOf(lock);
  expect(components.map(({ name }: { name: string }) => name)).toContain('@photostructure/sqlite');
  expect(components.map(({ name }: { name: string }) => name)).not.toContain('vitest');
  expect(refused(components)).toEqual([]);
});

it('a registry that does not answer is told apart from one that knows of no fault', () => {
  expect(faultsIn({ message: '405 Method Not Allowed' })).toEqual({
    asked: false,
    why: '405 Method Not Allowed',
  });
  expect(faultsIn({ vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } })).toEqual({
    asked: true,
    faults: [],
  });
  const bad = { x: { name: 'x', severity: 'high', range: '<2' } };
  expect(faultsIn({ vulnerabilities: bad, metadata: { vulnerabilities: { total: 1 } } })).toEqual({
    asked: true,
    faults: ['x <2: high'],
  });
});
