import { expect, test } from 'vitest';
import { callerKeys } from './caller-keys.ts';

const keys = callerKeys('secret');
const key = keys.of('35c21191');

test('a key names its session, and says nothing of the secret', () => {
  expect(key).toMatch(/^35c21191\.[0-9a-f]{64}$/);
  for (let times = 0; times < 2; times += 1) expect(keys.owner(key)).toBe('35c21191');
});

test('the same session has the same key after a restart, and another under another secret', () => {
  expect(callerKeys('secret').of('35c21191')).toBe(key);
  expect(callerKeys('other').owner(key)).toBeNull();
});

test.each([
  ['nothing', ''],
  ['an id alone', '35c21191'],
  ['an id and a dot', '35c21191.'],
  ['the digest alone', key.slice(8)],
  ['the digest of another', key.replace('35c21191', '340d0709')],
  ['half a digest', key.slice(0, -2)],
  ['more than a digest', `${key}00`],
  ['a digest with something else behind it', `${key}zz`],
  ['two keys', `${key}, ${key}`],
])('%s is no key', (_, given) => {
  expect(keys.owner(given)).toBeNull();
});

test('more keys than are remembered are still known', () => {
  for (let n = 0; n < 2_500; n += 1) expect(keys.owner(keys.of(`s${n}`))).toBe(`s${n}`);
  expect(keys.owner(key)).toBe('35c21191');
});
