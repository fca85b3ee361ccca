// Whole processes, timed and weighed.
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds from the start of a program to its end. `input` is a file that it finds as its standard input. */
export function timeProcess(program, args, { env, input = '/dev/null' }) {
  const stdin = openSync(input, 'r');
  try {
    const began = performance.now();
    const { status, stderr, error } = spawnSync(program, args, { env, stdio: [stdin, 'pipe', 'pipe'] });
    const took = performance.now() - began;
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
    return took;
  } finally {
    closeSync(stdin);
  }
}

const ticksPerSecond = 100;

/** Seconds of processor time that these processes have used, with those of their children that have ended. */
export function cpuSeconds(pids) {
  const ticks = pids.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes second, in parentheses, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [utime, stime, childrenUtime, childrenStime] = fields.slice(11, 15).map(Number);
    return utime + stime + childrenUtime + childrenStime;
  });
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** The same for one process that starts no others, in steps so fine that idleness can be told from idleness. */
export function cpuNanoseconds(pid) {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]))
    .reduce((sum, each) => sum + each, 0);
}

const settleSeconds = 5;
const idleSpans = 3;

/**
 * What each of them uses while nobody asks for anything, in percent of one core, in each of a few spans. To be told by
 * their median: in one of them, up to a minute after a burst of work, V8 gives back what that work has used.
 */
export async function idleCpu(meters, seconds) {
  await delay(settleSeconds * 1_000);
  const spans = [];
  for (let span = 0; span < idleSpans; span += 1) {
    const before = meters.map((used) => used());
    await delay(seconds * 1_000);
    spans.push(meters.map((used, i) => ((used() - before[i]) * 100) / seconds));
  }
  return spans;
}

export function residentMiB(pid) {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kib) / 1024;
}

/** The processes that this one has started and that still run. */
export function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/**
 * Counts from now on what these processes start. What has ended meanwhile shows in the page faults that the kernel adds up
 * for a process's ended children: no program runs without any.
 */
export function startedBy(pids) {
  const faults = (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8]);
  };
  const before = pids.map((pid) => ({ pid, faults: faults(pid), children: new Set(childrenOf(pid)) }));
  return () =>
    before.reduce((sum, was) => {
      // One that has ended meanwhile shows in its parent's.
      if (!existsSync(`/proc/${was.pid}`)) return sum;
      const running = childrenOf(was.pid).filter((child) => !was.children.has(child)).length;
      return sum + running + (faults(was.pid) > was.faults ? 1 : 0);
    }, 0);
}
