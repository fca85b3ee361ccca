// What a session's options are to opencode.
import type { Session } from '../../domain/core/session.ts';
import type { Model } from './api.ts';

/** `anthropic/claude-sonnet-5`, as opencode itself writes it; anything else is left to its configuration. */
export function modelNamed(name: string | null): Model | null {
  const [, providerID, modelID] = /^([^/]+)\/(.+)$/.exec(name ?? '') ?? [];
  return providerID && modelID ? { providerID, modelID } : null;
}

/** What a conversation is begun with. */
export function sessionSettings({ options }: Pick<Session, 'options'>): object {
  const rule = (action: string) => (permission: string) => ({ permission, pattern: '*', action });
  if (options.permissionMode === 'allow') return { permission: ['*'].map(rule('allow')) };
  if (options.permissionMode !== 'ask') return {};
  return { permission: ['bash', 'edit', 'webfetch', 'websearch', 'external_directory'].map(rule('ask')) };
}
