// Agents that only the configuration names: `sm NAME` for one of them. The daemon knows which there are; it is asked only
// where the configuration names any at all.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Entry } from './command.ts';
import type { Client } from './daemon/client.ts';
import type { Io } from './io.ts';

/** What `sm WORD` means then; undefined: nothing. */
export async function configuredEntry(word: string, io: Io, client: Client): Promise<Entry | undefined> {
  if (!/^[a-z][a-z0-9-]*$/.test(word) || !namesAgents(io)) return undefined;
  const { kinds } = await client.ask('GET /kinds');
  const kind = kinds.find(({ name }) => name === word);
  if (!kind) return undefined;
  return {
    summary: `start ${kind.title} in a directory`,
    load: () => import('./commands/start.ts').then((module) => module.default),
  };
}

function namesAgents({ env, cwd }: Io): boolean {
  const usual = join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'sm', 'config.yaml');
  try {
    // In YAML that is JSON, the key has quotes.
    return /\bagents["']?\s*:/.test(readFileSync(resolve(cwd, env.SM_CONFIG || usual), 'utf8'));
  } catch {
    // Without a configuration there is none.
    return false;
  }
}
