// Processes of the user's own, on this machine.
import { execFile } from 'node:child_process';
import type { Processes } from '../ports/processes.ts';
import { processEnds, processStartTime } from './process-identity.ts';

/** How long it may take to say goodbye. */
const graceMs = 5_000;

export const processes: Processes = {
  startedAt: processStartTime,
  async end(pid, startedAt) {
    if ((await processStartTime(pid)) === startedAt) process.kill(pid, 'SIGTERM');
    return processEnds(pid, startedAt, graceMs);
  },
  async family(pid) {
    const parents = await parentsOfAll();
    const family = new Set([pid]);
    for (let before = 0; before < family.size; ) {
      before = family.size;
      for (const [child, parent] of parents) if (family.has(parent)) family.add(child);
    }
    return family;
  },
};

function parentsOfAll(): Promise<[number, number][]> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid='], { timeout: 5_000 }, (error, stdout) => {
      if (error) return reject(error);
      const rows = stdout
        .trim()
        .split('\n')
        .map((row) => row.trim().split(/\s+/).map(Number));
      resolve(rows.map(([pid = 0, parent = 0]) => [pid, parent]));
    });
  });
}
