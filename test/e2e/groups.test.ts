// Several sessions at once, through the real daemon, real tmux and the scripted agent.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { is, startIdle, startWith } from '../support/talk.ts';
import { openTestTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const dist = join(import.meta.dirname, '../../dist');
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

describe('the branch of a session', () => {
  it('is known without a list having to ask, and follows what the agent checks out', async () => {
    const { root: repository } = makeRepository(join(daemon.work, 'app'));
    const id = await startWith(daemon, '[[bash git switch -q -c fix-login]]', { working_dir: repository });
    const { checkout } = await daemon.untilSession(id, (session) => session.checkout?.branch === 'fix-login');
    expect(checkout).toEqual({
      name: 'app',
      repository,
      root: repository,
      branch: 'fix-login',
      commit: null,
    });
    const told = (await daemon.events(id)).filter(is('checked-out'));
    expect(told.at(-1)).toMatchObject({ branch: 'fix-login' });
  });
});

describe('tags', () => {
  it('are there after the daemon was killed, and in the history', async () => {
    const id = await startWith(daemon, '[[say ready]]', { name: 'nightly' });
    await daemon.until(id, is('turn ended'));
    expect((await daemon.sm('tag', 'nightly', '+night', '+old')).stdout).toBe(
      `Tags of nightly (${id}): night old\n`,
    );
    await daemon.crash();
    await daemon.start();
    expect((await daemon.sm('tag', 'nightly', '-old', '+api')).stdout).toBe(
      `Tags of nightly (${id}): api night\n`,
    );
    expect((await daemon.session(id)).tags).toEqual(['api', 'night']);
    const { stdout } = await daemon.sm('tail', 'nightly', '-n', '2');
    expect(stdout).toContain('tags +api -old, by the user');
  });
});

describe('a selector', () => {
  const only = async (of: string) =>
    (
      await daemon.call<{ sessions: SessionView[] }>('GET', `/selection?of=${encodeURIComponent(of)}`)
    ).body.sessions
      .map(({ display_name }) => display_name)
      .sort();

  it('names the sessions of a tag, a repository, a parent, a phase or a pattern', async () => {
    const { root } = makeRepository(join(daemon.work, 'shop'));
    const lead = await startIdle(daemon, 'shop-lead', { working_dir: root });
    const one = await startIdle(daemon, 'shop-1', { working_dir: root, parent_session_id: lead });
    await startIdle(daemon, 'shop-2', { parent_session_id: lead });
    await daemon.untilSession(one, ({ checkout }) => checkout !== null);
    await daemon.untilSession(lead, ({ checkout }) => checkout !== null);
    await daemon.sm('tag', 'shop-?', '+late');
    expect(await only('tag:late')).toEqual(['shop-1', 'shop-2']);
    expect(await only('repo:shop')).toEqual(['shop-1', 'shop-lead']);
    expect(await only('children:shop-lead')).toEqual(['shop-1', 'shop-2']);
    expect(await only('shop-*')).toEqual(['shop-1', 'shop-2', 'shop-lead']);
    expect(await only('shop-lead,tag:late')).toEqual(['shop-1', 'shop-2', 'shop-lead']);
    expect(await only('phase:idle')).toEqual(expect.arrayContaining(['shop-1', 'shop-2', 'shop-lead']));
  });

  it('of several is refused by a command for one, with the list; of one it is that one', async () => {
    const { code, stderr } = await daemon.sm('output', 'tag:late');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Error: "tag:late" matches 2 sessions: shop-1 \(\w+\), shop-2 \(\w+\)\. Name one of them\.$/m,
      ),
    ]);
    expect((await daemon.sm('task', 'shop-l*', 'sell')).stdout).toMatch(/^Task of shop-lead /);
    expect((await daemon.sm('name', 'shop-lead', 'tag:late')).stderr).toContain('is reserved');
  });

  it('kills what it matches only with --yes, where nobody can be asked', async () => {
    const { code, stderr } = await daemon.sm('kill', 'tag:late');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: Add --yes to kill these 2 sessions: shop-1 /),
    ]);
    expect(await only('tag:late')).toHaveLength(2);
    const { stdout } = await daemon.sm('kill', 'tag:late', '--yes');
    expect(stdout.match(/^Killed /gm)).toHaveLength(2);
    expect(await only('shop-*')).toEqual(['shop-lead']);
  });

  it('in a terminal shows the list and asks', async () => {
    await startIdle(daemon, 'gone-1');
    await startIdle(daemon, 'gone-2');
    const seat = openTestTerminal();
    const env = { PATH: process.env.PATH ?? '', SM_HOME: daemon.home, TERM: 'xterm', LANG: 'C.UTF-8' };
    await seat.start('seat', [process.execPath, join(dist, 'sm.cjs'), 'kill', 'gone-*'], { env });
    const screen = () => seat.tmux('capture-pane', '-p', '-t', '=seat:');
    await until('the question', async () => /Kill these 2 sessions\? \[y\/N\]/.test(await screen()));
    expect(await screen()).toMatch(/NAME +ID +PHASE.*gone-1 .*gone-2 /s);
    expect(await only('gone-*')).toHaveLength(2);
    await seat.tmux('send-keys', '-t', '=seat:', 'y', 'Enter');
    await until('their end', async () => (await only('gone-*')).length === 0);
  });
});
