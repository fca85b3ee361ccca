// Which account an agent runs on: the directory of its configuration is what tells accounts apart.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Card } from '../ports/provider.ts';

export function accountOf(
  { home, options }: Pick<Card, 'home' | 'options'>,
  env: Readonly<Record<string, string>>,
): { account?: string } {
  if (!home) return {};
  const path = env[options.accountVariable] || join(env.HOME || homedir(), home.folder);
  try {
    return { account: realpathSync(path) };
  } catch {
    // Not there yet, on a first start.
    return { account: resolve(path) };
  }
}
