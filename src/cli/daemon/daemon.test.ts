// Starting and stopping the daemon, with a small program in its place that keeps the same promises.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testIo } from '../../../test/support/io.ts';
import { run } from '../run.ts';

/** Holds a lock, writes down its environment, answers, and ends on SIGTERM. */
const program = `
const fs = require('node:fs');
const http = require('node:http');
const home = process.env.SM_HOME;
try {
  fs.writeFileSync(home + '/lock', '', { flag: 'wx' });
} catch {
  console.error('another one runs');
  process.exit(75);
}
fs.appendFileSync(home + '/started', JSON.stringify({ cwd: process.cwd(), env: process.env }) + '\\n');
const health = { status: 'healthy', version: '9', pid: process.pid, state_dir: home, started_at: new Date().toISOString() };
const server = http.createServer((request, response) =>
  response.end(JSON.stringify(request.url === '/health' ? health : { rows: [] })),
);
fs.rmSync(home + '/sm.sock', { force: true });
server.listen(home + '/sm.sock');
process.on('SIGTERM', () => {
  fs.rmSync(home + '/lock');
  process.exit(0);
});
`;

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-daemon-'));
  home = join(folder, 'state');
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/daemon.cjs'), program);
});
afterEach(async () => {
  await sm(['down']);
  rmSync(folder, { recursive: true, force: true });
});

async function sm(argv: string[], env: Record<string, string> = {}) {
  const io = testIo({
    cwd: folder,
    programDir: join(folder, 'dist'),
    env: { SM_HOME: 'state', PATH: process.env.PATH, ...env },
    now: Date.now,
  });
  const code = await run(argv, io);
  return { code, ...io.printed, ran: io.ran };
}

const starts = () => readFileSync(join(home, 'started'), 'utf8').trimEnd().split('\n');

test('a command starts it, and sheds what belongs to its caller', async () => {
  const caller = {
    TMUX: 'x',
    TMUX_PANE: '%1',
    CLAUDECODE: '1',
    CLAUDE_SESSION_MANAGER_ID: 'aaaa',
    SM_CALLER: 'aaaa.key',
    KEPT: 'yes',
  };
  expect(await sm(['all'], caller)).toMatchObject({
    code: 0,
    out: 'No sessions. Start one with: sm claude\n',
  });
  const { cwd, env } = JSON.parse(starts()[0] as string);
  expect(cwd).toBe('/');
  expect(env).toMatchObject({ SM_HOME: home, KEPT: 'yes' });
  for (const name of Object.keys(caller)) if (name !== 'KEPT') expect(env).not.toHaveProperty(name);
});

test('up may be said twice, down too', async () => {
  const first = await sm(['up', '--json']);
  const { pid } = JSON.parse(first.out);
  expect((await sm(['up'])).out).toMatch(new RegExp(`^sm is running \\(pid ${pid}, version 9, `));
  expect(starts()).toHaveLength(1);
  expect(await sm(['down'])).toMatchObject({
    code: 0,
    out: 'sm has stopped.\n',
  });
  expect(existsSync(join(home, 'lock'))).toBe(false);
  expect(await sm(['down'])).toMatchObject({ code: 0, out: 'sm is not running.\n' });
});

const isOf = (version: string) => writeFileSync(join(folder, 'package.json'), JSON.stringify({ version }));

test('up lets a daemon of its own version or a newer one be, and says the latter', async () => {
  isOf('9');
  expect(await sm(['up'])).toMatchObject({ code: 0, err: '' });
  isOf('8.4.0');
  expect(await sm(['up'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('version 9'),
    err: 'The running daemon (9) is newer than this sm (8.4.0). Update sm.\n',
  });
  expect(starts()).toHaveLength(1);
});

test('up replaces an older one, and gives up when something else starts that again and again', async () => {
  await sm(['up']);
  isOf('10.0.0');
  const { code, err } = await sm(['up']);
  expect(code).toBe(1);
  expect(err).toMatch(/^Replacing the daemon of version 9 \(pid \d+\) with 10\.0\.0\.\n/);
  expect(err).toContain('Something keeps starting a daemon of version 9');
  writeFileSync(join(folder, 'dist/daemon.cjs'), program.replace("version: '9'", "version: '10.0.0'"));
  expect(await sm(['up'])).toMatchObject({ code: 0, out: expect.stringContaining('version 10.0.0') });
});

test('one that waits for the lock of one that goes takes its turn', async () => {
  mkdirSync(home);
  writeFileSync(join(home, 'lock'), '');
  // The old one is gone as soon as the first of ours has found the lock.
  const freeing = program.replace('process.exit(75)', "fs.rmSync(home + '/lock'), process.exit(75)");
  writeFileSync(join(folder, 'dist/daemon.cjs'), freeing);
  expect(await sm(['up'])).toMatchObject({ code: 0 });
});

test('one that cannot start is quoted: exit code 2', async () => {
  mkdirSync(join(home, 'logs'), { recursive: true });
  writeFileSync(join(home, 'logs/daemon.out'), 'of yesterday\n');
  writeFileSync(
    join(folder, 'dist/daemon.cjs'),
    "console.error('Error: port 8420 is taken'); process.exit(1);",
  );
  expect(await sm(['all'])).toMatchObject({
    code: 2,
    err: 'Error: The daemon did not start. It said:\nError: port 8420 is taken\n',
  });
});

test('what they have said is turned over when it has become long', async () => {
  const out = join(home, 'logs/daemon.out');
  mkdirSync(join(home, 'logs'), { recursive: true });
  writeFileSync(out, 'x'.repeat(1024 * 1024 + 1));
  writeFileSync(join(folder, 'dist/daemon.cjs'), `console.log('here I am');${program}`);
  expect(await sm(['up'])).toMatchObject({ code: 0 });
  expect(readFileSync(out, 'utf8')).toBe('here I am\n');
  expect(statSync(`${out}.1`).size).toBe(1024 * 1024 + 1);
});

test('one that is not there: exit code 2', async () => {
  rmSync(join(folder, 'dist/daemon.cjs'));
  expect(await sm(['status'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('daemon.cjs is missing'),
  });
});

test('a state directory that cannot be made: exit code 2', async () => {
  expect(await sm(['all'], { SM_HOME: join(folder, 'dist/daemon.cjs/x') })).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^Error: /),
  });
});

test('hooks are a matter of the program that knows the agents', async () => {
  expect((await sm(['hooks', 'install'])).ran[0]?.args).toEqual([
    join(folder, 'dist', 'daemon.cjs'),
    '--hooks',
    'install',
  ]);
  expect((await sm(['hooks', 'status', '--json'])).ran[0]?.args.slice(1)).toEqual([
    '--hooks',
    'status',
    '--json',
  ]);
  const wrong = await sm(['hooks', 'remove']);
  expect([wrong.code, wrong.ran]).toEqual([1, []]);
  expect(wrong.err).toContain('Use one of: install, status, uninstall.');
});

test('doctor and demo are programs of their own', async () => {
  writeFileSync(join(folder, 'dist/demo.cjs'), '');
  const file = (name: string) => join(folder, 'dist', name);
  expect((await sm(['doctor', '--json'])).ran[0]?.args).toEqual([file('daemon.cjs'), '--doctor', '--json']);
  expect((await sm(['demo'])).ran[0]?.args).toEqual([file('demo.cjs')]);
  expect(existsSync(join(home, 'started'))).toBe(false);
});
