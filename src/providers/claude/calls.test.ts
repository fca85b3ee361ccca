import { expect, it } from 'vitest';
import { claudeCalls } from './calls.ts';

const deed = (tool_name: string, tool_input: unknown) =>
  claudeCalls.read({ hook_event_name: 'PreToolUse', tool_name, tool_input, cwd: '/repo' })?.does;

it('the file that is about to be edited is known of every tool that edits one', () => {
  for (const tool of ['Edit', 'Write', 'MultiEdit'])
    expect(deed(tool, { file_path: '/repo/a.ts' })).toEqual({ is: 'edit', paths: ['/repo/a.ts'] });
  expect(deed('NotebookEdit', { notebook_path: 'a.ipynb' })).toEqual({ is: 'edit', paths: ['a.ipynb'] });
  for (const nothing of [{}, { file_path: 7 }, null])
    expect(deed('Edit', nothing)).toEqual({ is: 'edit', paths: [] });
});

it('so is what is read, run and fetched', () => {
  expect(deed('Read', { file_path: '/a' })).toEqual({ is: 'read', paths: ['/a'] });
  expect(deed('Grep', { pattern: 'x' })).toEqual({ is: 'read', paths: ['.'] });
  expect(deed('Bash', { command: 'npm test', file_path: '/a' })).toEqual({
    is: 'command',
    command: 'npm test',
  });
  expect(deed('WebFetch', { url: 'https://a.org', prompt: 'x' })).toEqual({
    is: 'fetch',
    url: 'https://a.org',
  });
});

it('of any other tool all texts are known', () => {
  const input = { repo: 'acme/site', labels: ['a', { b: 'c' }], n: 7, none: null };
  expect(deed('mcp__github__create', input)).toEqual({ is: 'other', texts: ['acme/site', 'a', 'c'] });
  // One whose input is not what it should be is not taken for what it should be.
  expect(deed('Bash', { command: 7 })).toEqual({ is: 'other', texts: [] });
  expect(claudeCalls.read({ hook_event_name: 'Stop' })).toBeNull();
});
