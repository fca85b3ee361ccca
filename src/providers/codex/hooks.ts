// Codex's hooks: only those that tell what its rollout file does not, or tells later.
import type { Fact } from '../../domain/core/fact.ts';
import type { HookInput } from '../../ports/provider.ts';
import { commonHookFact } from '../common-hooks.ts';
import { present, record, text } from '../values.ts';

/** A Stop is not the end: a hook of the user's may make the turn go on. But it has the last words, whatever the file says. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'Stop',
  'PreCompact',
  'PostCompact',
] as const;

export const codexHookFacts = (hook: HookInput): Fact[] => present(hookFact(hook));

function hookFact(hook: HookInput): Fact | null {
  const providerId = text(hook.session_id);
  if (providerId === null) return null;
  // Agents inside the agent speak under its own id, and have turns of their own; only what they ask stops it.
  const inner = text(hook.agent_id) !== null;
  if (inner && hook.hook_event_name !== 'PermissionRequest') return null;
  const turnId = inner ? null : text(hook.turn_id);
  switch (hook.hook_event_name) {
    case 'PermissionRequest':
      return { is: 'permission-asked', providerId, turnId, subject: subjectOf(hook), text: questionOf(hook) };
    case 'Stop':
      if (turnId === null) return null;
      return { is: 'turn-closing', providerId, turnId, lastWords: text(hook.last_assistant_message) };
    default:
      return commonHookFact(hook, providerId, turnId);
  }
}

/** The command that is asked about; the rollout names it when it has run. */
function subjectOf(hook: HookInput): string | null {
  const input = record(hook.tool_input);
  return text(input.command) ?? text(hook.tool_name);
}

function questionOf(hook: HookInput): string {
  const input = record(hook.tool_input);
  const what = text(input.command) ?? JSON.stringify(hook.tool_input ?? {});
  const why = text(input.description);
  return `${text(hook.tool_name) ?? 'a tool'}: ${what}${why ? `\n${why}` : ''}`;
}
