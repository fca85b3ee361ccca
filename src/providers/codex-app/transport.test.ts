import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { umask } from 'node:process';
import { afterEach, expect, it } from 'vitest';
import { pipeTransport } from './transport.ts';

const holder = join(import.meta.dirname, '../../../hooks/app-server.sh');
const folders: string[] = [];
/** Only for what never happens: a busy machine may take long. */
const patienceMs = 60_000;
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A program in the place of the app-server, held as that is. */
function held() {
  const folder = mkdtempSync(join(tmpdir(), 'sm-pipe-'));
  folders.push(folder);
  const start = (...command: string[]) =>
    spawn('/bin/sh', [holder, folder, ...command], { cwd: folder, stdio: 'ignore' });
  const out = () => readFileSync(join(folder, 'out'), 'utf8');
  return { folder, start, out, pipe: join(folder, 'in') };
}

/** Nobody tells when a pipe has got its reader. */
async function reached(path: string) {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    const transport = pipeTransport(path, 'idle');
    if (await transport.send('hello')) return transport;
    transport.close();
    await new Promise(setImmediate);
  }
  throw new Error(`nobody reads ${path}`);
}

async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!what()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise(setImmediate);
  }
}

it('reaches nobody when nobody is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-pipe-'));
  folders.push(folder);
  expect(await pipeTransport(join(folder, 'in'), 'idle').send('x')).toBe(false);
  execFileSync('mkfifo', [join(folder, 'in')]);
  expect(await pipeTransport(join(folder, 'in'), 'idle').send('x')).toBe(false);
});

it('carries a megabyte whole; the process outlives the writer, and what it says is kept', async () => {
  const { start, out, pipe } = held();
  const process = start('cat');
  const first = await reached(pipe);
  const long = 'ü'.repeat(500_000);
  expect(await first.send(long)).toBe(true);
  first.close();
  const second = await reached(pipe);
  await until(() => out().includes(`${long}\nidle\nhello\n`));
  expect(out()).toBe(`\n{"method":"sm/launched"}\nidle\nhello\n${long}\nidle\nhello\n`);
  second.close();
  process.kill();
  await once(process, 'exit');
});

it('tells the next process nothing of what the one before did not read', async () => {
  const { start, out, pipe } = held();
  const deaf = start('tail', '-f', '/dev/null');
  const old = await reached(pipe);
  await old.send('not for the next');
  deaf.kill('SIGKILL');
  await once(deaf, 'exit');
  const next = start('cat');
  const fresh = await reached(pipe);
  await until(() => out().includes('hello'));
  expect(out()).not.toContain('not for the next');
  old.close();
  fresh.close();
  next.kill();
  await once(next, 'exit');
});

it('keeps its ends to their owner, and leaves the files of its tools to their own ways', async () => {
  const { start, folder, pipe } = held();
  const process = start('sh', '-c', 'echo mine > made-by-a-tool; exec cat');
  (await reached(pipe)).close();
  const mode = (name: string) => statSync(join(folder, name)).mode & 0o777;
  await until(() => existsSync(join(folder, 'made-by-a-tool')));
  expect([mode('in'), mode('out')]).toEqual([0o600, 0o600]);
  expect(mode('made-by-a-tool')).toBe(0o666 & ~umask());
  process.kill();
  await once(process, 'exit');
});
