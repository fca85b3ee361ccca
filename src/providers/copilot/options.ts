// What a session of Copilot is started with, as arguments.
import type { Session } from '../../domain/core/session.ts';
import type { Setup } from '../../ports/provider.ts';

export const permissionModes: Readonly<Record<string, readonly string[]>> = {
  'allow-tools': ['--allow-all-tools'],
  'allow-all': ['--allow-all'],
  plan: ['--mode', 'plan'],
};

/** Last what the user wrote himself: the last one counts. */
export function copilotOptions({ model, options }: Session, setup: Setup): string[] {
  const chosen = model ?? setup.defaultModel;
  return [
    ...setup.args,
    ...(chosen ? ['--model', chosen] : []),
    ...(permissionModes[options.permissionMode ?? ''] ?? []),
    ...options.addDirs.flatMap((dir) => ['--add-dir', dir]),
    ...options.mcpConfigs.flatMap((file) => ['--additional-mcp-config', `@${file}`]),
    ...options.args,
  ];
}
