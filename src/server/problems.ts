// What is wrong with a request, in words for whoever sent it: `friendly_name: is empty; env: is missing`.
import type { z } from '@hono/zod-openapi';

type Issue = z.core.$ZodIssue;

/** `where`: the part of the request that the values are of. */
export const problems = (issues: readonly Issue[], where: string, values: unknown): string =>
  issues.map((issue) => `${issue.path.join('.') || where}: ${problem(issue, values)}`).join('; ');

function problem(issue: Issue, values: unknown): string {
  if (valueAt(values, issue.path) === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${types[issue.expected] ?? issue.expected}`;
    case 'too_small':
      if (issue.origin === 'string') return 'is empty';
      return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `is longer than ${issue.maximum} characters`;
      return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_value':
      // Of the words that a query may use for it, two are enough.
      return 'expected' in issue ? 'must be true or false' : mustBeOneOf(issue.values);
    case 'invalid_union':
      return 'options' in issue && issue.options ? mustBeOneOf(issue.options) : 'is not valid';
    case 'invalid_format':
      if (issue.format === 'starts_with') return `must begin with ${(issue as { prefix?: string }).prefix}`;
      if (issue.format === 'datetime') return 'must be a time, such as 2025-01-31T12:00:00Z';
      return issue.message;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    default:
      return issue.message;
  }
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null)?.[key], values);
}

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

function mustBeOneOf(values: readonly unknown[]): string {
  const words = values.map(String);
  return words.length < 2
    ? `must be ${words[0]}`
    : `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
