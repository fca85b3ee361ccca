// Panes that belong to no session: left behind by a state directory that was removed, or by hand.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Finding, ok, quoted, warn } from './check.ts';
import type { Machine } from './machine.ts';

export async function checkPanes({ paths }: Pick<Machine, 'paths'>): Promise<Finding> {
  const names = await sessionNames(paths.tmuxSocket);
  if (names === null)
    return ok('terminal', 'the tmux server of sm is not running; the first session starts it');
  const known = knownSessions(paths.database);
  const strays = names.filter((name) => name !== 'sm-anchor' && !known.has(name.replace(/^sm-/, '')));
  if (strays.length === 0) return ok('terminal', `${names.length - 1} panes`);
  return warn('terminal', `panes that belong to no session: ${strays.join(', ')}`, {
    advice: 'Look at one before you end it: something may run in it.',
    repair: `tmux -S ${quoted(paths.tmuxSocket)} kill-session -t '=${strays[0]}:'`,
  });
}

function sessionNames(socket: string): Promise<string[] | null> {
  return new Promise((resolve) => {
    execFile(
      'tmux',
      ['-S', socket, 'list-sessions', '-F', '#{session_name}'],
      { timeout: 5_000 },
      (error, stdout) => resolve(error ? null : stdout.trim().split('\n').filter(Boolean)),
    );
  });
}

function knownSessions(database: string): Set<string> {
  if (!existsSync(database)) return new Set();
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    return new Set(
      db
        .prepare('SELECT id FROM session')
        .all()
        .map((row) => String((row as { id: string }).id)),
    );
  } catch {
    // A database that cannot be read is told of by its own check.
    return new Set();
  } finally {
    db.close();
  }
}
