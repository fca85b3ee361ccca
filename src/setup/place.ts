// What setup works on: this user on this machine.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Paths } from '../daemon/paths.ts';
import { type Entry, readLedger, writeLedger } from '../ledger/ledger.ts';

export interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home directory of the user. */
  readonly home: string;
  readonly paths: Paths;
  readonly platform: NodeJS.Platform;
  readonly version: string;
  entries(): readonly Entry[];
  /** Keeps them before anything else happens. */
  keep(entries: readonly Entry[]): void;
}

export function openPlace(paths: Paths, version: string, env: Place['env'] = process.env): Place {
  return {
    env,
    home: env.HOME || homedir(),
    paths,
    platform: process.platform,
    version,
    entries: () => readLedger(paths.ledger).entries,
    keep: (entries) => writeLedger(paths.ledger, { version, entries }),
  };
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

export function runCommand({ env }: Place, [program = '', ...args]: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(program, args, { env: { ...env }, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 127) : 0;
      resolve({ code, output: (stdout + (stderr || (error && code === 127 ? error.message : ''))).trim() });
    });
  });
}

/** Another command of this sm. */
export const ownCommand = ({ paths }: Place, ...args: string[]): string[] => [
  process.execPath,
  join(paths.dist, 'sm.cjs'),
  ...args,
];

export function hasProgram({ env }: Place, name: string): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** A path as people write it. */
export const shown = ({ home }: Place, path: string): string =>
  path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
