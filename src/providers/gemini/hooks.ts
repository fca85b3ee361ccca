// Gemini CLI's hooks. None names a turn: its transcript does, and says how one has ended before the hook is called.
import type { Fact } from '../../domain/core/fact.ts';
import type { HookInput } from '../../ports/provider.ts';
import { commonHookFact } from '../common-hooks.ts';
import { present, record, text } from '../values.ts';

/** In milliseconds. */
const limit = 10_000;

const programs = {
  SessionStart: 'start.sh',
  SessionEnd: 'hook.sh',
  BeforeAgent: 'hook.sh',
  AfterAgent: 'hook.sh',
  Notification: 'hook.sh',
} as const;

/** As an extension has them. */
export const geminiHooks = (directory: string): object =>
  Object.fromEntries(
    Object.entries(programs).map(([event, program]) => [
      event,
      [
        {
          hooks: [
            { name: 'sm', type: 'command', command: `sh ${quote(directory)}/${program}`, timeout: limit },
          ],
        },
      ],
    ]),
  );

const quote = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

export const geminiHookFacts = (hook: HookInput): Fact[] => present(hookFact(hook));

function hookFact(hook: HookInput): Fact | null {
  const providerId = text(hook.session_id);
  if (providerId === null) return null;
  switch (hook.hook_event_name) {
    case 'BeforeAgent':
      return commonHookFact({ ...hook, hook_event_name: 'UserPromptSubmit' }, providerId, null);
    case 'AfterAgent':
      // Also called when a turn was cut or has failed: by then the transcript has told that.
      return { is: 'turn-ended', end: 'ended', providerId, turnId: null, lastWords: null, stillRuns: 0 };
    case 'SessionEnd':
      return { is: 'context-ended', providerId, reason: text(hook.reason) ?? 'unknown' };
    case 'Notification':
      return hook.notification_type === 'ToolPermission'
        ? { is: 'permission-asked', providerId, turnId: null, subject: null, text: questionOf(hook) }
        : null;
    default:
      return commonHookFact(hook, providerId, null);
  }
}

function questionOf(hook: HookInput): string {
  const details = record(hook.details);
  const what =
    text(details.command) ?? text(details.filePath) ?? text(details.fileName) ?? text(details.title);
  return [text(hook.message) ?? 'a tool', what].filter(Boolean).join('\n');
}
