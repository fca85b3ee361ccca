// Codex's calls of its tools, as its hooks tell them.
import type { ToldCall } from '../../domain/policy/call.ts';
import { callHook } from '../common-hooks.ts';
import { text, textsIn } from '../values.ts';

/** The tool that changes files. */
export const patchTool = 'apply_patch';

export const codexCalls = callHook(deedOf);

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
