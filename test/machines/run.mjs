// A part of the suites on other machines than this one: npm run test:machines [-- NAME…]. `--list` names them.
// One line for each: what became of it, how many tests ran, and how long they took.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machines } from './machines.mjs';

const wanted = process.argv.slice(2);
const names = machines.map(({ name }) => name);
if (wanted.includes('--list')) {
  console.log(names.join('\n'));
  process.exit(0);
}
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no machine "${unknown}". There are: ${names.join(', ')}`);
  process.exit(1);
}

const root = join(import.meta.dirname, '../..');
const reports = mkdtempSync(join(tmpdir(), 'sm-machines-'));
let failed = 0;
for (const machine of machines) {
  if (wanted.length > 0 && !wanted.includes(machine.name)) continue;
  const missing = (machine.needs ?? []).find((need) => !isThere(need));
  // Asked for by its name, a machine that cannot be made is a failure.
  if (missing !== undefined && wanted.length === 0) {
    say(machine.name, `skipped: it takes ${missing}`);
    continue;
  }
  try {
    if (missing !== undefined) throw new Error(`it takes ${missing}`);
    tryOn(machine);
  } catch (error) {
    failed += 1;
    say(machine.name, `FAILED: ${error.message}`);
  }
}
rmSync(reports, { recursive: true });
process.exitCode = failed > 0 ? 1 : 0;

function tryOn({ name, prepare, files }) {
  const { node = process.execPath, env = {}, wrap = [], undo = () => {} } = prepare();
  const report = join(reports, `${name}.json`);
  const suite = [
    node,
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    'test/machines/vitest.config.ts',
  ];
  const [command, ...args] = [...wrap, ...suite, ...files, '--reporter=json', `--outputFile.json=${report}`];
  const began = Date.now();
  const { status, stderr } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  });
  undo();
  const took = `${Math.round((Date.now() - began) / 1000)} s`;
  const found = read(report);
  if (!found) throw new Error(`the suites did not run: ${stderr.slice(-1500)}`);
  if (status === 0 && found.numPassedTests > 0)
    return say(name, `ok: ${found.numPassedTests} tests, ${took}; ${versions(node, env)}`);
  for (const test of found.testResults.flatMap((file) => file.assertionResults))
    if (test.status === 'failed')
      console.log(`  ${test.fullName}\n    ${test.failureMessages.join('\n').slice(0, 800)}`);
  throw new Error(`${found.numFailedTests} of ${found.numTotalTests} tests, ${took}; ${versions(node, env)}`);
}

function say(name, what) {
  console.log(`${name.padEnd(16)}${what}`);
}

function read(report) {
  try {
    return JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return null;
  }
}

function versions(node, env) {
  const said = (command, arg) =>
    spawnSync(command, [arg], { env: { ...process.env, ...env }, encoding: 'utf8' }).stdout.trim();
  return `Node ${said(node, '--version')}, ${said('tmux', '-V')}`;
}

function isThere(need) {
  if (need === 'root')
    return process.getuid() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
  return spawnSync('sh', ['-c', `command -v ${need}`]).status === 0;
}
