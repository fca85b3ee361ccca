// Whether the programs of `on:` are there, and how each ended the last time.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Trigger, triggerChannel } from '../ports/triggers.ts';
import { lastToldIn } from '../store/sqlite/tellings.ts';
import { editing, type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export function checkTriggers({ config, paths }: Pick<Machine, 'config' | 'paths'>): Finding | null {
  const triggers = config?.on ?? [];
  if (triggers.length === 0) return null;
  const missing = triggers.flatMap(({ name, run: [program = ''] }) =>
    isThere(program) ? [] : [`${name}: ${program} is not there, or cannot be run`],
  );
  if (missing.length > 0)
    return warn('on', missing.join('\n'), {
      advice: 'Correct the program in the configuration, then restart the daemon.',
      repair: editing(paths.config),
    });
  const failed = existsSync(paths.database)
    ? triggers.flatMap((each) => failureOf(paths.database, each))
    : [];
  if (failed.length === 0) return ok('on', triggers.map(({ name }) => name).join(', '));
  return warn('on', failed.map(({ text }) => text).join('\n'), {
    advice: 'What it wrote is in the log.',
    repair: `sm on test ${failed[0]?.occasion}; sm logs`,
  });
}

function failureOf(database: string, { name, when }: Trigger): { text: string; occasion: string }[] {
  try {
    const state = lastToldIn(database, triggerChannel, name)?.state;
    if (state?.is !== 'failed') return [];
    return [{ text: `${name} failed the last time: ${state.why}`, occasion: String(when[0]) }];
  } catch {
    // What is wrong with the database is said by its own check.
    return [];
  }
}

function isThere(program: string): boolean {
  const folders = program.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(folder === '' ? program : join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
