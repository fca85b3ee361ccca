// Would the tests notice? Changes the code of the domain and the engine in every place where that can be done in a
// small way, one at a time, and counts which changes some test notices.
//   npm run test:mutants [-- ROOM…]     src/domain/turns, src/engine …; all rooms, if none is named
// It runs in a copy of the checkout, with Stryker and the newer Node that it needs: neither is a dependency of sm.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const stryker = '10.1.1';
const nodeVersion = '24.21.0';
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const cache = join(process.env.SM_AGENT_CACHE || join(homedir(), '.cache', 'sm'), 'mutation');
const place = join(cache, 'checkout');
const reports = join(root, 'reports', 'mutation');

const rooms = process.argv.length > 2 ? process.argv.slice(2) : allRooms();
prepare();
mkdirSync(reports, { recursive: true });
const scores = rooms.map((room) => ({ room, ...measure(room) }));
print(scores);
const whole = sum(scores);
process.exit(whole.noticed / whole.mutants >= 0.85 ? 0 : 1);

function allRooms() {
  const inDomain = readdirSync(join(root, 'src/domain'), { withFileTypes: true });
  const folders = inDomain.filter((each) => each.isDirectory()).map(({ name }) => `src/domain/${name}`);
  return [...folders, 'src/domain/*.ts', 'src/engine'];
}

function prepare() {
  const npm = (...args) =>
    execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel', 'error'], {
      cwd: place,
      stdio: 'inherit',
    });
  const keep = join(place, 'node_modules');
  for (const name of existsSync(place) ? readdirSync(place) : [])
    if (name !== 'node_modules') rmSync(join(place, name), { recursive: true });
  mkdirSync(place, { recursive: true });
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of files.split('\n').filter((each) => each && existsSync(join(root, each))))
    cpSync(join(root, file), join(place, file), { recursive: true });
  if (!existsSync(join(keep, '@stryker-mutator'))) {
    npm('ci', '--ignore-scripts');
    const more = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${stryker}`);
    npm('install', '--no-save', '--ignore-scripts', ...more);
  }
  const node = join(cache, 'node');
  if (!existsSync(node))
    npm(
      'install',
      '--prefix',
      node,
      '--ignore-scripts',
      `node-${process.platform}-${process.arch}@${nodeVersion}`,
    );
}

function measure(room) {
  const report = join(reports, `${room.replaceAll(/[/*]+/g, '-').replace(/-?\.ts$/, '')}.json`);
  const config = {
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts' },
    mutate: [room.endsWith('.ts') ? room : `${room}/**/*.ts`, '!**/*.test.ts'],
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.MUTATION_WORKERS ?? 2),
    // It reads none that the compiler of this project would understand.
    tsconfigFile: 'none.json',
    plugins: ['@stryker-mutator/vitest-runner'],
    ignoreStatic: true,
    reporters: ['json'],
    jsonReporter: { fileName: report },
    timeoutMS: 10_000,
  };
  const file = join(place, 'stryker.config.json');
  writeFileSync(file, JSON.stringify(config));
  const bin = join(cache, 'node/node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  const { status } = spawnSync(
    join(bin, 'node'),
    ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', file],
    {
      cwd: place,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    },
  );
  if (status !== 0) throw new Error(`Stryker failed on ${room}`);
  const score = count(JSON.parse(readFileSync(report, 'utf8')));
  console.log(line({ room, ...score }));
  return score;
}

function count({ files }) {
  const mutants = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((each) => ({ ...each, file })),
  );
  const counted = mutants.filter(
    ({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status),
  );
  const lives = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  return { mutants: counted.length, noticed: counted.length - lives.length };
}

function sum(all) {
  return {
    mutants: all.reduce((before, { mutants }) => before + mutants, 0),
    noticed: all.reduce((before, { noticed }) => before + noticed, 0),
  };
}

function line({ room, mutants, noticed }) {
  const share = ((100 * noticed) / mutants).toFixed(1);
  return `${room.padEnd(24)} ${String(mutants).padStart(7)} ${String(noticed).padStart(8)} ${share.padStart(6)} %`;
}

function print(all) {
  console.log(`\n${'room'.padEnd(24)} changes  noticed`);
  for (const each of all) console.log(line(each));
  console.log(line({ room: 'all', ...sum(all) }));
  console.log(`What nobody noticed, place by place: ${reports}`);
}
