// Runs the tests that need the real agents: pinned versions, a stand-in model, and no way out to the network.
//   npm run test:agents [-- vitest arguments]
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claude, codex, installAgent } from './install.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

node('scripts/ensure-tmux.mjs');
node('scripts/build.mjs');
const programs = { claude: installAgent(claude), codex: installAgent(codex) };
const isolation = networkIsolation();
console.log(
  `running on ${claude.name} ${claude.version} and ${codex.name} ${codex.version}, ${isolation.says}`,
);

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/agents/vitest.config.ts'];
const [command, ...args] = [...isolation.prefix, process.execPath, ...vitest, ...process.argv.slice(2)];
const { status } = spawnSync(command, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    SM_TEST_CLAUDE: programs.claude,
    SM_TEST_CLAUDE_VERSION: claude.version,
    SM_TEST_CODEX: programs.codex,
    SM_TEST_CODEX_VERSION: codex.version,
  },
});
process.exit(status ?? 1);

/** A network namespace with only the loopback interface up, where this system lets us make one. */
function networkIsolation() {
  const upThenRun = 'ip link set lo up && exec "$@"';
  for (const flags of ['-n', '-rn']) {
    const prefix = ['unshare', flags, 'sh', '-c', upThenRun, 'sh'];
    const works = spawnSync(prefix[0], [...prefix.slice(1), 'true'], { stdio: 'ignore' }).status === 0;
    if (works) return { prefix, says: 'with no network but the loopback interface' };
  }
  return { prefix: [], says: 'NOT cut off from the network (no permission for a network namespace here)' };
}
