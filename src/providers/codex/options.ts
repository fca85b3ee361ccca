// What a session of Codex is started with, as arguments.
import type { Session } from '../../domain/core/session.ts';
import type { Setup } from '../../ports/provider.ts';

/** What Codex calls presets in its own dialog, as keys of its configuration. */
interface Keys {
  readonly sandbox_mode: string;
  readonly approval_policy: string;
}

export const permissionModes: Readonly<Record<string, Keys>> = {
  'read-only': { sandbox_mode: 'read-only', approval_policy: 'on-request' },
  auto: { sandbox_mode: 'workspace-write', approval_policy: 'on-request' },
  'full-access': { sandbox_mode: 'danger-full-access', approval_policy: 'never' },
};

/** Those that a terminal and an app-server both take. Last what the user wrote himself: the last one counts. */
export function commonOptions({ options }: Session, setup: Setup): string[] {
  const keys = permissionModes[options.permissionMode ?? ''] ?? {};
  return [
    ...setup.args,
    ...Object.entries(keys).flatMap(([key, value]) => ['-c', `${key}="${value}"`]),
    ...options.args,
  ];
}

export function terminalOptions(session: Session, setup: Setup): string[] {
  const model = session.model ?? setup.defaultModel;
  return [
    ...session.options.addDirs.flatMap((dir) => ['--add-dir', dir]),
    ...(model ? ['--model', model] : []),
    ...commonOptions(session, setup),
  ];
}
