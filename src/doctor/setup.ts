// What `sm setup` has put on this machine: still there, and made by the sm that runs now.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { versionBeside } from '../daemon/version.ts';
import { LedgerError, readLedger } from '../ledger/ledger.ts';
import { editing, type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export function checkSetup({ paths }: Pick<Machine, 'paths'>): Finding {
  const name = 'setup';
  try {
    const { version, entries } = readLedger(paths.ledger);
    if (entries.length === 0) return ok(name, 'not done; for completion, a service and more: sm setup');
    const parts = [...new Set(entries.map(({ part }) => part))];
    const again = {
      repair: `sm setup ${parts.join(' ')} --yes`,
      fix: async () => {
        const program = join(paths.dist, 'sm.cjs');
        await promisify(execFile)(process.execPath, [program, 'setup', ...parts, '--yes']);
        return `did ${parts.join(', ')} again`;
      },
    };
    const gone = entries.flatMap((entry) =>
      entry.did !== 'ran' && !existsSync(entry.path) ? entry.path : [],
    );
    if (gone.length > 0) return warn(name, `${gone.join(', ')} is gone`, again);
    const own = versionBeside(paths.dist);
    if (version !== own) return warn(name, `made by sm ${version}; this is ${own}`, again);
    return ok(name, `${parts.join(', ')}; to take it back: sm uninstall`);
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    return warn(name, error.message, { repair: editing(paths.ledger) });
  }
}
