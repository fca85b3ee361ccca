// Runs the tests that need the real agents: a stand-in model, and no way out to the network.
//   npm run test:agents [-- vitest arguments]   the pinned versions
//   npm run test:agents -- --latest             facts and conformance on the newest that are published, and what changed
//   npm run test:agents -- --table FILE         writes the table of the conformance suites, which is printed, to a file too
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFacts } from './changed-facts.mjs';
import { conformanceTable } from './conformance-table.mjs';
import { installAgent, newest, agents as pinned } from './install.mjs';
import { neededBy } from './needs.mjs';

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, '..', '..');
const node = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

/** What `sm` leans on, and the suite that holds for every agent. */
const factsAndConformance = [
  '-facts/',
  '-conformance.test',
  '-protocol.test',
  'agents/claude.test',
  'agents/codex.test',
  'acp-conformance',
];

const given = process.argv.slice(2);
const tableFile = given.includes('--table') ? given[given.indexOf('--table') + 1] : null;
const args = given.filter((arg) => arg !== '--latest' && arg !== '--table' && arg !== tableFile);

node('scripts/ensure-tmux.mjs');
node('scripts/build.mjs');
process.exit(given.includes('--latest') ? onLatest(args) : onPinned(args));

function run(agents, more) {
  const programs = Object.entries(agents).flatMap(([name, agent]) => [
    [variable(name), installAgent(agent)],
    [`${variable(name)}_VERSION`, agent.version],
  ]);
  const isolation = networkIsolation();
  console.log(`running on ${Object.values(agents).map(named).join(', ')}, ${isolation.says}`);
  const [command, ...rest] = [...isolation.prefix, process.execPath, ...vitest('run', more)];
  const { status } = spawnSync(command, rest, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...Object.fromEntries(programs) },
  });
  return status ?? 1;
}

function onPinned(more) {
  return reported(more, (report, reporters) => {
    const status = run(needed(more), [...reporters, ...more]);
    // Where only some cases are asked for, all others count as skipped.
    const some = more.some((arg) => arg === '-t' || arg.startsWith('--testNamePattern'));
    const table =
      some || !existsSync(report) ? null : conformanceTable(JSON.parse(readFileSync(report, 'utf8')));
    if (table !== null) console.log(`\n${table}`);
    if (table !== null && tableFile !== null) writeFileSync(tableFile, `${table}\n`);
    return status;
  });
}

/** `body` gets the file of a report in JSON, and what makes vitest write it: nothing more, where it is asked for already. */
function reported(more, body) {
  const asked = more.find((arg) => arg.startsWith('--outputFile.json='));
  if (asked !== undefined) return body(asked.slice('--outputFile.json='.length), []);
  const place = mkdtempSync(join(tmpdir(), 'sm-report-'));
  const report = join(place, 'report.json');
  try {
    return body(report, ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Those that the chosen files name. */
function needed(chosen) {
  const list = execFileSync(process.execPath, vitest('list', ['--filesOnly', ...chosen, '--json']), {
    cwd: root,
    encoding: 'utf8',
  });
  const variables = neededBy(JSON.parse(list).map(({ file }) => file));
  return Object.fromEntries(Object.entries(pinned).filter(([name]) => variables.has(variable(name))));
}

function vitest(command, more) {
  return ['node_modules/vitest/vitest.mjs', command, '--config', 'test/agents/vitest.config.ts', ...more];
}

function variable(name) {
  return `SM_TEST_${name.toUpperCase().replaceAll('-', '_')}`;
}

function onLatest(more) {
  const files = more.some((arg) => !arg.startsWith('-')) ? [] : factsAndConformance;
  const chosen = Object.entries(needed([...more, ...files]));
  const agents = Object.fromEntries(chosen.map(([name, agent]) => [name, newest(agent)]));
  return reported(more, (report, reporters) => {
    // What was only late is no fact.
    const status = run(agents, ['--retry=1', ...reporters, ...more, ...files]);
    const names = Object.fromEntries(Object.entries(agents).map(([key, agent]) => [key, named(agent)]));
    const { changed, lines } = changedFacts(JSON.parse(readFileSync(report, 'utf8')), folder, names);
    console.log(`\n${lines.join('\n')}`);
    if (status !== 0 && !changed) console.log('The run itself failed: see above.');
    return status === 0 && !changed ? 0 : 1;
  });
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
