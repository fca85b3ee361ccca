// The program itself, bundled as it is shipped.
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StandIn, session, standInDaemon } from '../../test/support/stand-in-daemon.ts';

let folder: string;
let daemon: StandIn;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sm-main-'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}');
  await build({
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile: join(folder, 'dist/sm.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'error',
    // A bundle of its own, as it is shipped.
    external: ['*/mcp/mcp.ts'],
  });
  symlinkSync(join(folder, 'dist/sm.cjs'), join(folder, 'sm'));
  const sessions = Array.from({ length: 2000 }, (_, number) =>
    session({ id: String(number), name: `s${number}` }),
  );
  daemon = await standInDaemon(
    { 'GET /sessions?fleet=true': { sessions }, 'GET /rows': { rows: sessions } },
    '1.2.3',
  );
});
afterAll(async () => {
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ PATH: process.env.PATH, SM_HOME: daemon.home });

function sm(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = { env: env(), maxBuffer: 100e6 };
    execFile(process.execPath, [join(folder, 'sm'), ...argv], options, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

test('it can be run as a program', () => {
  expect(readFileSync(join(folder, 'dist/sm.cjs'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test('a long answer goes whole through a pipe', async () => {
  const { code, out } = await sm('all', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(out).sessions).toHaveLength(2000);
});

test('a reader who has seen enough is no error', async () => {
  const child = spawn(process.execPath, [join(folder, 'sm'), 'all'], { env: env() });
  let err = '';
  child.stderr.on('data', (chunk) => (err += chunk));
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, err]).toEqual([0, '']);
});

test('standard input is read as bytes, and no more of it than a message takes', async () => {
  const send = (input: Buffer) =>
    new Promise<string>((resolve) => {
      const child = spawn(process.execPath, [join(folder, 'sm'), 'send', 'x', '-'], { env: env() });
      let err = '';
      child.stderr.on('data', (chunk) => (err += chunk));
      child.stdin.on('error', () => {}); // it stops reading
      child.stdin.end(input);
      child.once('close', (code) => resolve(`${code} ${err}`));
    });
  const [latin, long] = await Promise.all([
    send(Buffer.from('caf\xe9', 'latin1')),
    send(Buffer.alloc(8 * 1024 * 1024, 'x')),
  ]);
  expect(latin).toMatch(/^1 Error: The text is not UTF-8/);
  expect(long).toMatch(/^1 Error: The text is longer than 1 MB/);
});

test('version, help and mistakes', async () => {
  const [version, overview, help, mistake, outside] = await Promise.all([
    sm('--version'),
    sm(),
    sm('help', 'spawn'),
    sm('chidlren'),
    sm('me'),
  ]);
  expect(version).toEqual({ code: 0, out: '1.2.3\n', err: '' });
  expect(overview.out).toMatch(/Start and stop agents\n {2}sm claude /);
  expect(help.out).toMatch(/^Usage: sm spawn \[claude\|/);
  expect(mistake).toEqual({
    code: 1,
    out: '',
    err: 'Error: Unknown command "chidlren". Did you mean: sm children? See: sm --help\n',
  });
  expect(outside.code).toBe(2);
});

test('a word that other programs have, and an option of none, lead to ours', async () => {
  const [list, help] = await Promise.all([sm('ls'), sm('--hepl')]);
  expect(list.err).toBe('Error: Unknown command "ls". Did you mean: sm all? See: sm --help\n');
  expect(help.err).toBe('Error: Unknown option "--hepl". Did you mean: sm --help? See: sm --help\n');
});

test('only what a command needs is loaded', async () => {
  const bundle = readFileSync(join(folder, 'dist/sm.cjs'), 'utf8');
  for (const slow of ['zod', 'fetch(']) expect(bundle).not.toContain(slow);
  // What it asks the daemon for by a plain request, it asks for without node:http.
  const tellLoaded = join(folder, 'loaded.cjs');
  writeFileSync(tellLoaded, "process.on('exit', () => console.error(process.moduleLoadList.join('\\n')))");
  const args = ['--require', tellLoaded, join(folder, 'sm'), 'all'];
  const loaded = await new Promise<string>((resolve) =>
    execFile(process.execPath, args, { env: env(), maxBuffer: 100e6 }, (_error, _out, err) => resolve(err)),
  );
  expect(loaded).toMatch(/^NativeModule net$/m);
  expect(loaded).not.toMatch(/^NativeModule (_?http|timers\/promises)/m);
});
