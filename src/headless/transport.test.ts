import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { umask } from 'node:process';
import { afterEach, expect, it } from 'vitest';
import { fileTransport, kept } from './transport.ts';

const holder = join(import.meta.dirname, '../../hooks/headless.sh');
const folders: string[] = [];
/** Only for what never happens: a busy machine may take long. */
const patienceMs = 60_000;
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A program in the place of an agent, held as that is. */
function held() {
  const folder = mkdtempSync(join(tmpdir(), 'sm-pipe-'));
  folders.push(folder);
  const start = (...command: string[]) =>
    spawn('/bin/sh', [holder, folder, ...command], { cwd: folder, stdio: 'ignore' });
  const out = () => readFileSync(join(folder, 'out'), 'utf8');
  return { folder, start, out };
}

/** Nobody tells when a pipe has got its reader. */
async function reached(folder: string) {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; ) {
    const transport = fileTransport(folder);
    if (await transport.reach()) return transport;
    transport.close();
    await new Promise(setImmediate);
  }
  throw new Error(`nobody reads in ${folder}`);
}

async function until(what: () => boolean): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!what()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise(setImmediate);
  }
}

const said = '\n{"method":"sm/launched"}\n';

it('reaches nobody when nobody is there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-pipe-'));
  folders.push(folder);
  expect(await fileTransport(folder).send('a', 'x')).toBe(false);
  execFileSync('mkfifo', [join(folder, 'names')]);
  expect(await fileTransport(folder).send('a', 'x')).toBe(false);
});

it('carries a megabyte whole; the process outlives the writer, and what it says is kept', async () => {
  const { start, out, folder } = held();
  const process = start('cat');
  const first = await reached(folder);
  const long = 'ü'.repeat(500_000);
  expect(await first.send('one', long)).toBe(true);
  first.close();
  const second = await reached(folder);
  await second.send('two', 'hello');
  await until(() => out().endsWith('hello\n'));
  expect(out()).toBe(`${said}${long}\nhello\n`);
  second.close();
  process.kill();
  await once(process, 'exit');
});

it('says what many say at once line by line, in their order, and leaves nothing behind but what is kept', async () => {
  const { start, out, folder } = held();
  const process = start('cat');
  const transport = await reached(folder);
  const lines = Array.from({ length: 200 }, (_, i) => `line ${i} ${'x'.repeat(i * 50)}`);
  await Promise.all(lines.map((line, i) => transport.send(`n${i}`, line)));
  await transport.send(kept('last'), 'the last');
  await until(() => out().endsWith('the last\n'));
  expect(out().slice(said.length).split('\n')).toEqual([...lines, 'the last', '']);
  await until(() => readdirSync(join(folder, 'say')).length === 1);
  expect(readdirSync(join(folder, 'say'))).toEqual([kept('last')]);
  transport.close();
  process.kill();
  await once(process, 'exit');
});

it('is not spoilt by whoever died over a line: half a file has no name, and a name without its file says nothing', async () => {
  const { start, out, folder } = held();
  const process = start('cat');
  const transport = await reached(folder);
  writeFileSync(join(folder, 'say', 'dead.half'), '{"type":"us');
  writeFileSync(join(folder, 'names'), 'dead\n');
  await transport.send('next', '{"whole":true}');
  await until(() => out().endsWith('}\n') && out() !== said);
  expect(out()).toBe(`${said}{"whole":true}\n`);
  transport.close();
  process.kill();
  await once(process, 'exit');
});

it('leaves no process behind when the agent is killed and nobody writes any more', async () => {
  const { start, folder } = held();
  const process = start('cat');
  const transport = await reached(folder);
  const passers = () =>
    spawnSync('pgrep', ['-f', `headless.sh --pass ${folder}`], { encoding: 'utf8' }).stdout.trim();
  await until(() => passers() !== '');
  process.kill('SIGKILL');
  await once(process, 'exit');
  transport.close();
  await until(() => passers() === '');
});

it('tells the next process nothing of what the one before did not read', async () => {
  const { start, out, folder } = held();
  const deaf = start('tail', '-f', '/dev/null');
  const old = await reached(folder);
  await old.send('old', 'not for the next');
  deaf.kill('SIGKILL');
  await once(deaf, 'exit');
  const next = start('cat');
  await until(() => out().split('sm/launched').length === 3);
  const fresh = await reached(folder);
  await fresh.send('fresh', 'hello');
  await until(() => out().includes('hello'));
  expect(out()).not.toContain('not for the next');
  old.close();
  fresh.close();
  next.kill();
  await once(next, 'exit');
});

it('keeps its ends to their owner, and leaves the files of its tools to their own ways', async () => {
  const { start, folder } = held();
  const process = start('sh', '-c', 'echo mine > made-by-a-tool; exec cat');
  (await reached(folder)).close();
  const mode = (name: string) => statSync(join(folder, name)).mode & 0o777;
  await until(() => existsSync(join(folder, 'made-by-a-tool')));
  expect([mode('in'), mode('names'), mode('out'), mode('say')]).toEqual([0o600, 0o600, 0o600, 0o700]);
  expect(mode('made-by-a-tool')).toBe(0o666 & ~umask());
  process.kill();
  await once(process, 'exit');
});
