import { expect, it } from 'vitest';
import { claudeEdits } from './edits.ts';

const hook = (tool_name: string, tool_input: object, cwd?: string) =>
  claudeEdits.file({ hook_event_name: 'PreToolUse', tool_name, tool_input, cwd });

it('the file that is about to be edited is known of every tool that edits one', () => {
  for (const tool of ['Edit', 'Write', 'MultiEdit'])
    expect(hook(tool, { file_path: '/repo/a.ts' })).toBe('/repo/a.ts');
  expect(hook('NotebookEdit', { notebook_path: '/repo/a.ipynb' })).toBe('/repo/a.ipynb');
  expect(hook('Edit', { file_path: 'src/a.ts' }, '/repo')).toBe('/repo/src/a.ts');
});

it('of anything else none is', () => {
  expect(hook('Bash', { command: 'rm a.ts', file_path: '/repo/a.ts' })).toBeNull();
  expect(hook('Edit', {})).toBeNull();
  expect(hook('Edit', { file_path: 7 })).toBeNull();
  expect(hook('Edit', { file_path: 'a.ts' })).toBeNull();
  expect(claudeEdits.file({ tool_name: 'Edit', tool_input: null })).toBeNull();
});
