// One daemon for many histories of worktrees. It is killed, and so is a git of its, in the middle of what it does; whatever
// was asked of it is asked again until it is told how it ended.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EventView } from '../../src/protocol/event.ts';
import { type Answer, startTestDaemon, type TestDaemon } from './daemon.ts';

const run = promisify(execFile);

/** Which random number below `n` comes next. */
export type Pick = (n: number) => number;

export interface Act {
  readonly id: string;
  readonly what: 'remove' | 'restore' | 'finish';
  readonly body: object;
  /** The same as words after `sm`. */
  readonly words: readonly string[];
}

export interface Stage {
  readonly daemon: TestDaemon;
  readonly root: string;
  /** As the user runs it: nobody kills it. */
  git(folder: string, ...args: string[]): Promise<string>;
  /** Answers also if the daemon has to come back first; null: nobody knows whether it was asked. */
  call<T>(method: string, path: string, body?: object): Promise<Answer<T> | null>;
  /** Does it, through deaths at random points, and answers how it ended. */
  act(act: Act, pick: Pick): Promise<EventView>;
  /** Something may die in what comes next. */
  threaten(pick: Pick): void;
  /** The event that fits, and comes after this number. */
  until(id: string, fits: (event: EventView) => boolean, after?: number): Promise<EventView>;
  deaths(): { readonly daemon: number; readonly git: number; readonly sm: number };
  close(): Promise<void>;
}

const mostCommands = 30;
const points = ['prepared', 'committed', 'index', 'checkout', 'time', 'time'];
const ends = {
  remove: ['removed', 'kept'],
  restore: ['restored', 'not-restored'],
  finish: ['finished', 'not-finished'],
};

export async function openStage(): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'sm-histories-'));
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const [bin, temporary] = [join(root, 'bin'), join(root, 'tmp')];
  for (const folder of [bin, temporary]) mkdirSync(folder);
  deadlyGit(bin, real);
  const daemon = await startTestDaemon({
    // Its agent has ended before anybody works with it.
    config: { claude: { command: '/bin/true' } },
    env: { PATH: `${bin}:${process.env.PATH}`, TMPDIR: temporary },
  });
  let closing = false;
  let smDeaths = 0;
  let daemonDeaths = 0;
  let back = Promise.resolve();
  const keep = (async () => {
    for (;;) {
      await daemon.death();
      if (closing) return;
      daemonDeaths += 1;
      back = daemon.start();
      await back;
    }
  })();

  /** Throws what has another reason than a death. Its end may be heard of here before it is there. */
  async function untilBack(error: unknown): Promise<void> {
    if (!isAway(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
    await back;
  }

  async function call<T>(method: string, path: string, body?: object): Promise<Answer<T> | null> {
    for (;;) {
      try {
        return await daemon.call<T>(method, path, body);
      } catch (error) {
        await untilBack(error);
        if (method !== 'GET') return null;
      }
    }
  }

  async function until(id: string, fits: (event: EventView) => boolean, after = 0): Promise<EventView> {
    for (;;) {
      try {
        return await daemon.until(id, fits, after);
      } catch (error) {
        await untilBack(error);
      }
    }
  }

  function threaten(pick: Pick): void {
    rmSync(join(bin, 'count'), { force: true });
    const mode = ['before', 'after', 'git', 'git', 'git', 'git', 'both'][pick(7)];
    const point = ['before', 'after'].includes(mode ?? '') ? 'time' : points[pick(points.length)];
    const at = 1 + pick(point === 'time' ? mostCommands : 3);
    writeFileSync(join(bin, 'armed'), `at=${at} mode=${mode} point=${point} delay=${pick(10) / 1_000}\n`);
  }

  async function killSm(words: readonly string[], pick: Pick): Promise<void> {
    const env = {
      ...process.env,
      SM_HOME: daemon.home,
      HOME: root,
      SM_CONFIG: join(daemon.home, '../config.yaml'),
    };
    const program = join(import.meta.dirname, '../../dist/sm.cjs');
    const child = spawn(process.execPath, [program, ...words], { env, stdio: 'ignore' });
    const timer = setTimeout(() => child.kill('SIGKILL'), pick(400));
    const [, signal] = await once(child, 'exit');
    clearTimeout(timer);
    if (signal === 'SIGKILL') smDeaths += 1;
  }

  return {
    daemon,
    root,
    call,
    until,
    threaten,
    git: async (folder, ...args) => {
      const all = ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args];
      return (await run(real, all, { maxBuffer: 64 * 1024 * 1024 })).stdout.trimEnd();
    },
    async act({ id, what, body, words }, pick) {
      const isEnd = ({ type, step }: EventView) => type === 'worktree' && ends[what].includes(String(step));
      const newest = `/events?session=${id}&last=true&limit=1`;
      const before = (await call<{ events: EventView[] }>('GET', newest))?.body.events[0]?.number ?? 0;
      // A daemon that has to come back costs more than all the rest.
      const danger = pick(10);
      if (danger < 4) threaten(pick);
      else if (danger === 4) setTimeout(() => process.kill(daemon.pid, 'SIGKILL'), pick(150));
      else if (danger === 5) await killSm(words, pick);
      for (;;) {
        const place = `/sessions/${id}/worktree/${what}`;
        const asked = await call<{ after: number; detail: string }>('POST', place, body);
        // Nobody knows whether it was: if it was, it is refused now, or done once more.
        if (asked === null) continue;
        if (asked.status === 200) return until(id, isEnd, asked.body.after);
        if (asked.status !== 409) throw new Error(`${what}: ${asked.status} ${JSON.stringify(asked.body)}`);
        const all = await call<{ events: EventView[] }>('GET', `/events?session=${id}&after=${before}`);
        const last = all?.body.events.filter(isEnd).at(-1);
        if (!/ is being | is on its way /.test(asked.body.detail)) {
          if (!last) throw new Error(`${what} was refused: ${JSON.stringify(asked.body)}`);
          return last;
        }
        await until(id, isEnd, last?.number ?? before);
      }
    },
    deaths: () => ({
      daemon: daemonDeaths,
      git: existsSync(join(bin, 'killed'))
        ? readFileSync(join(bin, 'killed'), 'utf8').split('\n').length - 1
        : 0,
      sm: smDeaths,
    }),
    async close() {
      closing = true;
      rmSync(join(bin, 'armed'), { force: true });
      await back;
      await daemon.dispose();
      await keep;
      const left = readdirSync(temporary).filter((name) => name.startsWith('sm-'));
      rmSync(root, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`left in the temporary folder: ${left.join(', ')}`);
    },
  };
}

const isAway = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A git that dies once, or kills who started it, at the command and the point that a file names. */
function deadlyGit(bin: string, real: string): void {
  const write = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}`);
    chmodSync(join(bin, name), 0o755);
  };
  mkdirSync(join(bin, 'hooks'));
  // Called by git itself, while it holds its locks or has just let go of them.
  for (const hook of ['reference-transaction', 'post-index-change', 'post-checkout'])
    write(
      `hooks/${hook}`,
      `case ${hook} in post-index-change) now=index ;; post-checkout) now=checkout ;; *) now=$1; cat >/dev/null ;; esac
[ "$now" = "$KILL_POINT" ] && [ -f ${bin}/armed ] || exit 0
echo >> ${bin}/count
[ "$(wc -l < ${bin}/count)" -ge "$KILL_AT" ] || exit 0
rm ${bin}/armed || exit 0
echo git >> ${bin}/killed
kill -9 $PPID $KILL_TOO
`,
    );
  // A line for each command, so that two at once are counted as two.
  write(
    'git',
    `[ -f ${bin}/armed ] || exec ${real} "$@"
. ${bin}/armed
if [ $point = time ]; then
  echo >> ${bin}/count
  [ "$(wc -l < ${bin}/count)" -eq "$at" ] || exec ${real} "$@"
  rm -f ${bin}/armed
fi
[ $mode = before ] && kill -9 $PPID && exit 1
if [ $mode = after ]; then ${real} "$@"; kill -9 $PPID; exit 1; fi
[ $mode = both ] && KILL_TOO=$PPID
if [ $point = time ]; then
  exec 3<&0
  ${real} "$@" <&3 &
  sleep $delay
  kill -9 $! 2>/dev/null && echo git >> ${bin}/killed
  [ -n "$KILL_TOO" ] && kill -9 $KILL_TOO
  wait
  exit 137
fi
export KILL_AT=$at KILL_POINT=$point KILL_TOO GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=${bin}/hooks
left=$#
while [ $left -gt 0 ]; do
  word=$1
  shift
  [ "$word" = core.hooksPath=/dev/null ] && word=core.hooksPath=${bin}/hooks
  set -- "$@" "$word"
  left=$((left - 1))
done
exec ${real} "$@"
`,
  );
}
