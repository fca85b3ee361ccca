import { expect, it } from 'vitest';
import { routes } from '../protocol/routes.ts';
import { powerFor } from './allowed.ts';

it.each([
  ['GET', '/sessions/35c21191', 'look'],
  ['GET', '/sessions/35c21191/screen', 'look'],
  ['POST', '/sessions/35c21191/input', 'send'],
  ['POST', '/sessions/spawn', 'spawn'],
  ['DELETE', '/sessions/35c21191', 'kill'],
  ['POST', '/sessions/35c21191/answer', 'answer'],
  ['POST', '/sessions/35c21191/typing', 'attach'],
  ['POST', '/devices', null],
  ['GET', '/devices', null],
  ['POST', '/hooks/claude', null],
  ['POST', '/sessions/35c21191/kill/more', null],
])('%s %s takes %s', (method, path, power) => {
  expect(powerFor(method, path)).toBe(power);
});

it('nothing can be asked for from elsewhere that is not about sessions, their messages or their events', () => {
  const reachable = Object.keys(routes).filter((name) => {
    const [method = '', path = ''] = name.split(' ');
    return powerFor(method, path.replace(/\{\w+\}/g, 'x')) !== null;
  });
  expect(reachable.filter((name) => !/ \/(sessions|messages|events)/.test(name))).toEqual([]);
});
