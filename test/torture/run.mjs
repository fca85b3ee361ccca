// A team of scripted agents under a random life and random faults, judged by what the agents themselves have.
//   npm run torture -- [--minutes N] [--agents K] [--seed S]
// The same seed is the same plan of life and faults; what it meets differs with the moment (docs/decisions/0061).
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, agents: { type: 'string' }, seed: { type: 'string' } },
});
const env = { ...process.env };
for (const [name, value] of Object.entries(values)) env[`TORTURE_${name.toUpperCase()}`] = value;
const root = join(import.meta.dirname, '../..');
const args = ['vitest', 'run', '--config', 'test/torture/vitest.config.ts'];
process.exitCode = spawnSync('npx', args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;
