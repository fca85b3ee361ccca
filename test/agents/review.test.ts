// Reviews by the real Codex: a message that stands for one, its result, and what may come between.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareCodexHome } from './codex-home.ts';

const command = process.env.SM_TEST_CODEX ?? '';

interface Reviewing {
  session_id: string;
  message_id: string;
  created: boolean;
  state: string;
  detail?: string;
}

describe('a review', () => {
  let daemon: TestDaemon;
  let model: ModelServer;
  let env: Record<string, string>;
  let cwd: string;
  const { root, keep } = tidy('review');

  beforeAll(async () => {
    model = keep(await startResponsesServer());
    ({ env, cwd } = prepareCodexHome(root, model.url));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], { cwd });
    writeFileSync(join(cwd, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(cwd, 'a.txt'), 'two\n');
    daemon = keep(await startTestDaemon({ config: { codex_app: { command } } }));
  }, 60_000);

  async function review(target: object, more: object = {}): Promise<Reviewing> {
    const { status, body } = await daemon.call<Reviewing>('POST', '/reviews', { target, env, ...more });
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }
  const custom = (text: string) => ({ of: 'custom', text });
  async function idle(more: object = {}): Promise<string> {
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'codex-app',
      working_dir: cwd,
      env,
      ...more,
    });
    await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    return body.id;
  }

  it.each([
    [{ of: 'uncommitted' }, 'Review the current code changes'],
    [{ of: 'base', branch: 'HEAD' }, "against the base branch 'HEAD'"],
    [{ of: 'commit', commit: 'HEAD' }, 'introduced by commit HEAD'],
    [custom('Is a.txt right? [[bash cat a.txt]] [[say No]]'), 'Is a.txt right?'],
  ])('of %o runs in a new session, and its words are its last', async (target, asked) => {
    const { session_id: id, message_id, created } = await review(target, { working_dir: cwd });
    expect(created).toBe(true);
    const answered = await daemon.until(id, is('message answered', { message: message_id }));
    const accepted = await daemon.until(id, is('message accepted', { message: message_id }));
    expect(accepted).toMatchObject({ turn: answered.turn, evidence: { source: 'notification' } });
    await model.waitForRequest(({ prompt }) => prompt.includes(asked));
    const { last_words } = await daemon.until(id, is('turn ended', { turn: answered.turn, end: 'ended' }));
    expect(last_words).toEqual('text' in target ? 'No' : expect.stringMatching(/^ECHO/));
    expect((await daemon.sm('output', id)).stdout).toContain(String(last_words));
    await daemon.sm('kill', id);
  });

  it('is told whole to the session that asked for it', async () => {
    const boss = await idle();
    const long = `A finding. ${'It goes on. '.repeat(100)}The end`;
    const { session_id: id, created } = await review(custom(`Look [[say ${long}]]`), {
      requester_session_id: boss,
    });
    expect(created).toBe(true);
    expect(await daemon.session(id)).toMatchObject({ parent_session_id: boss, working_dir: cwd });
    const heard = await model.waitForRequest(({ prompt }) => prompt.includes('stopped:\nA finding.'));
    expect(heard.prompt).toContain(long);
  });

  it('in a session waits for its turn, goes alone, and takes no text until it is done', async () => {
    const id = await idle();
    const first = await sendText(daemon, id, 'work [[bash timeout 1 tail -f /dev/null]] [[say worked]]');
    const { message_id, created, state } = await review(
      custom('Hm [[bash timeout 1 tail -f /dev/null]] [[say fine]]'),
      { session: id },
    );
    expect({ created, state }).toEqual({ created: false, state: 'queued' });
    const behind = await sendText(daemon, id, 'afterwards [[say later]]');
    await daemon.until(id, is('message accepted', { message: message_id }));
    const important = await sendText(daemon, id, 'by the way', { delivery_mode: 'important' });
    expect(important.state).toBe('queued');
    for (const message of [first.message_id, message_id, behind.message_id, important.message_id])
      await daemon.until(id, is('message answered', { message }));
    const events = await daemon.events(id);
    expect(events.filter(is('turn ended')).map(({ end, last_words }) => [end, last_words])).toEqual([
      ['ended', 'worked'],
      ['ended', 'fine'],
      ['ended', 'later'],
    ]);
    expect(events.filter(is('message held'))).toEqual([]);
  });

  it('is waited for by a person, and printed', async () => {
    const id = await idle();
    const done = await daemon.sm('review', id, '--custom', 'Quick [[say All is well]]', '--wait', '50');
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Accepted by .*\(notification, .*\nAll is well\n$/),
    });
    const failed = await daemon.sm('review', id, '--custom', 'Bad [[fail overloaded]]', '--wait', '50');
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/did not answer: failed: .*See: sm trace/),
    });
  });

  it('is cut by an urgent message, and whoever asked for it hears that', async () => {
    const boss = await idle();
    const id = await idle();
    const { message_id } = await review(custom('Long [[bash timeout 60 tail -f /dev/null]]'), {
      session: id,
      requester_session_id: boss,
    });
    await model.waitForRequest(({ prompt }) => prompt.includes('Long'));
    const urgent = await sendText(daemon, id, 'stop [[say stopped]]', { delivery_mode: 'urgent' });
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    const ends = (await daemon.events(id)).filter(is('turn ended')).map(({ end }) => end);
    expect(ends).toEqual(['cut-off', 'ended']);
    expect(await daemon.until(id, is('message cut-off', { message: message_id }))).toBeTruthy();
    await model.waitForRequest(({ prompt }) => prompt.includes('was cut off before it finished'));
  });

  it.each(['effect:submit:before', 'effect:submit:after'])(
    'the daemon dies at %s: it runs once',
    async (point) => {
      const id = await idle();
      await daemon.crash();
      await daemon.start({ SM_CRASH_AT: point });
      const target = custom(`Once ${point} [[say reviewed]]`);
      await daemon.call('POST', '/reviews', { target, env, session: id }).catch(() => undefined);
      await daemon.death();
      await daemon.start();
      await daemon.until(id, is('turn ended', { last_words: 'reviewed' }));
      const events = await daemon.events(id);
      expect(events.filter(is('message accepted'))).toHaveLength(1);
      expect(events.filter(is('message answered'))).toHaveLength(1);
      expect(model.requests().filter(({ prompt }) => prompt.includes(`Once ${point}`))).toHaveLength(1);
    },
  );

  it('of what is not there is refused before anybody is set to work', async () => {
    const before = (await daemon.call<{ sessions: object[] }>('GET', '/sessions')).body.sessions.length;
    const { status, body } = await daemon.call('POST', '/reviews', {
      target: { of: 'base', branch: 'nope' },
      working_dir: cwd,
      env,
    });
    expect([status, body.detail]).toEqual([400, expect.stringContaining('Unknown branch nope')]);
    const { sessions } = (await daemon.call<{ sessions: object[] }>('GET', '/sessions')).body;
    expect(sessions).toHaveLength(before);
  });
});
