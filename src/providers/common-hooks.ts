// The hooks that Claude Code and Codex have in common, field for field.
import type { Fact } from '../domain/core/fact.ts';
import type { StartSource } from '../domain/core/session.ts';
import type { ToldCall } from '../domain/policy/call.ts';
import type { CallHook, HookInput, StartContext } from '../ports/provider.ts';
import { record, text } from './values.ts';

/** The turn has another name in each of them, so it is for them to say. */
export function commonHookFact(hook: HookInput, providerId: string, turnId: string | null): Fact | null {
  const transcriptPath = text(hook.transcript_path);
  switch (hook.hook_event_name) {
    case 'SessionStart':
      return {
        is: 'agent-started',
        providerId,
        source: startSource(hook.source),
        transcriptPath,
        model: text(hook.model),
      };
    case 'UserPromptSubmit':
      return { is: 'prompt-submitted', providerId, turnId, text: text(hook.prompt) ?? '', transcriptPath };
    case 'PreCompact':
      return { is: 'compaction-began', providerId, trigger: text(hook.trigger) ?? 'unknown' };
    case 'PostCompact':
      return { is: 'compaction-ended', providerId };
    default:
      return null;
  }
}

/** Of what a hook says, Claude Code shows its model 10,000 characters; of more, only the first 2,000 or so. */
export const startContext: StartContext = {
  longest: 9_500,
  print: (words) =>
    JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: words } }),
};

function startSource(value: unknown): StartSource {
  return value === 'resume' || value === 'clear' || value === 'compact' ? value : 'startup';
}

/** What a PermissionRequest hook prints; the message is what the model is told as the result of its tool. */
export function hookAnswer({ decision, text }: { decision: 'allow' | 'deny'; text: string | null }): string {
  const verdict =
    decision === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: text ?? 'The user said no.' };
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: verdict } });
}

/** A call of one of the agent's tools; `deedOf`: what it would do. */
export const callHook = (
  deedOf: (tool: string, input: Record<string, unknown>) => ToldCall['does'],
): CallHook => ({
  read({ tool_name, tool_input, cwd }) {
    const tool = text(tool_name);
    return tool === null ? null : { tool, does: deedOf(tool, record(tool_input)), cwd: text(cwd) };
  },
  deny: denyCall,
});

/** What a PreToolUse hook prints to stop the call; the model is told the reason. */
const denyCall = (reason: string): string =>
  JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  });
