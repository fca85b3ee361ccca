import { expect, it } from 'vitest';
import { codexCalls } from './calls.ts';

const deed = (tool_name: string, tool_input: unknown) =>
  codexCalls.read({ tool_name, tool_input, cwd: '/repo' })?.does;

it('a command is known, and every file of a patch', () => {
  expect(deed('Bash', { command: 'npm test' })).toEqual({ is: 'command', command: 'npm test' });
  const command = `*** Begin Patch
*** Add File: src/new.ts
+*** Update File: not-this
*** Update File: a b.ts
*** Move to: /c.ts
@@
*** Delete File: d.ts
*** End Patch`;
  expect(deed('apply_patch', { command })).toEqual({
    is: 'edit',
    paths: ['src/new.ts', 'a b.ts', '/c.ts', 'd.ts'],
  });
  expect(deed('apply_patch', {})).toEqual({ is: 'edit', paths: [] });
  expect(deed('mcp__x', { a: 'b' })).toEqual({ is: 'other', texts: ['b'] });
});
