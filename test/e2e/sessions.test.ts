// The life of sessions, through the real daemon, real tmux and the scripted agent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { childrenOf, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const spawn = (prompt: string, more?: object) => startWith(daemon, prompt, more);
const exists = async (id: string) =>
  (await daemon.tmux('list-sessions', '-F', '#{session_name}')).split('\n').includes(`sm-${id}`);

describe('a session', () => {
  it('starts without a prompt and becomes idle', async () => {
    const { body } = await daemon.call<SessionView>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
    });
    expect(body.phase).toBe('starting');
    const idle = await daemon.untilSession(body.id, (session) => session.phase === 'idle');
    expect(idle).toMatchObject({
      status: 'idle',
      name: `scripted-${body.id}`,
      friendly_name: null,
      tmux_session: `sm-${body.id}`,
    });
  });

  it('finds sm on its PATH, and its own id and state directory in its environment', async () => {
    const id = await spawn('[[bash echo "$CLAUDE_SESSION_MANAGER_ID $SM_HOME $(command -v sm)"]]');
    const end = await daemon.until(id, is('turn ended'));
    expect(end.last_words).toContain(`${id} ${daemon.home} ${daemon.home}/bin/sm`);
  });

  it('gets the environment of whoever started it, without what belongs to another terminal or agent', async () => {
    const env = {
      PATH: process.env.PATH,
      HOME: daemon.home,
      MINE: 'kept',
      TMUX: 'x',
      TMUX_PANE: '%9',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      CLAUDE_CODE_USE_BEDROCK: '1',
      SM_OTHER: 'x',
    };
    const id = await spawn('[[bash env | grep -E "^(MINE|CLAUDE|SM_OTHER|TMUX_PANE)" | sort]]', { env });
    const { last_words } = (await daemon.until(id, is('turn ended'))) as { last_words?: string };
    expect(last_words).toContain('MINE=kept');
    expect(last_words).toContain('CLAUDE_CODE_USE_BEDROCK=1');
    expect(last_words).not.toMatch(/CLAUDECODE=|CLAUDE_CODE_ENTRYPOINT=|SM_OTHER=|TMUX_PANE=%9/);
  });

  it('is a child of the session that spawned it', async () => {
    const parent = await spawn('[[say ready]]', { name: 'lead' });
    await daemon.until(parent, is('turn ended'));
    const child = await spawn('[[say ready too]]', { parent_session_id: parent, name: 'hand' });
    const grandchild = await spawn('[[say and me]]', { parent_session_id: child });
    const direct = await daemon.call<{ children: SessionView[] }>('GET', '/sessions/lead/children');
    expect(direct.body.children.map(({ id }) => id)).toEqual([child]);
    const all = await daemon.call<{ children: SessionView[] }>(
      'GET',
      '/sessions/lead/children?recursive=true',
    );
    expect(all.body.children.map(({ id }) => id)).toEqual([child, grandchild]);
  });

  it('is killed by a person or its parent, and by nobody else', async () => {
    const parent = await spawn('[[say p]]');
    const child = await spawn('[[say c]]', { parent_session_id: parent });
    const stranger = await spawn('[[say s]]');
    await daemon.until(child, is('turn ended'));
    const refused = await daemon.call('POST', `/sessions/${child}/kill`, { requester_session_id: stranger });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: 'forbidden', detail: expect.stringContaining('parent') },
    });
    expect(await exists(child)).toBe(true);
    expect(
      (await daemon.call('POST', `/sessions/${child}/kill`, { requester_session_id: parent })).status,
    ).toBe(200);
    expect(await exists(child)).toBe(false);
    expect((await daemon.call('DELETE', `/sessions/${stranger}`)).status).toBe(200);
    const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
    expect(body.sessions.map(({ id }) => id)).not.toContain(child);
    const retired = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions?retired=true');
    expect(retired.body.sessions.find(({ id }) => id === child)?.ended).toMatchObject({ killed: true });
  });

  it('that was killed is restored with its conversation', async () => {
    const id = await spawn('[[say remember this]]');
    await daemon.until(id, is('turn ended'));
    const before = await daemon.session(id);
    await daemon.call('DELETE', `/sessions/${id}`);
    expect((await daemon.call('POST', `/sessions/${id}/restore`)).status).toBe(200);
    const after = await daemon.untilSession(id, (session) => session.phase === 'idle');
    expect(after.context.provider_id).toBe(before.context.provider_id);
    expect(after.ended).toBeNull();
  });

  it('that is alive is not restored', async () => {
    const id = await spawn('[[say alive]]');
    await daemon.until(id, is('turn ended'));
    expect(await daemon.call('POST', `/sessions/${id}/restore`)).toMatchObject({
      status: 409,
      body: { data: { is: 'running' } },
    });
  });

  it('that ends by itself tells its exit code and last words', async () => {
    const id = await spawn('[[exit 3]]');
    const ended = await daemon.untilSession(id, (session) => session.phase === 'exited');
    expect(ended).toMatchObject({ status: 'stopped', ended: { code: 3, killed: false } });
  });

  it('that is killed by a signal says so', async () => {
    const id = await spawn('[[crash]]');
    const ended = await daemon.untilSession(id, (session) => session.phase === 'exited');
    expect(ended.ended?.signal ?? (ended.ended?.code as number) - 128).toBe(9);
  });

  it('whose pane is taken away is lost, and can be restored', async () => {
    const id = await spawn('[[say here]]');
    await daemon.until(id, is('turn ended'));
    const launcher = Number(await daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}'));
    const [agent] = childrenOf(launcher);
    await daemon.tmux('kill-session', '-t', `=sm-${id}:`);
    const ended = await daemon.untilSession(id, (session) => session.status === 'stopped');
    expect(['lost', 'exited']).toContain(ended.phase);
    expect(agent).toBeGreaterThan(0);
    expect((await daemon.call('POST', `/sessions/${id}/restore`)).status).toBe(200);
    await daemon.untilSession(id, (session) => session.phase === 'idle');
  });

  it('that asks at its start is blocked, with the text of the dialog', async () => {
    const id = await spawn('[[say trusted]]', {
      env: { PATH: process.env.PATH, HOME: daemon.home, SCRIPTED_FAULTS: 'trust-dialog' },
    });
    const blocked = await daemon.untilSession(id, (session) => session.phase === 'blocked');
    expect(blocked.question).toMatchObject({ kind: 'dialog', text: expect.stringContaining('trust') });
    expect(blocked.waiting.count).toBe(1);
  });

  it('whose screen is not recognised gets nothing typed', async () => {
    const id = await spawn('[[say never]]', {
      env: { PATH: process.env.PATH, HOME: daemon.home, SCRIPTED_FAULTS: 'garbage-screen' },
    });
    const held = await daemon.until(id, is('message held'));
    expect(held.why).toContain('not recognised');
    expect(await daemon.tmux('capture-pane', '-p', '-t', `=sm-${id}:`)).not.toContain('never');
  });

  it('reports its own status, with its age in the list of children', async () => {
    const lead = await spawn('[[say ready]]', { name: 'status-lead' });
    await daemon.until(lead, is('turn ended'));
    const hand = await spawn('[[bash sm status "found 2 call sites, testing a fix"]] [[say reported]]', {
      parent_session_id: lead,
      name: 'status-hand',
    });
    await daemon.until(hand, is('turn ended'));
    expect(await daemon.session(hand)).toMatchObject({
      agent_status_text: 'found 2 call sites, testing a fix',
      agent_status_at: expect.stringMatching(/^\d{4}-/),
    });
    const { stdout } = await daemon.sm('children', 'status-lead');
    expect(stdout).toMatch(
      /^status-hand \([0-9a-f]{8}\) \| idle\s+\| "found 2 call sites, testing a fix" \(\d+s ago\)$/m,
    );
  });

  it('is named, given a task, and found by name, id and prefix', async () => {
    const id = await spawn('[[say x]]', { name: 'Ünïcode Nämé' });
    expect((await daemon.call('PATCH', `/sessions/${id}`, { friendly_name: 'alpha' })).body).toMatchObject({
      friendly_name: 'alpha',
    });
    expect(
      (await daemon.call('PUT', '/sessions/alpha/task', { task: 'port the parser' })).body,
    ).toMatchObject({ current_task: 'port the parser' });
    expect((await daemon.session('alpha')).id).toBe(id);
    expect((await daemon.session(id.slice(0, 6))).id).toBe(id);
  });
});
