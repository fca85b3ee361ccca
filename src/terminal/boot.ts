// Which boot of the machine this is: after the next one, nothing that runs now does.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Null where the system has no name for it. */
export async function bootId(): Promise<string | null> {
  const known = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return known.trim() || (await fromSysctl()) || null;
}

const fromSysctl = (): Promise<string> =>
  new Promise((resolve) => {
    execFile('sysctl', ['-n', 'kern.bootsessionuuid'], { timeout: 2_000 }, (error, stdout) =>
      resolve(error ? '' : stdout.trim()),
    );
  });
