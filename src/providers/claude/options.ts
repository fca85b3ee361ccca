// What a session of Claude Code is started with, as arguments.
import type { Session } from '../../domain/core/session.ts';
import type { LaunchRequest, Setup } from '../../ports/provider.ts';

/**
 * What the session was given comes after what holds for all, and last what the user wrote himself: the last one counts.
 * Some of these take any number of values, so an argument with a dash must follow.
 */
export function claudeOptions({ model, options }: Session, setup: Setup): string[] {
  const chosen = model ?? setup.defaultModel;
  return [
    ...setup.args,
    ...(chosen ? ['--model', chosen] : []),
    ...(options.permissionMode ? ['--permission-mode', options.permissionMode] : []),
    ...options.addDirs.flatMap((dir) => ['--add-dir', dir]),
    ...options.mcpConfigs.flatMap((file) => ['--mcp-config', file]),
    ...options.args,
  ];
}

/** Which conversation it opens: a new one, one that it had, or a copy of another. */
export function conversationOptions({ fork, resume, providerId }: LaunchRequest): string[] {
  if (providerId === null)
    throw new Error('Claude Code needs a conversation id at its start, and there is none');
  return [
    ...(fork === undefined ? [] : ['--resume', fork, '--fork-session']),
    ...[resume ? '--resume' : '--session-id', providerId],
  ];
}
