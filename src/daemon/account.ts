// Which account an agent runs on: the directory of its configuration is what tells accounts apart.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Card } from '../ports/provider.ts';
import { cards } from '../providers/cards.ts';

/** An agent with and without a terminal has the same account: only one of the two declares its directory. */
export function accountOf(
  { options: { accountVariable } }: Pick<Card, 'options'>,
  env: Readonly<Record<string, string>>,
): { account?: string } {
  const home = cards.find((card) => card.home && card.options.accountVariable === accountVariable)?.home;
  if (!home || accountVariable === null) return {};
  const path = env[accountVariable] || join(env.HOME || homedir(), home.folder);
  try {
    return { account: realpathSync(path) };
  } catch {
    // Not there yet, on a first start.
    return { account: resolve(path) };
  }
}
