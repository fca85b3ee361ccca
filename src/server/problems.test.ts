import { expect, it } from 'vitest';
import { type Route, type RouteName, routes } from '../protocol/routes.ts';
import { problems } from './problems.ts';

const problemOf = (name: RouteName, values: unknown): string => {
  const { body, query }: Route = routes[name];
  const { error } = (body ?? query ?? expect.fail()).safeParse(values);
  return problems(error?.issues ?? [], 'json', values);
};

it.each<[RouteName, unknown, string]>([
  ['PATCH /sessions/{ref}', { friendly_name: '  ' }, 'friendly_name: is empty'],
  ['PATCH /sessions/{ref}', { friendly_name: 'x'.repeat(65) }, 'friendly_name: is longer than 64 characters'],
  ['PATCH /sessions/{ref}', {}, 'friendly_name: is missing'],
  ['PATCH /sessions/{ref}', [], 'json: must be an object'],
  ['POST /sessions/{ref}/agent-status', { text: '' }, 'text: is empty'],
  ['PUT /sessions/{ref}/task', { task: 3 }, 'task: must be text'],
  ['GET /sessions/{ref}/output', { lines: '0' }, 'lines: must be at least 1'],
  ['GET /sessions/{ref}/output', { lines: 'x' }, 'lines: must be a number'],
  ['GET /sessions/{ref}/output', { lines: '1.5' }, 'lines: must be a whole number'],
  ['GET /sessions/{ref}/output', { lines: '20001' }, 'lines: must be at most 20000'],
  ['POST /sessions/{ref}/context-monitor', { enabled: 'no' }, 'enabled: must be true or false'],
  [
    'POST /sessions/{ref}/input',
    { text: 'x', delivery_mode: 'soon' },
    'delivery_mode: must be sequential, important or urgent',
  ],
  ['POST /sessions/{ref}/input', { text: 'x', timeout_seconds: 0 }, 'timeout_seconds: must be more than 0'],
  ['GET /workspace', { path: 'here' }, 'path: must begin with /'],
  ['GET /sessions/{ref}/context', { since: 'noon' }, 'since: must be a time, such as 2025-01-31T12:00:00Z'],
  ['POST /reviews', { target: { of: 'all' } }, 'target.of: must be uncommitted, base, commit or custom'],
  [
    'POST /reviews',
    { target: { of: 'base', branch: '-x' } },
    'target.branch: must have no spaces and must not start with a dash',
  ],
  ['POST /sessions', { working_dir: '/', env: { 'A=B': 'x' } }, 'env.A=B: is not a valid variable name'],
  ['POST /sessions', { working_dir: '/', env: { A: 'a\0b' } }, 'env.A: has a NUL character'],
  ['GET /sessions', { retired: 'perhaps' }, 'retired: must be true or false'],
])('what is wrong is told in plain words: %#', (name, values, told) => {
  expect(problemOf(name, values)).toBe(told);
});
