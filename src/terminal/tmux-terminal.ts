// The terminal port on tmux: a server of our own, and one control client for looking and typing.

import type {
  HumanStep,
  LaunchSpec,
  Pane,
  Screen,
  Terminal,
  TypeOutcome,
  Typing,
} from '../ports/terminal.ts';
import { createChanges } from './changes.ts';
import { createControlClient } from './control-client.ts';
import { checkLaunch, makePane, untilStarted } from './launch.ts';
import type { Log } from './log.ts';
import { createPaneDirectory } from './pane-directory.ts';
import { describePane } from './panes.ts';
import { endProcess } from './process-identity.ts';
import { openRecords } from './records.ts';
import { resizePane } from './resizing.ts';
import { captureCommands, lastLines, leaveCopyModeCommands, lookCommands, parseLook } from './screen.ts';
import { serverName, startServer } from './server.ts';
import { statusCommands } from './status.ts';
import { typeInto } from './typing.ts';
import { createWatching } from './watching.ts';

export interface TmuxTerminalOptions {
  /** The socket of our own tmux server; its directory is made if need be. */
  socketPath: string;
  /** A directory for us alone: the server's configuration, and what the launcher records about panes. */
  privateDir: string;
  /** Where hooks/launch.sh is installed. */
  launcherPath: string;
  log: Log;
  /** Wall-clock time in ms. */
  now?: () => number;
  /** The tmux program, if not the one on the PATH. */
  tmux?: string;
}

/** How long an agent may take to say goodbye once its terminal is gone. */
const GRACE_MS = 3_000;

export function createTmuxTerminal(options: TmuxTerminalOptions): Terminal {
  const { socketPath, privateDir, launcherPath, log, now = Date.now } = options;
  const tmux = { program: options.tmux ?? 'tmux', socketPath };
  const changes = createChanges();
  const records = openRecords(privateDir, changes.fire, log);
  const client = createControlClient(tmux, {
    changed: changes.fire,
    lost() {
      directory.reset();
      changes.fire();
    },
  });
  const directory = createPaneDirectory(client);
  const watching = createWatching(tmux, (work) => client.inTurn(() => client.apart(work)));

  let starting: Promise<void> | null = null;
  function ensureServer(): Promise<void> {
    starting ??= client
      .apart(() => startServer(tmux, privateDir, log))
      .finally(() => {
        starting = null;
      });
    return starting;
  }

  async function launch(spec: LaunchSpec): Promise<Pane> {
    const { name } = spec;
    const panes = await directory.list();
    if (!panes?.some((pane) => pane.name === name)) {
      await checkLaunch(spec);
      if (!panes) await ensureServer();
      await makePane(client, records, launcherPath, spec);
    }
    return describePane(await untilStarted(name, directory, records, changes), records);
  }

  async function kill(name: string): Promise<void> {
    const listed = await directory.find(name);
    if (listed) {
      const pane = describePane(listed, records);
      await watching.aside(name, async () => {
        await client.inTurn(() => client.requestOnce([['kill-session', '-t', listed.id]]));
      });
      if (!pane.dead) await endProcess(pane, GRACE_MS);
    }
    records.forget(name);
    typedAt.delete(name);
  }

  async function look(name: string): Promise<Screen | null> {
    const outputs = await directory.ask(name, lookCommands);
    if (!outputs) return null;
    const { panePid, ...screen } = parseLook(outputs, now());
    const humanActiveAt = latest(screen.humanActiveAt, typedAt.get(name) ?? null);
    return { ...screen, humanActiveAt, dead: screen.dead || records.exitCode(name, panePid) !== null };
  }

  /** When a person last typed into a pane without being attached to it. */
  const typedAt = new Map<string, number>();

  async function type(name: string, typing: Parameters<typeof typeInto>[2]): Promise<TypeOutcome> {
    const remembered = await directory.locate(name);
    if (remembered === null) return 'gone';
    const outcome = await typeInto({ tmux, client }, { name, id: remembered }, typing);
    if (outcome !== 'gone') return outcome;
    // Nothing was typed; the pane may have been made again elsewhere.
    const id = (await directory.find(name))?.id;
    return id === undefined || id === remembered ? 'gone' : typeInto({ tmux, client }, { name, id }, typing);
  }

  return {
    launch,
    kill,
    look,
    type: (name, typing: Typing) => type(name, typing),
    typeAsHuman(name, steps: readonly HumanStep[]) {
      typedAt.set(name, now());
      return type(name, { onlyIf: 'always', steps });
    },
    resize: (name, size) => resizePane(directory, name, size),
    watch: watching.watch,
    async showStatus(status) {
      // A pane that is gone has no title; the others have theirs all the same.
      for (const command of statusCommands(status)) await client.request([command]);
    },
    async leaveCopyMode(name) {
      await directory.ask(name, leaveCopyModeCommands);
    },
    async capture(name, lines) {
      const outputs = await directory.ask(name, (id) => captureCommands(id, lines));
      return outputs && lastLines(outputs[1] ?? [], lines);
    },
    async panes() {
      const listed = await directory.list();
      return listed?.map((pane) => describePane(pane, records)) ?? null;
    },
    server: () => serverName(tmux),
    onChange: changes.listen,
    async close() {
      records.close();
      watching.close();
      await client.close();
    },
  };
}

const latest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
