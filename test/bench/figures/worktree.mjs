// A session with a worktree, from the request until the worktree is whole, against `git worktree add` alone.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDaemon } from '../daemon.mjs';
import { is, untilEvent } from '../messages.mjs';
import { timeProcess } from '../processes.mjs';
import { round } from '../report.mjs';
import { interleave, median, ratioNoise } from '../statistics.mjs';

const rounds = 15;
const files = 2_000;

export async function measure() {
  const daemon = await startDaemon();
  const { env } = daemon;
  const repository = join(daemon.work, 'repository');
  const git = (...args) => execFileSync('git', ['-C', repository, ...args], { env, stdio: 'pipe' });
  fill(repository);
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'all');
  let made = 0;
  const alone = () => {
    made += 1;
    const place = join(daemon.work, `alone-${made}`);
    return timeProcess('git', ['-C', repository, 'worktree', 'add', '-q', '-b', `alone-${made}`, place], {
      env,
    });
  };
  const ours = async () => {
    const began = performance.now();
    const { id } = await daemon.call('POST', '/sessions', { working_dir: repository, worktree: {} });
    await untilEvent(daemon, id, is('worktree made'));
    const took = performance.now() - began;
    await daemon.call('POST', `/sessions/${id}/kill`, {});
    return took;
  };
  const samples = await interleave(rounds, { ours, alone });
  const [low, high] = ratioNoise(samples.ours, samples.alone);
  return [
    {
      name: 'worktree',
      what: `a worktree of ${files} files for a session, against git worktree add`,
      value: median(samples.ours) / median(samples.alone),
      unit: 'x',
      goal: { atMost: 2 },
      detail: `${round(median(samples.ours))} ms against ${round(median(samples.alone))} ms; ${round(low)}-${round(high)} in fifths of the run`,
    },
  ];
}

function fill(repository) {
  for (let each = 0; each < files; each += 1) {
    const folder = join(repository, `folder-${each % 50}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${each}.txt`), `${each}\n`.repeat(200));
  }
}
