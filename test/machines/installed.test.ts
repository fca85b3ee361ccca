// The package as a user gets it: packed, installed with `npm install -g FILE`, on a machine without compilers.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const checkout = join(import.meta.dirname, '../..');
const compilers =
  /^(?:.*-)?(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+|make|cmake|ninja|node-gyp|python3?|tsc|esbuild)(?:-[\d.]+)?$/;
let root: string;
let env: Record<string, string>;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-installed-'));
  for (const folder of ['bin', 'home', 'prefix']) mkdirSync(join(root, folder));
  const seen = new Set<string>();
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of namesIn(folder))
      if (!compilers.test(name) && !seen.has(name)) {
        seen.add(name);
        symlinkSync(join(folder, name), join(root, 'bin', name));
      }
  writeFileSync(join(root, 'config.yaml'), 'server: { port: 0 }\n');
  env = {
    PATH: [join(root, 'prefix/bin'), join(root, 'bin')].join(delimiter),
    HOME: join(root, 'home'),
    SM_HOME: join(root, 'state'),
    SM_CONFIG: join(root, 'config.yaml'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  };
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', root];
  const file = execFileSync('npm', pack, { cwd: checkout, encoding: 'utf8' }).trim();
  const install = [
    'install',
    '-g',
    join(root, file),
    '--prefix',
    join(root, 'prefix'),
    '--no-audit',
    '--no-fund',
  ];
  // Where packages come from, and how to get there, is the user's own setting.
  execFileSync('npm', install, { cwd: root, env: { ...process.env, PATH: env.PATH }, stdio: 'pipe' });
}, 600_000);
afterAll(() => {
  run('sm', 'down');
  rmSync(root, { recursive: true, maxRetries: 10 });
});

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

function run(command: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

it('there is no compiler', () => {
  for (const name of ['cc', 'gcc', 'make', 'python3'])
    expect(run('sh', '-c', `command -v ${name}`).status).not.toBe(0);
});

it('sm is there, with its version, its man page and its hook programs', () => {
  expect(run('sm', '--version')).toMatchObject({ status: 0, said: expect.stringMatching(/\d+\.\d+\.\d+/) });
  expect(readdirSync(join(root, 'prefix/lib/node_modules/sm/man'))).toContain('sm.1');
  expect(readdirSync(join(root, 'prefix/lib/node_modules/sm/hooks'))).toContain('hook.sh');
});

it('sm doctor finds nothing that fails', () => {
  expect(run('sm', 'up')).toMatchObject({ status: 0 });
  const { said } = run('sm', 'doctor');
  expect(said).toContain('ok   daemon');
  expect(said).not.toMatch(/^fail /m);
});

it('a session works', () => {
  expect(run('sm', 'spawn', 'scripted', 'hello [[say done]]', '--name', 'w')).toMatchObject({ status: 0 });
  expect(run('sm', 'wait', 'w', '60')).toMatchObject({ status: 0 });
  expect(run('sm', 'kill', 'w')).toMatchObject({ status: 0 });
});

it('sm demo runs to its end', { timeout: 300_000 }, () => {
  expect(run('sm', 'demo')).toMatchObject({ status: 0 });
});
