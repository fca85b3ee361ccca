// The files of sessions and messages that are forgotten, and what was left behind in the folders of those that live on.
// A file goes when nothing that is known needs it and it is old; whose it is, its name says.
import type { Dirent } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Session } from '../domain/core/session.ts';
import { paneName } from '../ports/terminal.ts';
import { isVariableFile } from './own-variables.ts';
import type { Paths } from './paths.ts';

export interface OldFilesDeps {
  readonly paths: Pick<Paths, 'messages' | 'handoffs' | 'sessions' | 'spool' | 'doors' | 'terminal'>;
  /** Living or killed: whoever can still be asked for. */
  readonly session: (id: string) => Promise<Session | null>;
  readonly isMessage: (id: string) => Promise<boolean>;
  /** The names of all panes that there are: an agent that nobody knows any more may still need its files. */
  readonly panes: () => Promise<readonly string[]>;
}

const filesAtATime = 20;

export function forgetFiles(deps: OldFilesDeps) {
  const { paths, session, isMessage } = deps;

  return async (before: number, between: () => Promise<void>): Promise<void> => {
    const panes = new Set(await deps.panes());
    const isGone = async (id: string) => !panes.has(paneName(id)) && (await session(id)) === null;
    let seen = 0;

    /** What `isNeeded` does not speak for goes, if it is old. */
    async function sweep(
      folder: string,
      isNeeded: (name: string, entry: Dirent) => boolean | Promise<boolean>,
    ): Promise<void> {
      for await (const entry of await entriesOf(folder)) {
        if (++seen % filesAtATime === 0) await between();
        const path = join(folder, entry.name);
        const found = await stat(path).catch(() => null);
        if (!found || found.mtimeMs >= before || (await isNeeded(entry.name, entry))) continue;
        await rm(path, { recursive: true, force: true });
      }
    }

    /** Folders that are named by their session; and in those of sessions that stay, what `isNeeded` does not speak for. */
    async function sweepFolders(
      folder: string,
      isNeeded?: (name: string, session: Session | null) => boolean,
    ): Promise<void> {
      await sweep(folder, async (id) => !(await isGone(id)));
      if (!isNeeded) return;
      for await (const { name: id } of await entriesOf(folder)) {
        const owner = await session(id);
        await sweep(join(folder, id), (name) => isNeeded(name, owner));
      }
    }

    await sweep(paths.messages, (name) => isMessage(basename(name, '.txt')));
    await sweepFolders(
      paths.sessions,
      (name, owner) => !isVariableFile(name) || owner === null || owner.options.variables?.file === name,
    );
    await sweepFolders(paths.handoffs, (name, owner) => owner === null || isDocumentOf(owner, name));
    // The rest is half of a fact, or none that anybody could read.
    await sweepFolders(paths.doors);
    await sweepFolders(paths.spool, (name) => /\.(hook|status)$/.test(name));
    await sweep(paths.terminal, async (name) => {
      const [, id, kind] = /^sm-([^.]+)\.(?:\d+\.)?(\w+)/.exec(name) ?? [];
      if (id === undefined) return name === 'tmux.conf';
      return kind !== 'start' && !(await isGone(id));
    });
  };
}

/** What it has handed over last, or is about to; also where the agent writes it, if that is here. */
function isDocumentOf({ lastHandoff, handoff, autoHandoff }: Session, name: string): boolean {
  const named = [
    lastHandoff?.copy,
    lastHandoff?.path,
    handoff && 'copy' in handoff ? handoff.copy : null,
    handoff?.path,
    autoHandoff,
  ];
  return name === 'recovery.json' || named.some((path) => path != null && basename(path) === name);
}

async function* noEntries(): AsyncGenerator<Dirent> {}

/** A few at a time: a folder may have a hundred thousand of them. */
const entriesOf = (folder: string): Promise<AsyncIterable<Dirent>> =>
  opendir(folder).catch(() => noEntries());
