// What every part of the program works with: the one running agent.

import type { Options } from './args.ts';
import type { Asking } from './asking.ts';
import type { Faults } from './faults.ts';
import type { HookResult, Hooks } from './hooks.ts';
import type { Paths } from './paths.ts';
import type { Session } from './session.ts';
import type { View } from './view.ts';

export interface StatusLine {
  schedule(agent: Agent): void;
}

/** In percent, and when it resets, in seconds since 1970. */
export interface Account {
  readonly used: number;
  readonly resetsAt: number;
}

export interface Agent {
  readonly options: Options;
  readonly faults: Faults;
  readonly paths: Paths;
  readonly cwd: string;
  readonly hooks: Hooks;
  readonly view: View;
  readonly statusLine: StatusLine;
  /** Replaced by `/clear`. */
  session: Session;
  /** What it does at certain words, in all conversations to come: as if its instructions said so. */
  readonly habits: { readonly words: string; readonly command: string }[];
  /** What it is told of its account with each answer; null: nothing. */
  account: Account | null;
  /** SessionStart's hooks are done: the first prompt waits for it. */
  started: Promise<unknown>;
  /** The view has changed. */
  refresh(): void;
  ask: Asking['ask'];
  exit(code: number, reason: 'prompt_input_exit' | 'other'): Promise<never>;
}

const WITH_PERMISSION_MODE = new Set([
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'Stop',
  'SubagentStop',
]);

/** Fires an event's hooks with the fields that all events have, and keeps the context that they answer. */
export async function fire(
  agent: Agent,
  event: string,
  fields: Record<string, unknown> = {},
  subject = '',
): Promise<HookResult[]> {
  const { session, options } = agent;
  const results = await agent.hooks.fire(
    {
      session_id: session.id,
      transcript_path: session.transcript.path,
      cwd: agent.cwd,
      ...(session.promptId === null ? {} : { prompt_id: session.promptId }),
      ...(WITH_PERMISSION_MODE.has(event) ? { permission_mode: options.permissionMode } : {}),
      hook_event_name: event,
      ...fields,
    },
    subject,
  );
  for (const { answer } of results) {
    const context = answer.hookSpecificOutput?.additionalContext;
    if (!context) continue;
    session.context.push(context);
    session.transcript.add({
      type: 'attachment',
      attachment: { type: 'hook_additional_context', content: [context], hookName: event, hookEvent: event },
    });
  }
  return results;
}

/** Fires an event that nothing waits for. */
export function notify(agent: Agent, type: 'permission_prompt' | 'idle_prompt', message: string): void {
  void fire(agent, 'Notification', { message, notification_type: type }, type);
}

export function say(agent: Agent, kind: Agent['view']['log'][number]['kind'], text: string): void {
  agent.view.log.push({ kind, text });
  agent.refresh();
}
