import type { z } from '@hono/zod-openapi';
import { expect, it } from 'vitest';
import * as schemas from '../protocol/request-schemas.ts';
import { problems } from './problems.ts';

const problemOf = (schema: z.ZodType, values: unknown): string => {
  const { error } = schema.safeParse(values);
  return problems(error?.issues ?? [], 'json', values);
};

it.each([
  [schemas.renameBody, { friendly_name: '  ' }, 'friendly_name: is empty'],
  [schemas.renameBody, { friendly_name: 'x'.repeat(65) }, 'friendly_name: is longer than 64 characters'],
  [schemas.renameBody, {}, 'friendly_name: is missing'],
  [schemas.renameBody, [], 'json: must be an object'],
  [schemas.statusBody, { text: '' }, 'text: is empty'],
  [schemas.taskBody, { task: 3 }, 'task: must be text'],
  [schemas.outputQuery, { lines: '0' }, 'lines: must be at least 1'],
  [schemas.outputQuery, { lines: 'x' }, 'lines: must be a number'],
  [schemas.outputQuery, { lines: '1.5' }, 'lines: must be a whole number'],
  [schemas.outputQuery, { lines: '20001' }, 'lines: must be at most 20000'],
  [schemas.monitorBody, { enabled: 'no' }, 'enabled: must be true or false'],
  [
    schemas.inputBody,
    { text: 'x', delivery_mode: 'soon' },
    'delivery_mode: must be sequential, important or urgent',
  ],
  [schemas.inputBody, { text: 'x', timeout_seconds: 0 }, 'timeout_seconds: must be more than 0'],
  [schemas.workspaceQuery, { path: 'here' }, 'path: must begin with /'],
  [schemas.curveQuery, { since: 'noon' }, 'since: must be a time, such as 2025-01-31T12:00:00Z'],
  [schemas.reviewBody, { target: { of: 'all' } }, 'target.of: must be uncommitted, base, commit or custom'],
  [
    schemas.reviewBody,
    { target: { of: 'base', branch: '-x' } },
    'target.branch: must have no spaces and must not start with a dash',
  ],
  [schemas.createBody, { working_dir: '/', env: { 'A=B': 'x' } }, 'env.A=B: is not a valid variable name'],
  [schemas.createBody, { working_dir: '/', env: { A: 'a\0b' } }, 'env.A: has a NUL character'],
  [schemas.listQuery, { retired: 'perhaps' }, 'retired: must be true or false'],
])('what is wrong is told in plain words: %#', (schema, values, told) => {
  expect(problemOf(schema, values)).toBe(told);
});
