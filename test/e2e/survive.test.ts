// What the daemon and its sessions live through: restarts, a lost terminal, facts that come while nobody listens.
import { afterEach, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith, untilScreen } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
afterEach(() => daemon?.dispose());

const spawn = (prompt: string) => startWith(daemon, prompt);
const pidIn = async (id: string) =>
  (await daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}')).trim();

describe('an orderly restart of the daemon', () => {
  it('leaves agents running and finds them again, idle and working', async () => {
    daemon = await startTestDaemon();
    const idle = await spawn('[[say done]]');
    const working = await spawn('[[hang]]');
    await daemon.until(idle, is('turn ended'));
    await daemon.until(working, is('turn began'));
    const pids = [await pidIn(idle), await pidIn(working)];
    process.kill(daemon.pid, 'SIGTERM');
    await daemon.death();
    await daemon.start();
    expect(await daemon.session(idle)).toMatchObject({ phase: 'idle' });
    expect(await daemon.session(working)).toMatchObject({ phase: 'working' });
    expect([await pidIn(idle), await pidIn(working)]).toEqual(pids);
  });
});

describe('while the daemon is away', () => {
  it('a turn ends, and the phase is right at once when it is back', async () => {
    daemon = await startTestDaemon();
    const id = await spawn(
      '[[bash while [ ! -e go ] && kill -0 $PPID; do sleep 0.02; done]] [[say finished alone]]',
    );
    await daemon.until(id, is('turn began'));
    await daemon.crash();
    await daemon.tmux('run-shell', `touch ${daemon.work}/go`);
    // The agent's own screen is all that tells when nobody listens.
    await untilScreen(daemon, id, 'finished alone');
    await daemon.start();
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'finished alone' });
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
  });

  it('a human interrupts, which no hook tells, and the phase is right when it is back', async () => {
    daemon = await startTestDaemon();
    const id = await spawn('[[sleep 60]]');
    await daemon.until(id, is('turn began'));
    await daemon.crash();
    await untilScreen(daemon, id, 'word');
    await daemon.tmux('send-keys', '-t', `=sm-${id}:`, 'Escape');
    await untilScreen(daemon, id, 'Interrupted');
    await daemon.start();
    await daemon.until(id, is('turn ended', { end: 'interrupted' }));
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
  });

  it('an agent dies, and is exited when it is back', async () => {
    daemon = await startTestDaemon();
    const id = await spawn('[[bash while [ ! -e go ] && kill -0 $PPID; do sleep 0.02; done]] [[exit 4]]');
    await daemon.until(id, is('turn began'));
    await daemon.crash();
    await daemon.tmux('run-shell', `touch ${daemon.work}/go`);
    const dead = () => daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_dead}');
    await until('a dead pane', async () => (await dead()).trim() === '1');
    await daemon.start();
    expect(await daemon.untilSession(id, (session) => session.phase === 'exited')).toMatchObject({
      ended: { code: 4 },
    });
  });
});

describe('when the tmux server is killed', () => {
  it('sessions are lost, the daemon lives and says so, and they can be restored', async () => {
    daemon = await startTestDaemon();
    const ids = [await spawn('[[say one]]'), await spawn('[[say two]]')];
    for (const id of ids) await daemon.until(id, is('turn ended'));
    process.kill(Number(await daemon.tmux('display-message', '-p', '#{pid}')), 'SIGKILL');
    for (const id of ids) {
      const lost = await daemon.untilSession(id, (session) => session.phase === 'lost');
      expect(lost.ended?.reason).toContain('tmux server');
    }
    expect((await daemon.call('GET', '/health')).status).toBe(200);
    for (const id of ids) {
      expect((await daemon.call('POST', `/sessions/${id}/restore`)).body).not.toHaveProperty('error');
      await daemon.untilSession(id, (session) => session.phase === 'idle');
    }
  });

  it('also while the daemon was away', async () => {
    daemon = await startTestDaemon();
    const id = await spawn('[[say one]]');
    await daemon.until(id, is('turn ended'));
    await daemon.crash();
    await daemon.endAgents();
    await daemon.start();
    expect(await daemon.session(id)).toMatchObject({ phase: 'lost' });
  });
});
