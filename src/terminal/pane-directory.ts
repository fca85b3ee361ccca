// Which panes there are, and asking one of them by name. tmux ids are remembered, so that a look is one round
// trip; each answer carries the pane's name, so that a remembered id is never trusted blindly.

import type { Abilities, ControlClient } from './control-client.ts';
import { TerminalFailed } from './errors.ts';
import { LIST_PANES, type ListedPane, parsePanes } from './panes.ts';

export type PaneCommands = (id: string, server: Abilities) => string[][];

export interface PaneDirectory {
  /** All panes of ours, or null when the server is not running. */
  list(): Promise<ListedPane[] | null>;
  find(name: string): Promise<ListedPane | null>;
  /** tmux's id of the pane, remembered if possible: whoever uses it has to check the name. */
  locate(name: string): Promise<string | null>;
  /** Runs the commands, the first of which tells the name, on that pane; null when there is none. */
  ask(name: string, commands: PaneCommands): Promise<string[][] | null>;
  /** Nothing that was seen before holds any longer. */
  reset(): void;
}

export function createPaneDirectory(client: ControlClient): PaneDirectory {
  const ids = new Map<string, string>();

  async function list(): Promise<ListedPane[] | null> {
    const reply = await client.request([LIST_PANES]);
    if (reply.kind === 'not-running') return null;
    if (reply.kind === 'refused') throw new TerminalFailed(`tmux cannot list its panes: ${reply.message}`);
    const panes = parsePanes(reply.outputs[0] ?? []);
    ids.clear();
    for (const { name, id } of panes) ids.set(name, id);
    return panes;
  }

  async function find(name: string): Promise<ListedPane | null> {
    const panes = await list();
    return panes?.find((pane) => pane.name === name) ?? null;
  }

  async function locate(name: string): Promise<string | null> {
    return ids.get(name) ?? (await find(name))?.id ?? null;
  }

  async function askOnce(name: string, commands: PaneCommands): Promise<string[][] | null> {
    const id = await locate(name);
    if (id === null) return null;
    const reply = await client.request((server) => commands(id, server));
    if (reply.kind === 'done' && reply.outputs[0]?.[0]?.split('|', 1)[0] === name) return reply.outputs;
    ids.delete(name);
    return null;
  }

  return {
    list,
    find,
    locate,
    // The pane may have been made again elsewhere: the second time its id is fresh.
    ask: async (name, commands) => (await askOnce(name, commands)) ?? (await askOnce(name, commands)),
    reset: () => ids.clear(),
  };
}
