// Claude Code's edits, which its PreToolUse hook can stop.
import { isAbsolute, resolve } from 'node:path';
import type { EditHook } from '../../ports/provider.ts';

/** The tools that change a file. What a shell command changes, nobody can tell beforehand. */
export const editTools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];

export const claudeEdits: EditHook = {
  file({ tool_name: tool, tool_input: input, cwd }) {
    if (typeof tool !== 'string' || !editTools.includes(tool)) return null;
    const { file_path, notebook_path } = (input ?? {}) as Record<string, unknown>;
    const path = file_path ?? notebook_path;
    if (typeof path !== 'string' || path === '') return null;
    if (isAbsolute(path)) return path;
    return typeof cwd === 'string' && isAbsolute(cwd) ? resolve(cwd, path) : null;
  },
  deny: (reason) =>
    JSON.stringify({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: reason,
      },
    }),
};
