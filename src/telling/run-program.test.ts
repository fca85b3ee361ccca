import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { systemClock } from '../daemon/clock.ts';
import { processStartTime } from '../terminal/process-identity.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-run-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (script: string, more: Partial<ProgramRun> = {}) =>
  runProgram({
    argv: ['/bin/sh', '-c', script],
    env: { PATH: process.env.PATH ?? '', SAID: 'yes' },
    cwd: folder,
    input: '{"occasion":"waiting"}\n',
    seconds: 60,
    signal: new AbortController().signal,
    clock: systemClock(),
    started: () => {},
    ...more,
  });
const pidIn = (name: string): number => {
  try {
    return Number(readFileSync(join(folder, name), 'utf8'));
  } catch {
    return 0;
  }
};
const isGone = (name: string) =>
  until(`${name} to end`, async () => (await processStartTime(pidIn(name))) === null);

it('reads the event, has the environment that it is given and no other, and says what it wrote', async () => {
  process.env.SM_TEST_SECRET = 'hidden';
  const { why, output } = await run(
    'read line; echo "$line $SAID"; pwd; env | grep SECRET; echo no >&2; exit 0',
  );
  delete process.env.SM_TEST_SECRET;
  expect(why).toBeNull();
  expect(output.split('\n').filter(Boolean).sort()).toEqual(
    [`{"occasion":"waiting"} yes`, folder, 'no'].sort(),
  );
});

it('fails with its exit code, with its signal, or because it is not there', async () => {
  expect((await run('echo oops; exit 3')).why).toBe('exit code 3');
  expect((await run('kill -TERM $$')).why).toBe('killed by SIGTERM');
  expect((await run('', { argv: ['/no/such/program'] })).why).toBe('/no/such/program is not there');
});

it('does not wait for one that does not read, or writes for ever', async () => {
  const big = `${'x'.repeat(1_000_000)}\n`;
  expect((await run('exit 0', { input: big })).why).toBeNull();
  const { why, output } = await run('yes', { seconds: 1 });
  expect(why).toBe('it took longer than 1 s');
  expect(output.length).toBeLessThanOrEqual(8_192);
});

it('ends at its limit, with all that it has started', async () => {
  const { why } = await run('sleep 1000 & echo $! > child; wait', { seconds: 1 });
  expect(why).toBe('it took longer than 1 s');
  expect(pidIn('child')).toBeGreaterThan(0);
  await isGone('child');
});

it('leaves nothing behind when it ends by itself', async () => {
  expect((await run('sleep 1000 & echo $! > child; exit 0')).why).toBeNull();
  await isGone('child');
});

const leavesItsGroup =
  "setsid sh -c 'echo $$ > child; exec sleep 1000' & while [ ! -s child ]; do sleep 0.01; done; exit 0";

it('is done when it has ended, though something that left its group keeps its output open', async () => {
  const { why } = await run(leavesItsGroup, { seconds: 1 });
  expect(why).toBeNull();
  process.kill(pidIn('child'), 'SIGKILL');
});

it('ends when the daemon does, and does not begin then', async () => {
  const stopping = new AbortController();
  const running = run('sleep 1000 & echo $! > child; wait', { signal: stopping.signal });
  await until('it to run', async () => pidIn('child') > 0);
  stopping.abort();
  expect((await running).why).toBe('the daemon stopped');
  await isGone('child');
  expect(await run('touch began', { signal: stopping.signal })).toEqual({
    why: 'the daemon stopped',
    output: '',
  });
});
