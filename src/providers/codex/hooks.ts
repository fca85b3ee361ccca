// Codex's hooks: only those that tell what its rollout file does not, or tells later.
import type { Fact } from '../../domain/fact.ts';
import type { StartSource } from '../../domain/session.ts';
import type { HookInput } from '../../ports/provider.ts';

/** Ends of turns are not among them: a Stop hook of the user's may make a turn go on, and a cut turn has no Stop. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'PermissionRequest',
  'PreCompact',
  'PostCompact',
] as const;

export function codexHookFacts(hook: HookInput): Fact[] {
  const fact = hookFact(hook);
  return fact ? [fact] : [];
}

function hookFact(hook: HookInput): Fact | null {
  const providerId = text(hook.session_id);
  if (providerId === null) return null;
  // Agents inside the agent speak under its own id, and have turns of their own; only what they ask stops it.
  const inner = text(hook.agent_id) !== null;
  if (inner && hook.hook_event_name !== 'PermissionRequest') return null;
  const turnId = inner ? null : text(hook.turn_id);
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
    case 'PermissionRequest':
      return { is: 'permission-asked', providerId, turnId, subject: subjectOf(hook), text: questionOf(hook) };
    case 'PreCompact':
      return { is: 'compaction-began', providerId, trigger: text(hook.trigger) ?? 'unknown' };
    case 'PostCompact':
      return { is: 'compaction-ended', providerId };
    default:
      return null;
  }
}

function startSource(value: unknown): StartSource {
  return value === 'resume' || value === 'clear' || value === 'compact' ? value : 'startup';
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

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
