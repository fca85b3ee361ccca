// An update: a newer `sm` beside an older daemon, with two builds that differ in their version only.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

const checkout = join(import.meta.dirname, '../..');
let root: string;
let older: string;
let newer: string;
let daemon: TestDaemon;

/** Answers where its bundles are. */
function build(version: string): string {
  const folder = join(root, version);
  mkdirSync(folder);
  for (const part of ['dist', 'hooks']) cpSync(join(checkout, part), join(folder, part), { recursive: true });
  symlinkSync(join(checkout, 'node_modules'), join(folder, 'node_modules'));
  const description = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version }));
  return join(folder, 'dist');
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'sm-versions-'));
  older = build('0.7.0');
  newer = build('0.8.0');
  daemon = await startTestDaemon({ dist: older });
}, 60_000);
afterAll(async () => {
  await daemon?.sm('down');
  await daemon?.dispose();
  rmSync(root, { recursive: true, force: true });
}, 60_000);

const health = async () => (await daemon.call<{ pid: number; version: string }>('GET', '/health')).body;

/** What the daemon tells of itself with an answer. */
function toldWith(path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socketPath = join(daemon.home, 'sm.sock');
    request({ socketPath, path, method: path.startsWith('/hooks') ? 'POST' : 'GET' }, (answer) => {
      answer.resume();
      resolve(answer.headers['x-sm-version']);
    })
      .on('error', reject)
      .end();
  });
}

describe('an sm and a daemon of different versions', () => {
  it('the daemon tells its own with every answer', async () => {
    for (const path of [
      '/health',
      '/sessions',
      '/sessions/nobody',
      '/nothing',
      '/hooks/claude',
      '/hooks/nothing',
    ])
      expect(await toldWith(path)).toBe('0.7.0');
  });

  it('a newer sm says so, beside what it prints, and works', async () => {
    const { code, stdout, stderr } = await daemon.smOf(newer, 'all', '--json');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'sm 0.8.0 talks to an older daemon (0.7.0); run: sm up\n',
    });
    expect(JSON.parse(stdout)).toEqual({ sessions: [] });
    expect((await daemon.sm('all')).stderr).toBe('');
    expect((await daemon.smOf(newer, 'doctor')).stdout).toContain('version 0.7.0; this sm is 0.8.0');
  });

  it('a newer sm up replaces the daemon: agents go on, and what is asked meanwhile is not lost', async () => {
    const id = await startWith(daemon, 'hello', { name: 'worker' });
    await daemon.untilSession('worker', ({ phase }) => phase === 'idle');
    const pane = () => daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}');
    const [agent, before] = [await pane(), await health()];

    let over = false;
    const replaced = daemon.smOf(newer, 'up', '--json').finally(() => (over = true));
    // One after another, so that some come before it, some while there is none, and some after it.
    const sent: { code: number; stderr: string }[] = [];
    while (!over) sent.push(await daemon.smOf(newer, 'send', 'worker', 'hello'));
    const { code, stdout, stderr } = await replaced;
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `Replacing the daemon of version 0.7.0 (pid ${before.pid}) with 0.8.0.\n`,
    });
    const after = await health();
    expect(after).toMatchObject({ version: '0.8.0' });
    expect(JSON.parse(stdout)).toMatchObject({ pid: after.pid });
    expect(await pane()).toBe(agent);

    for (const { code, stderr } of sent)
      if (code !== 0) expect(stderr).toContain('The daemon stopped before it answered');
    const last = await daemon.smOf(newer, 'send', 'worker', 'the last', '--wait', '60');
    expect(last).toMatchObject({ code: 0, stderr: '' });
    const events = await daemon.events(id);
    const count = (type: string) => events.filter(is(type)).length;
    expect(count('message queued')).toBeGreaterThanOrEqual(sent.filter(({ code }) => code === 0).length + 2);
    expect(count('message accepted')).toBe(count('message queued'));
    expect(events.filter(is('session lost'))).toEqual([]);
  });

  it('an older sm says so, and lets the newer daemon be', async () => {
    const before = await health();
    const { code, stderr } = await daemon.smOf(older, 'up');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'The running daemon (0.8.0) is newer than this sm (0.7.0). Update sm.\n',
    });
    expect((await daemon.sm('all')).stderr).toBe('sm 0.7.0 talks to a newer daemon (0.8.0); update sm\n');
    expect(await health()).toEqual(before);
  });

  it('agents find the sm of the daemon that runs', async () => {
    expect(readFileSync(join(daemon.home, 'bin/sm'), 'utf8')).toContain(join(newer, 'sm.cjs'));
  });
});
