// Qwen Code's hooks, which have Claude Code's names and shapes, and what each says in our words.
import type { Fact } from '../../domain/core/fact.ts';
import type { ToldCall } from '../../domain/policy/call.ts';
import type { HookInput } from '../../ports/provider.ts';
import { hookGroup, quote } from '../claude/hook-programs.ts';
import { claudeHookFacts } from '../claude/hooks.ts';
import { callHook } from '../common-hooks.ts';
import { number, text, textsIn } from '../values.ts';

/** Only those that tell what its files do not. */
const told = [
  ...['SessionEnd', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure'],
  ...['Stop', 'StopFailure', 'PreCompact', 'PostCompact'],
];

export const editTools = ['edit', 'write_file', 'notebook_edit'];
const readTools = ['read_file', 'read_many_files', 'list_directory', 'grep_search', 'glob'];

/**
 * It waits for the hook of a question before it shows its dialog, so that this hook may not wait for a human: only a
 * rule answers by it.
 */
export function hookSettings(directory: string): object {
  // It has no time for a hook while it draws a long prompt, but the clock runs on.
  const timeout = 120;
  const run = (event: string, program: string) => [
    event,
    [hookGroup({ event, program, timeout }, `sh ${quote(directory)}/${program}`)],
  ];
  return Object.fromEntries([
    ...told.map((event) => run(event, 'hook.sh')),
    run('SessionStart', 'start.sh'),
    run('PermissionRequest', 'ask.sh 0'),
    run('PreToolUse', ['tool.sh', ...editTools].join(' ')),
  ]);
}

export function qwenHookFacts(hook: HookInput): Fact[] {
  // It says so after every batch of tools, and means nothing by it.
  if (hook.hook_event_name === 'UserPromptSubmit' && !text(hook.prompt)) return [];
  return [...usageIn(hook), ...claudeHookFacts(hook)];
}

/** What a hook or a request is about, in the same words: so a question finds its dialog. */
export const subjectOf = (tool: string, input: unknown): string => `${tool} ${JSON.stringify(input ?? null)}`;

function usageIn(hook: HookInput): Fact[] {
  const providerId = text(hook.session_id);
  const share = number(hook.context_usage);
  if (hook.hook_event_name !== 'Stop' || providerId === null || share === null) return [];
  const usage = {
    percentage: share * 100,
    tokens: number(hook.input_tokens),
    windowSize: number(hook.context_limit),
    model: null,
    costUsd: null,
  };
  return [{ is: 'usage', providerId, usage }];
}

export const qwenCalls = callHook(deedOf);

function deedOf(tool: string, input: Record<string, unknown>): ToldCall['does'] {
  const command = text(input.command);
  const url = text(input.url);
  if (tool === 'run_shell_command' && command !== null) return { is: 'command', command };
  if (tool === 'web_fetch' && url !== null) return { is: 'fetch', url };
  const path =
    text(input.file_path) ?? text(input.absolute_path) ?? text(input.notebook_path) ?? text(input.path);
  if (editTools.includes(tool)) return { is: 'edit', paths: path === null ? [] : [path] };
  if (readTools.includes(tool)) return { is: 'read', paths: [path ?? '.'] };
  return { is: 'other', texts: textsIn(input) };
}
