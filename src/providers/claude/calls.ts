// Claude Code's calls of its tools, which its hooks tell and can stop.
import type { ToldCall } from '../../domain/policy/call.ts';
import { callHook } from '../common-hooks.ts';
import { text, textsIn } from '../values.ts';

/** The tools that change a file. What a shell command changes, nobody can tell beforehand. */
export const editTools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
const readTools = ['Read', 'NotebookRead', 'LS', 'Grep'];

export const claudeCalls = callHook(deedOf);

function deedOf(tool: string, input: Record<string, unknown>): ToldCall['does'] {
  const command = text(input.command);
  const url = text(input.url);
  if (tool === 'Bash' && command !== null) return { is: 'command', command };
  if (tool === 'WebFetch' && url !== null) return { is: 'fetch', url };
  const path = text(input.file_path) ?? text(input.notebook_path) ?? text(input.path);
  if (editTools.includes(tool)) return { is: 'edit', paths: path === null ? [] : [path] };
  // A search without a path is one in the directory that the agent is in.
  if (readTools.includes(tool)) return { is: 'read', paths: [path ?? '.'] };
  return { is: 'other', texts: textsIn(input) };
}
