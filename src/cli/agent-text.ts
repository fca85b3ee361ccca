// An agent, and which version it is.
import { oneLine } from './format/text.ts';

/** `claude 2.1.325` */
export function agentText(provider: string, version: unknown): string {
  return oneLine(typeof version === 'string' ? `${provider} ${version}` : `${provider}, version unknown`);
}
