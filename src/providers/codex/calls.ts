// Codex's calls of its tools, as its hooks tell them.
import type { ToldCall } from '../../domain/policy/call.ts';
import type { CallHook } from '../../ports/provider.ts';
import { denyCall } from '../common-hooks.ts';
import { record, text, textsIn } from '../values.ts';

/** The tool that changes files. */
export const patchTool = 'apply_patch';

export const codexCalls: CallHook = {
  read({ tool_name, tool_input, cwd }) {
    const tool = text(tool_name);
    return tool === null ? null : { tool, does: deedOf(tool, record(tool_input)), cwd: text(cwd) };
  },
  deny: denyCall,
};

function deedOf(tool: string, input: Record<string, unknown>): ToldCall['does'] {
  const command = text(input.command);
  if (tool === 'Bash' && command !== null) return { is: 'command', command };
  if (tool === patchTool) return { is: 'edit', paths: filesIn(command ?? '') };
  return { is: 'other', texts: textsIn(input) };
}

/** The files that a patch of Codex's changes. */
export function filesIn(patch: string): string[] {
  const heading = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm;
  return [...patch.matchAll(heading)].map(([, path]) => path as string);
}
