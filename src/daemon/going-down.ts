// Whether the machine, or the login that everything of ours belongs to, is going down: then agents are ended one by one,
// each with an exit code of its own, before the tmux server and we are.

import { execFile } from 'node:child_process';

/** As systemd says, of the machine and of the user's own services. Elsewhere nobody can say. */
export async function isGoingDown(): Promise<boolean> {
  const said = await Promise.all([ask(), ask('--user')]);
  return said.includes('stopping');
}

const ask = (...of: string[]): Promise<string> =>
  new Promise((resolve) => {
    // It ends with 1 whenever not all is well, so only what it prints counts.
    execFile('systemctl', [...of, 'is-system-running'], { timeout: 1_000 }, (_error, stdout) =>
      resolve(stdout.trim()),
    );
  });
