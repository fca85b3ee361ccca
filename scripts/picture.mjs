// Draws the pictures in README and guide: a small team of scripted agents, `sm all` typed in a real tmux and `sm watch` in
// another, and what their screens then show, as SVG. Run it after a change of what they show: npm run picture
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { svgOf } from './screen-svg.mjs';

const run = promisify(execFile);
const repository = join(dirname(fileURLToPath(import.meta.url)), '..');
const columns = 128;
const root = mkdtempSync(join(tmpdir(), 'sm-picture-'));
const work = join(root, 'home/shop');
const bin = join(root, 'bin');
const config = join(root, 'config.yaml');
for (const folder of [work, bin]) mkdirSync(folder, { recursive: true });
execFileSync('git', ['init', '-q', '-b', 'main', work]);
writeFileSync(config, 'server: { port: 0 }\n');
const program = join(repository, 'dist/sm.cjs');
writeFileSync(join(bin, 'sm'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
const env = {
  PATH: `${bin}:${process.env.PATH}`,
  HOME: join(root, 'home'),
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  SM_HOME: join(root, 'state'),
  SM_CONFIG: config,
};
const sm = async (...args) => (await run('sm', args, { env, cwd: work })).stdout;
const tmux = (...args) =>
  execFileSync('tmux', ['-S', join(root, 'tmux.sock'), '-f', '/dev/null', ...args], {
    env,
    encoding: 'utf8',
  });

const lead = `Fix the login test, and migrate the schema.
[[bash sm spawn scripted --file login.txt --name login]]
[[bash sm spawn scripted --file schema.txt --name schema]]
[[usage 42000]] [[say Both have their work.]]`;
const login = `Why is the login test flaky? [[usage 62000]] [[bash sm status "reproducing the failure"]] [[sleep 120]]`;
const schema = `Migrate the schema. [[usage 96000]] [[bash true]] [[sleep 1]] [[ask npm run migrate]]`;

try {
  writeFileSync(join(work, 'login.txt'), login);
  writeFileSync(join(work, 'schema.txt'), schema);
  await sm('spawn', 'scripted', lead, '--name', 'lead');
  await untilTheyAre({ lead: 'idle', login: 'working', schema: 'blocked' });
  writeFileSync(join(repository, 'docs/sm-watch.svg'), svgOf('A team in sm watch', await watched(), columns));
  writeFileSync(join(root, 'type.sh'), typing(['sm all', 'sm answer schema allow']));
  tmux(
    'new-session',
    '-d',
    '-s',
    'all',
    '-x',
    String(columns),
    '-y',
    '40',
    '-c',
    work,
    `sh ${join(root, 'type.sh')}`,
  );
  tmux('wait-for', 'typed');
  const screen = tmux('capture-pane', '-p', '-e', '-t', 'all');
  writeFileSync(join(repository, 'docs/sm-all.svg'), svgOf('A team in sm all', screen, columns));
} finally {
  await sm('kill', 'login', 'schema', 'lead', '--yes')
    .catch(() => sm('kill', 'login', 'schema', 'lead'))
    .catch(() => {});
  await sm('down').catch(() => {});
  try {
    tmux('kill-server');
  } catch {
    // It had not started.
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** The screen, with the one selected that waits. */
async function watched() {
  const size = ['-x', String(columns), '-y', '28'];
  tmux('new-session', '-d', '-s', 'watch', ...size, '-c', work, 'env -u TMUX sm watch');
  const shown = (...flags) => tmux('capture-pane', '-p', ...flags, '-t', 'watch');
  await untilShown(shown, /WAITING FOR YOU/);
  tmux('send-keys', '-t', 'watch', 'Tab');
  await untilShown(shown, /waiting {2}schema.*Do you want.*a answers.*from lead/s);
  return shown('-e').replaceAll(env.HOME, '~');
}

async function untilShown(shown, wanted) {
  for (let tries = 0; tries < 100; tries += 1) {
    if (wanted.test(shown())) return;
    await delay(100);
  }
  throw new Error(`sm watch does not show ${wanted}:\n${shown()}`);
}

/** Each command as a person sees it, and what it says. */
function typing(commands) {
  const lines = commands.map((command) => `printf '$ %s\\n' '${command}'; ${command}; echo`);
  return `${lines.join('\n')}\ntmux wait-for -S typed\nsleep 60\n`;
}

async function untilTheyAre(wanted) {
  const names = Object.keys(wanted);
  for (let tries = 0; tries < 300; tries += 1) {
    const { sessions } = JSON.parse(await sm('all', '--json'));
    const of = (name) => sessions.find((each) => each.display_name === name);
    const told =
      of('login')?.agent_status_text && names.every((name) => of(name)?.context?.used_percentage != null);
    if (told && names.every((name) => of(name)?.phase === wanted[name])) return;
    await delay(100);
  }
  throw new Error(`They are not ${JSON.stringify(wanted)}: ${await sm('all')}`);
}
