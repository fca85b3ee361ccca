// Kills an act on a worktree at one of its git commands: the program before or after it, or git itself.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Crash } from './worktree-history.ts';

const mostCommands = 24;
const modes = ['before', 'after', 'git'];

export async function crashing(root: string): Promise<Crash> {
  const program = join(root, 'act.cjs');
  const entryPoints = [join(import.meta.dirname, 'worktree-act.ts')];
  await build({ entryPoints, outfile: program, bundle: true, platform: 'node', format: 'cjs' });
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const bin = join(root, 'bin');
  mkdirSync(bin, { recursive: true });
  // A line for each command, so that two at once are counted as two.
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh
echo >> "$COUNT"
[ "$(wc -l < "$COUNT")" -eq "$KILL_AT" ] || exec ${real} "$@"
case $MODE in
  before) kill -9 $PPID ;;
  after) ${real} "$@"; kill -9 $PPID ;;
  git) kill -9 $$ ;;
esac
`,
  );
  chmodSync(join(bin, 'git'), 0o755);
  return async (act, pick) => {
    if (pick(3) === 0) return false;
    const count = join(root, 'count');
    rmSync(count, { force: true });
    const child = spawn(process.execPath, [program, JSON.stringify(act)], {
      env: {
        ...process.env,
        PATH: `${bin}:${process.env.PATH}`,
        COUNT: count,
        KILL_AT: String(1 + pick(mostCommands)),
        MODE: modes[pick(modes.length)] as string,
      },
      stdio: 'ignore',
    });
    const [, signal] = await once(child, 'exit');
    return signal === 'SIGKILL';
  };
}
