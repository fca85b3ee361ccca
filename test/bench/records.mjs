// The figures of each release, kept in docs/figures.json, and the page that is made from them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { round } from './report.mjs';

const data = join(root, 'docs/figures.json');
const page = join(root, 'docs/figures.md');
/** How much worse a figure may be than in the last record. */
const tolerance = 1.2;

const records = () => (existsSync(data) ? JSON.parse(readFileSync(data, 'utf8')) : []);

/** Of a version there is one record: the last. */
export function record(figures, load) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const kept = figures.map(({ name, what, value, unit, goal = null, detail = null }) => ({
    name,
    what,
    value: Number(round(value)),
    unit,
    goal,
    detail,
  }));
  const now = { version, at: new Date().toISOString().slice(0, 10), machine: machine(), load, figures: kept };
  const all = [...records().filter((each) => each.version !== version), now];
  writeFileSync(data, `${JSON.stringify(all, null, 2)}\n`);
  writeFileSync(page, pageOf(all));
}

/** What is worse than it was; figures that are new, or not measured now, say nothing. */
export function regressions(figures) {
  const last = records().at(-1);
  const before = new Map((last?.figures ?? []).map((figure) => [figure.name, figure]));
  return figures.flatMap((figure) => {
    const was = before.get(figure.name);
    if (!was || was.value === 0) return [];
    const ratio = isHigherBetter(figure) ? was.value / figure.value : figure.value / was.value;
    if (ratio <= tolerance) return [];
    const { what, value, unit } = figure;
    return [`${what}: ${round(value)} ${unit}, was ${round(was.value)} ${unit} in ${last.version}`];
  });
}

const isHigherBetter = ({ goal, unit }) => (goal ? goal.atLeast !== undefined : unit.endsWith('/s'));

function machine() {
  const first = (command, ...args) => execFileSync(command, args, { encoding: 'utf8' }).trim();
  const [{ model }] = cpus();
  return {
    processor: `${cpus().length} × ${model.trim()} (${arch()})`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `Linux ${release()}`,
    node: process.version,
    tmux: first('tmux', '-V'),
  };
}

function pageOf(all) {
  const [now, ...earlier] = [...all].reverse();
  const machineOf = ({ machine: { processor, memory, system, node, tmux } }) =>
    `${processor}, ${memory}, ${system}, Node ${node}, ${tmux}`;
  const past = earlier.slice(0, 4);
  const head = ['figure', now.version, 'goal', ...past.map(({ version }) => version), 'measured as'];
  const rows = now.figures.map(({ name, what, value, unit, goal, detail }) => [
    what,
    `${round(value)} ${unit}`,
    goalOf(goal, unit),
    ...past.map((each) => valueIn(each, name)),
    detail ?? '',
  ]);
  const cell = (text) => text.replaceAll('|', '\\|');
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return `${[
    '# Figures',
    '',
    'Made by `npm run bench -- --record`; do not edit. To repeat it: `npm ci && npm run bench`. What each figure is and how it is',
    'measured stands in [test/bench](../test/bench/README.md); the raw data of all releases in [figures.json](figures.json).',
    '`npm run bench -- --check` fails when a figure is more than 20 % worse than in the last record.',
    '',
    `Version ${now.version}, ${now.at}, on ${machineOf(now)}. The load of the machine was ${now.load.join(', ')}.`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
    ...past.map((each) => `${each.version}: ${each.at}, on ${machineOf(each)}.`),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function goalOf(goal, unit) {
  if (!goal) return '';
  return goal.atMost !== undefined ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`;
}

function valueIn({ figures }, name) {
  const found = figures.find((figure) => figure.name === name);
  return found ? `${round(found.value)} ${found.unit}` : '';
}
