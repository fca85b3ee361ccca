// The accounts of agents on this machine: each configuration directory of an agent is one.
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { agents } from '../providers/cards.ts';
import type { Place } from './place.ts';

export interface Account {
  /** Of the agent. */
  readonly agent: string;
  readonly title: string;
  readonly directory: string;
  /** The one that the agent takes unless it is told otherwise. */
  readonly usual: boolean;
  readonly signedIn: boolean;
}

export function findAccounts({ env, home }: Place): Account[] {
  const found = agents.flatMap(({ name: agent, title, home: own, options: { accountVariable } }) => {
    if (!own) return [];
    const named = accountVariable === null ? undefined : env[accountVariable];
    // `~/.claude-work` is how people name a second one.
    const likely = foldersIn(home).filter((name) => name === own.folder || name.startsWith(`${own.folder}-`));
    const directories = new Set([
      ...(named && existsSync(named) ? [resolve(named)] : []),
      ...likely.map((name) => join(home, name)),
    ]);
    return [...directories].map((directory) => ({
      agent,
      title,
      directory,
      usual: directory === join(home, own.folder),
      signedIn: existsSync(join(directory, own.login)),
    }));
  });
  // With and without a terminal it is the same agent, and has the same account.
  return found.filter(({ directory }, at) => found.findIndex((each) => each.directory === directory) === at);
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}
