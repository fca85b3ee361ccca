// Runs the tests that need the real agents: a stand-in model, and no way out to the network.
//   npm run test:agents [-- vitest arguments]   the pinned versions
//   npm run test:agents -- --latest             facts and conformance on the newest that are published, and what changed
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFacts } from './changed-facts.mjs';
import { claude, codex, installAgent, newest, opencode } from './install.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

/** What `sm` leans on, and the suite that holds for every agent. */
const factsAndConformance = [
  'claude-facts/',
  'agents/claude.test',
  'agents/codex.test',
  'claude-app-conformance',
  'codex-app-conformance',
  'codex-app-protocol',
  'opencode-app-conformance',
];

const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== '--latest');

node('scripts/ensure-tmux.mjs');
node('scripts/build.mjs');
process.exit(given.includes('--latest') ? onLatest(args) : run({ claude, codex, opencode }, args));

function run(agents, more) {
  const programs = Object.entries(agents).flatMap(([name, agent]) => [
    [`SM_TEST_${name.toUpperCase()}`, installAgent(agent)],
    [`SM_TEST_${name.toUpperCase()}_VERSION`, agent.version],
  ]);
  const isolation = networkIsolation();
  console.log(`running on ${Object.values(agents).map(named).join(', ')}, ${isolation.says}`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/agents/vitest.config.ts'];
  const [command, ...rest] = [...isolation.prefix, process.execPath, ...vitest, ...more];
  const { status } = spawnSync(command, rest, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(programs) },
  });
  return status ?? 1;
}

function onLatest(more) {
  const agents = { claude: newest(claude), codex: newest(codex), opencode: newest(opencode) };
  const files = more.some((arg) => !arg.startsWith('-')) ? [] : factsAndConformance;
  const place = mkdtempSync(join(tmpdir(), 'sm-latest-'));
  try {
    const report = join(place, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    // What was only late is no fact.
    const status = run(agents, ['--retry=1', ...reporters, ...more, ...files]);
    const names = Object.fromEntries(Object.entries(agents).map(([key, agent]) => [key, named(agent)]));
    const { changed, lines } = changedFacts(JSON.parse(readFileSync(report, 'utf8')), folder, names);
    console.log(`\n${lines.join('\n')}`);
    if (status !== 0 && !changed) console.log('The run itself failed: see above.');
    return status === 0 && !changed ? 0 : 1;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function named({ name, version }) {
  return `${name} ${version}`;
}

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
