// Claude Code's hooks: which ones we ask for, and what each says in our words.
import type { Fact } from '../../domain/core/fact.ts';
import type { HookInput } from '../../ports/provider.ts';
import { commonHookFact } from '../common-hooks.ts';
import { limitWindow } from '../limits.ts';
import { list, number, present, record, text } from '../values.ts';

/** Every hook costs the agent some milliseconds, so only those are asked for that tell what nothing else tells. */
export const hookEvents = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Stop',
  'StopFailure',
  'PreCompact',
  'PostCompact',
] as const;

export const claudeHookFacts = (hook: HookInput): Fact[] => present(hookFact(hook));

function hookFact(hook: HookInput): Fact | null {
  const providerId = text(hook.session_id);
  if (providerId === null) return null;
  const turnId = text(hook.prompt_id);
  switch (hook.hook_event_name) {
    case 'SessionEnd':
      return { is: 'context-ended', providerId, reason: text(hook.reason) ?? 'unknown' };
    case 'PreToolUse':
    case 'PostToolUseFailure':
      return { is: 'activity', providerId, turnId, subject: subjectOf(hook) };
    case 'PostToolUse':
      return { is: 'activity', providerId, turnId, subject: subjectOf(hook), ran: true };
    case 'PermissionRequest':
      return { is: 'permission-asked', providerId, turnId, subject: subjectOf(hook), text: questionOf(hook) };
    case 'Stop':
      return {
        is: 'turn-ended',
        end: 'ended',
        providerId,
        turnId,
        lastWords: text(hook.last_assistant_message),
        stillRuns: list(hook.background_tasks).length,
      };
    case 'StopFailure':
      return {
        is: 'turn-ended',
        end: 'failed',
        providerId,
        turnId,
        lastWords: errorOf(hook),
        ...limitIn(hook),
      };
    default:
      return commonHookFact(hook, providerId, turnId);
  }
}

/** The status line's JSON, which is the agent's own account of its context. */
export function claudeStatusFacts(status: HookInput): Fact[] {
  const providerId = text(status.session_id);
  if (providerId === null) return [];
  const window = record(status.context_window);
  const model = record(status.model);
  const usage = {
    percentage: number(window.used_percentage),
    tokens: number(window.total_input_tokens),
    windowSize: number(window.context_window_size),
    model: text(model.display_name) ?? text(model.id),
    costUsd: number(record(status.cost).total_cost_usd),
  };
  const agentVersion = text(status.version);
  const windows = Object.entries(record(status.rate_limits)).flatMap(([name, told]) =>
    limitWindow(windowNames.get(name) ?? name, record(told).used_percentage, record(told).resets_at),
  );
  return [
    { is: 'usage', providerId, usage, ...(agentVersion !== null && { agentVersion }) },
    ...(windows.length > 0 ? [{ is: 'limits' as const, windows }] : []),
  ];
}

export const windowNames: ReadonlyMap<string, string> = new Map([
  ['five_hour', '5h'],
  ['seven_day', 'week'],
]);

/** A server that is asked too fast refuses with the same error, but not with these words. When it resets is told elsewhere. */
function limitIn(hook: HookInput): { limit?: { resetsAt: null } } {
  return hook.error === 'rate_limit' && usedUp.test(errorOf(hook)) ? { limit: { resetsAt: null } } : {};
}

/** What it says when nothing is left: `You've hit your 5-hour limit · resets 6:55pm (UTC)`. */
export const usedUp = /\byou['’]ve (hit|reached) your\b.*\blimit\b/i;

function subjectOf(hook: HookInput): string | null {
  const tool = text(hook.tool_name);
  return tool === null ? null : `${tool} ${JSON.stringify(hook.tool_input ?? null)}`;
}

export function questionOf(hook: HookInput): string {
  const input = record(hook.tool_input);
  const what =
    text(input.command) ?? text(input.file_path) ?? text(input.url) ?? JSON.stringify(hook.tool_input ?? {});
  return `${text(hook.tool_name) ?? 'a tool'}: ${what}`;
}

function errorOf(hook: HookInput): string {
  return (
    text(hook.last_assistant_message) ??
    text(hook.error_details) ??
    text(hook.error) ??
    text(record(hook.error).message) ??
    'unknown error'
  );
}
