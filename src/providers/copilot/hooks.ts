// Copilot's hooks: what its events file does not tell, or tells up to half a second later. Which they are stands in
// hooks/copilot/hooks.json. It runs them in the form that Claude Code has, because they are named as there.
import type { Fact } from '../../domain/core/fact.ts';
import type { HookInput } from '../../ports/provider.ts';
import { commonHookFact } from '../common-hooks.ts';
import { present, text } from '../values.ts';

export const copilotHookFacts = (hook: HookInput): Fact[] => present(hookFact(hook));

function hookFact(hook: HookInput): Fact | null {
  const providerId = text(hook.session_id);
  // Agents inside the agent have ids and prompts of their own.
  if (providerId === null || text(hook.agent_id) !== null) return null;
  return commonHookFact(hook, providerId, turnOf(hook.timestamp));
}

/**
 * A turn has no id that both a hook and the events file tell. But the file has every call of a hook, with the time that
 * the hook was given: that of the prompt names the turn.
 */
export function turnOf(timestamp: unknown): string | null {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : timestamp;
  return typeof at === 'number' && Number.isSafeInteger(at) ? `prompt-${at}` : null;
}
