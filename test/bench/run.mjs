// How fast it is, against the goals: one line per figure. A report, not a test.
//   npm run bench [-- --json] [-- --only NAME]… [-- --record] [-- --check]
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { cleanUp, cleanUpOnSignals } from './cleanup.mjs';
import { root } from './paths.mjs';
import { record, regressions } from './records.mjs';
import { toJson, toLine } from './report.mjs';

const figures = [
  'status',
  'all',
  'completion',
  'hook-program',
  'hook-endpoint',
  'policies',
  'start-delay',
  'worktree',
  'idle',
  'first-message',
  'send',
  'turn-end',
  'fan-out',
  'queue',
  'reminders',
  'handoff',
  'claude',
  'claude-app',
  'codex',
  'store',
  'history',
  'search',
  'digest',
  'terminal',
  'screen',
  'page',
  'fleet',
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    record: { type: 'boolean' },
    check: { type: 'boolean' },
  },
});
const unknown = values.only?.find((name) => !figures.includes(name));
if (unknown !== undefined) {
  console.error(`There is no figure "${unknown}". There are: ${figures.join(', ')}`);
  process.exit(1);
}

cleanUpOnSignals();
execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

const measured = [];
for (const name of values.only ?? figures) {
  const { measure } = await import(`./figures/${name}.mjs`);
  try {
    for (const figure of await measure()) {
      measured.push(figure);
      if (!values.json) console.log(toLine(figure));
    }
  } catch (error) {
    console.error(`${name} could not be measured: ${error.stack}`);
    process.exitCode = 1;
  }
  await cleanUp();
}
const load = loadavg().map((each) => Number(each.toFixed(2)));
if (values.json) console.log(JSON.stringify({ figures: measured.map(toJson), load }, null, 2));
else console.log(`The load of the machine was ${load.join(', ')}.`);
if (values.check) {
  const worse = regressions(measured);
  for (const each of worse) console.error(`WORSE  ${each}`);
  if (worse.length > 0) process.exitCode = 1;
}
// A record has everything, or it would seem that a figure has gone.
if (values.record && !values.only && !process.exitCode) record(measured, load);
