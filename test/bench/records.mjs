// The figures of each release, kept in docs/figures.json, and the page that is made from them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { round } from './report.mjs';

/** Elsewhere for a trial. */
const folder = process.env.BENCH_RECORDS || join(root, 'docs');
const data = join(folder, 'figures.json');
const page = join(folder, 'figures.md');
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
export function regressions(figures, all = records()) {
  const last = all.at(-1);
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

/** Every release stays on the page: the newest first, with the one before it beside its figures. */
export function pageOf(all) {
  const releases = [...all].reverse();
  const [now] = releases;
  return `${[
    '# Figures',
    '',
    'Made by `npm run bench -- --record`; do not edit. To repeat it: `npm ci && npm run bench`. What each figure is and how it is',
    'measured stands in [test/bench](../test/bench/README.md); the data of all releases in [figures.json](figures.json).',
    '`npm run bench -- --check` fails when a figure is more than 20 % worse than in the last record. What other programs of this',
    'kind promise is in [comparison.md](comparison.md).',
    '',
    ...releases.flatMap((release, at) => [...section(release, releases[at + 1], release === now), '']),
  ]
    .join('\n')
    .trimEnd()}\n`;
}

function section(release, before, isNewest) {
  const { version, at, load, figures } = release;
  const { processor, memory, system, node, tmux } = release.machine;
  const head = ['figure', version, 'goal', ...(before ? [before.version] : []), 'measured as'];
  const rows = figures.map(({ name, what, value, unit, goal, detail }) => [
    what,
    `${round(value)} ${unit}`,
    goalOf(goal, unit),
    ...(before ? [valueIn(before, name)] : []),
    detail ?? '',
  ]);
  const line = (cells) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    `## ${version}${isNewest ? ', the newest' : ''}`,
    '',
    `${at}, on ${processor}, ${memory}, ${system}, Node ${node}, ${tmux}. The load of the machine was ${load.join(', ')}.`,
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
  ];
}

function goalOf(goal, unit) {
  if (!goal) return '';
  return goal.atMost !== undefined ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`;
}

function valueIn({ figures }, name) {
  const found = figures.find((figure) => figure.name === name);
  return found ? `${round(found.value)} ${found.unit}` : '';
}
