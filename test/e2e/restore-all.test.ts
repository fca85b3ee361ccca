// Everything ends and comes back: the machine, the tmux server, the daemon and `sm` itself in the middle of it.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { is, promptsOf, sendText, startIdle, startWith } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
afterEach(() => daemon.dispose());

const used = async (name: string, more: object = {}) => {
  const id = await startWith(daemon, `I am ${name} [[say hello]]`, { name, ...more });
  await daemon.until(id, is('turn ended'));
  return id;
};

async function powerCut(): Promise<void> {
  await daemon.crash();
  await daemon.endAgents();
}

interface Told {
  readonly sessions: readonly {
    id: string;
    name: string;
    outcome: string;
    resumed: boolean;
    why: string | null;
  }[];
  readonly left: readonly SessionView[];
}

const restoreAll = async (...args: string[]): Promise<Told> =>
  JSON.parse((await daemon.sm('restore', '--all', '--json', ...args)).stdout);

const named = ({ sessions }: { readonly sessions: readonly { id: string }[] }) =>
  sessions.map(({ id }) => id).sort();

describe('after a power cut', () => {
  it('a family comes back, parents first, each with its conversation, options and worktree; nobody else does', async () => {
    daemon = await startTestDaemon();
    const repository = makeRepository(join(daemon.work, 'shop'));
    const lead = await used('lead', { options: { env: { COLOUR: 'green' } } });
    const worker = await used('worker', {
      parent_session_id: lead,
      working_dir: repository.root,
      worktree: { branch: null, base: null, setup: false },
    });
    const idle = await startIdle(daemon, 'idle', { parent_session_id: worker });
    const other = await used('other');
    const crashed = await startWith(daemon, '[[crash]]', { name: 'crashed' });
    await daemon.until(crashed, is('session exited'));
    const killed = await used('killed');
    await daemon.sm('kill', killed);
    await daemon.tmux('kill-session', '-t', `=sm-${await startIdle(daemon, 'closed')}:`);
    const closed = await daemon.untilSession('closed', ({ phase }) => phase === 'lost');
    const { working_dir } = await daemon.session(worker);

    await powerCut();
    await daemon.start();
    const planned = await daemon.sm('restore', '--all', '--dry-run');
    expect(planned.stdout).toMatch(
      /^NAME .*\nlead +\w+ +scripted +the tmux server, .*\n {2}worker .*\n {4}idle .*\nother .*\nEnded by themselves/m,
    );
    expect(planned.stdout).toContain(`  crashed (${crashed}): killed by signal 9\n`);
    expect(planned.stdout).toContain(`  closed (${closed.id}): its pane is gone\n`);
    expect((await daemon.session(lead)).phase).toBe('lost');

    const family = await restoreAll('lead');
    expect(named(family)).toEqual([lead, worker, idle].sort());
    expect(family.sessions.map(({ name, outcome, resumed }) => [name, outcome, resumed])).toEqual([
      ['lead', 'ready', true],
      ['worker', 'ready', true],
      ['idle', 'ready', false],
    ]);
    for (const [parent, child] of [
      [lead, worker],
      [worker, idle],
    ] as const) {
      const up = (await daemon.events(parent)).findLast(is('session ready'));
      const begun = (await daemon.events(child)).findLast(is('session restored'));
      expect(Number(up?.number)).toBeLessThan(Number(begun?.number));
    }
    expect(await daemon.session(worker)).toMatchObject({ working_dir, parent_session_id: lead });
    await sendText(daemon, lead, 'still? [[bash printf %s "$COLOUR" > colour]] [[say yes]]');
    await until('the variable', () => readOr(join(daemon.work, 'colour')) === 'green');
    expect((await promptsOf(daemon, lead))[0]).toContain('I am lead');

    const rest = await restoreAll();
    expect(named(rest)).toEqual([other]);
    expect(rest.left.map(({ id }) => id).sort()).toEqual([crashed, closed.id].sort());
    expect(await daemon.sm('restore', '--all')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to bring back'),
    });
    expect((await daemon.session(killed)).phase).toBe('exited');
  });

  it('one that cannot come is told with the reason, does not keep the others, and comes when it can', async () => {
    daemon = await startTestDaemon();
    const place = join(daemon.work, 'place');
    mkdirSync(place);
    const lead = await used('lead', { working_dir: place });
    const worker = await used('worker', { parent_session_id: lead });
    await powerCut();
    rmSync(place, { recursive: true });
    await daemon.start();
    const first = await daemon.sm('restore', '--all');
    expect(first.code).toBe(1);
    expect(first.stdout).toBe(`worker (${worker}) is back, with its conversation\n`);
    expect(first.stderr).toContain(
      `lead (${lead}) did not start: the working directory does not exist: ${place}`,
    );
    expect(first.stderr).toContain('1 of 2 did not come back. Try again with: sm restore --all\n');
    mkdirSync(place);
    expect(await daemon.sm('restore', '--all')).toMatchObject({
      code: 0,
      stdout: `lead (${lead}) is back, with its conversation\n`,
      stderr: '',
    });
  });

  it('sm may be killed in the middle: called again, it brings the rest, and nobody twice', async () => {
    daemon = await startTestDaemon();
    const ids = [];
    for (let n = 0; n < 6; n += 1) ids.push(await used(`one-${n}`));
    await powerCut();
    await daemon.start();
    const sm = spawn(process.execPath, [join(import.meta.dirname, '../../dist/sm.cjs'), 'restore', '--all'], {
      env: { ...process.env, SM_HOME: daemon.home, HOME: join(daemon.home, '../home') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(sm.stdout, 'data');
    sm.kill('SIGKILL');
    await once(sm, 'exit');
    const again = await daemon.sm('restore', '--all');
    expect([again.code, again.stderr]).toEqual([0, '']);
    for (const id of ids) {
      expect(await daemon.session(id)).toMatchObject({ phase: 'idle', stranded: null });
      expect((await daemon.events(id)).filter(is('session restored'))).toHaveLength(1);
    }
  });

  it.each(['effect:launch:before', 'effect:launch:after', 'commit:after'])(
    'the daemon may be killed in the middle (%s): each comes back once',
    async (place) => {
      daemon = await startTestDaemon();
      const lead = await used('lead');
      const worker = await used('worker', { parent_session_id: lead });
      await powerCut();
      await daemon.start({ SM_CRASH_AT: `${place}@${worker}` });
      const back = await daemon.sm('restore', '--all', '--json');
      await daemon.death();
      expect([back.code, back.stderr]).toEqual([0, '']);
      expect((JSON.parse(back.stdout) as Told).sessions.map(({ outcome }) => outcome)).toEqual([
        'ready',
        'ready',
      ]);
      // The one that `sm` has started.
      expect((await daemon.sm('down')).code).toBe(0);
      await daemon.start();
      for (const id of [lead, worker]) {
        expect(await daemon.session(id)).toMatchObject({ phase: 'idle', stranded: null });
        expect((await daemon.events(id)).filter(is('session restored'))).toHaveLength(1);
      }
      const panes = await daemon.tmux('list-panes', '-a', '-F', '#{@sm-name}');
      expect(panes.split('\n').filter((name) => name.startsWith('sm-'))).toHaveLength(2);
    },
  );
});

describe('how it ended', () => {
  it('is the machine, when it has booted since', async () => {
    daemon = await startTestDaemon();
    const id = await used('lead');
    await powerCut();
    const db = new DatabaseSync(join(daemon.home, 'sm.db'));
    db.exec("UPDATE session SET body = json_set(body, '$.process.under.boot', 'another')");
    db.close();
    await daemon.start();
    expect(await daemon.session(id)).toMatchObject({
      phase: 'lost',
      ended: { reason: 'the machine was restarted' },
      stranded: { with: 'machine' },
    });
    expect((await daemon.sm('restore', '--all', '--dry-run')).stdout).toMatch(/^lead .* the machine, /m);
  });

  it.each(['TERM', 'KILL'])(
    'is the tmux server, when it ends by SIG%s under a living daemon',
    async (signal) => {
      daemon = await startTestDaemon();
      const ids = [await used('one'), await used('two')];
      process.kill(Number(await daemon.tmux('display-message', '-p', '#{pid}')), `SIG${signal}`);
      for (const id of ids) {
        const ended = await daemon.untilSession(id, ({ phase }) => phase === 'lost');
        expect(ended).toMatchObject({ stranded: { with: 'tmux' } });
      }
      expect(named(await restoreAll())).toEqual([...ids].sort());
    },
  );

  it('is the machine, when an agent is ended while systemd says that it goes down', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'sm-systemd-'));
    const systemctl = join(bin, 'systemctl');
    const says = (text: string) => writeFileSync(systemctl, `#!/bin/sh\necho ${text}\nexit 1\n`);
    says('degraded');
    chmodSync(systemctl, 0o755);
    daemon = await startTestDaemon({ env: { PATH: `${bin}:${process.env.PATH}` } });
    try {
      const [before, last] = [await used('before'), await used('last')];
      const agentOf = async (id: string) =>
        Number(
          (
            await promisify(execFile)('pgrep', [
              '-P',
              (await daemon.tmux('list-panes', '-t', `=sm-${id}:`, '-F', '#{pane_pid}')).trim(),
            ])
          ).stdout,
        );
      process.kill(await agentOf(before), 'SIGTERM');
      const ordinary = await daemon.untilSession(before, ({ phase }) => phase === 'exited');
      expect(ordinary.stranded).toBeNull();
      says('stopping');
      process.kill(await agentOf(last), 'SIGTERM');
      const ended = await daemon.untilSession(last, ({ phase }) => phase === 'exited');
      expect(ended.stranded).toMatchObject({ with: 'machine' });
      expect(named(await restoreAll())).toEqual([last]);
    } finally {
      rmSync(bin, { recursive: true });
    }
  });
});

const readOr = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};
