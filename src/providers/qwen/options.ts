// What a session of Qwen Code is started with, as arguments.
import type { Session } from '../../domain/core/session.ts';
import type { LaunchRequest, Setup } from '../../ports/provider.ts';

/** What the session was given comes after what holds for all, and last what the user wrote himself: the last one counts. */
export function qwenOptions({ model, options }: Session, setup: Setup): string[] {
  const chosen = model ?? setup.defaultModel;
  return [
    ...setup.args,
    ...(chosen ? ['--model', chosen] : []),
    ...(options.permissionMode ? ['--approval-mode', options.permissionMode] : []),
    ...options.addDirs.flatMap((dir) => ['--add-dir', dir]),
    ...options.mcpConfigs.flatMap((file) => ['--mcp-config', file]),
    ...options.args,
  ];
}

/** It names a new conversation itself, also a copy. */
export function conversationOptions({ fork, resume, providerId }: LaunchRequest): string[] {
  if (fork !== undefined) return ['--resume', fork, '--fork-session'];
  return resume && providerId !== null ? ['--resume', providerId] : [];
}
