// The agents that run while a backup is restored, and what comes of each.
import { displayName, type Session } from '../domain/core/session.ts';
import { LIST_PANES, parsePanes } from '../terminal/panes.ts';
import { runTmux } from '../terminal/tmux-process.ts';
import type { Database } from './file.ts';

export interface Agent {
  readonly id: string;
  readonly pane: string;
}

export async function agentsIn(socketPath: string): Promise<Agent[]> {
  // No tmux on this machine, or no server: no agents.
  const listed = await runTmux({ program: 'tmux', socketPath }, LIST_PANES).catch(() => null);
  if (listed?.code !== 0) return [];
  return parsePanes(listed.stdout.split('\n'))
    .filter(({ dead }) => !dead)
    .map(({ name }) => ({ id: name.replace(/^sm-/, ''), pane: name }));
}

/** `name (id)` as the backup knows it; null: it does not. */
export function nameIn(backup: Database, { id }: Agent): string | null {
  const row = backup.prepare('SELECT body FROM session WHERE id = ? AND NOT retired').get(id);
  if (!row) return null;
  return `${displayName(JSON.parse((row as { body: string }).body) as Session)} (${id})`;
}

export function fateOf(agent: Agent, backup: Database, socket: string): string {
  const name = nameIn(backup, agent);
  if (name !== null) return `${name} keeps running; sm finds it again.`;
  return `${agent.id} is not in the backup; it keeps running without sm. End it with: tmux -S ${socket} kill-session -t =${agent.pane}:`;
}
