// The machines that are tried: what is otherwise there than here, and which part of the suites says whether that matters.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { nodeOf, tmuxOf, tmuxVersions } from './programs.mjs';

const here = import.meta.dirname;
const delivery = ['test/conformance/provider', 'test/e2e/daemon.test.ts', 'test/e2e/messages.test.ts'];
const inside = (script) => ['unshare', '--mount', 'sh', join(here, 'in', script)];
/** The variables of the daemon, of `sm` and of the agents under test. */
const theirs = (variables) => ({ SM_TEST_MACHINE_ENV: JSON.stringify(variables) });
const first = (folder) => ({ PATH: [folder, process.env.PATH].join(delimiter) });

const nodes = ['20', '22', '24', '26'].map((major) => ({
  name: `node-${major}`,
  prepare: () => {
    const folder = nodeOf(major);
    return { node: join(folder, 'node'), env: first(folder) };
  },
  files: ['src/store', 'src/terminal', 'src/headless', 'test/hooks', 'test/conformance', ...delivery],
}));

const tmuxes = tmuxVersions.map((version) => ({
  name: `tmux-${version}`,
  prepare: () => ({ env: first(tmuxOf(version)) }),
  files: ['src/terminal', 'test/conformance/provider', 'test/e2e/attach.test.ts', 'test/e2e/screen.test.ts'],
}));

/** `needs`: what it takes to make it, beside what is always there. */
export const machines = [
  ...nodes,
  ...tmuxes,
  {
    name: 'busybox',
    needs: ['root', 'busybox'],
    prepare: () => ({ wrap: inside('busybox.sh') }),
    files: ['test/hooks', 'src/terminal', ...delivery],
  },
  {
    name: 'like-a-mac',
    needs: ['root', 'lsof'],
    prepare: () => ({
      wrap: inside('mac.sh'),
      env: theirs({ NODE_OPTIONS: `--require ${join(here, 'mac/platform.cjs')}` }),
    }),
    files: [
      'test/hooks',
      ...delivery,
      'test/e2e/survive.test.ts',
      'test/e2e/restore-all.test.ts',
      'test/e2e/worktree-removal.test.ts',
    ],
  },
  {
    name: 'lang-c',
    prepare: () => ({ env: { LANG: 'C', ...theirs({ LANG: 'C' }) } }),
    files: [...delivery, 'test/e2e/attach.test.ts', 'test/e2e/screen.test.ts'],
  },
  {
    name: 'slow-disk',
    needs: ['cc'],
    prepare: () => {
      const folder = mkdtempSync(join(tmpdir(), 'sm-slow-'));
      const library = join(folder, 'slow-disk.so');
      execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(here, 'in/slow-disk.c'), '-ldl']);
      return {
        env: theirs({ LD_PRELOAD: library, SLOW_DISK_MS: '30' }),
        undo: () => rmSync(folder, { recursive: true }),
      };
    },
    files: [...delivery, 'test/e2e/survive.test.ts'],
  },
  { name: 'installed', prepare: () => ({}), files: ['test/machines/installed.test.ts'] },
  { name: 'places', prepare: () => ({}), files: ['test/machines/places.test.ts'] },
];
