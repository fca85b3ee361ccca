// A conversation that is continued twice.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
afterEach(() => daemon.dispose());

const used = async (name: string, more: object = {}) => {
  const id = await startWith(daemon, `I am ${name} [[say hello]]`, { name, ...more });
  await daemon.until(id, is('turn ended'));
  await sendText(daemon, id, 'yes [[say and again]]');
  await daemon.until(id, is('turn ended', { last_words: 'and again' }));
  return id;
};

const forked = async (...args: string[]): Promise<SessionView> =>
  JSON.parse((await daemon.sm('fork', ...args, '--json')).stdout);

it('has the options of the original, with a variables file of its own, and names where it comes from', async () => {
  daemon = await startTestDaemon();
  const lead = await startIdle(daemon, 'lead');
  const original = await used('login', {
    parent_session_id: lead,
    options: { permission_mode: 'bypassPermissions', args: ['--name', 'x'], env: { COLOUR: 'green' } },
  });
  const { code, stdout } = await daemon.sm('fork', 'login', '--name', 'other');
  const copy = await daemon.session('other');
  expect([code, stdout]).toEqual([
    0,
    `Forked login (${original}), context 1: other (${copy.id}) in ${daemon.work}\nAttach with: sm attach ${copy.id}\n`,
  ]);
  expect(copy).toMatchObject({
    parent_session_id: lead,
    forked_from: { session_id: original, name: 'login', context: 1 },
    options: { permission_mode: 'bypassPermissions', args: ['--name', 'x'], variables: ['COLOUR'] },
    context: { number: 1 },
    phase: 'idle',
  });
  const files = readdirSync(join(daemon.home, 'sessions', copy.id)).filter((name) => name.startsWith('env-'));
  expect(files).toHaveLength(1);
  await daemon.sm('kill', original);
  await sendText(daemon, copy.id, 'which? [[bash printf %s "$COLOUR" > colour]] [[say done]]');
  await daemon.until(copy.id, is('turn ended'));
  expect(readFileSync(join(daemon.work, 'colour'), 'utf8')).toBe('green');
  expect((await daemon.sm('tail', 'other')).stdout).toContain(`a copy of login (${original}), context 1\n`);
  expect((await daemon.sm('contexts', 'other')).stdout).toContain('fork');
});

describe('who may', () => {
  it('the session itself, whose copy is its child; not a stranger', async () => {
    daemon = await startTestDaemon();
    const original = await used('login');
    const stranger = await startIdle(daemon, 'stranger');
    const asked = (by: string) =>
      daemon.call<SessionView & { detail: string }>('POST', `/sessions/${original}/fork`, {
        requester_session_id: by,
      });
    expect((await asked(original)).body).toMatchObject({ parent_session_id: original });
    expect(await asked(stranger)).toMatchObject({
      status: 403,
      body: { detail: `Only login (${original}) itself, its parent, or a person may fork it.` },
    });
  });

  it('nobody, while nothing has been said in it', async () => {
    daemon = await startTestDaemon();
    const empty = await startIdle(daemon, 'empty');
    expect(await daemon.sm('fork', 'empty')).toMatchObject({
      code: 1,
      stderr: `Error: empty (${empty}) cannot be forked: nothing that was said in its context 1 is kept yet. Give it something to do first: sm send ${empty} "TEXT"\n`,
    });
    expect((await daemon.sm('fork')).code).toBe(2);
  });
});

it.each(['effect:launch:before', 'effect:launch:after'])(
  'the daemon may be killed at %s: there is one copy, and it works',
  async (place) => {
    daemon = await startTestDaemon();
    const original = await used('login');
    await daemon.stop();
    const armed = join(daemon.work, 'crash');
    await daemon.start({ SM_CRASH_AT: `@${armed}` });
    await daemon.until(original, is('session adopted'));
    writeFileSync(armed, place);
    await daemon.call('POST', `/sessions/${original}/fork`, { name: 'other' }).catch(() => {});
    await daemon.death();
    rmSync(armed);
    await daemon.start();
    const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
    expect(body.sessions.filter(({ forked_from }) => forked_from)).toHaveLength(1);
    const copy = await daemon.untilSession('other', ({ phase }) => phase === 'idle');
    await sendText(daemon, copy.id, 'go on [[say on it]]');
    expect((await daemon.until(copy.id, is('turn ended'))).last_words).toBe('on it');
  },
);

it('of a copy that was cleared, and of a session that has ended, is the conversation it has now', async () => {
  daemon = await startTestDaemon();
  const original = await used('login');
  const copy = await forked(original);
  await daemon.sm('clear', copy.id);
  await sendText(daemon, copy.id, 'a new life [[say new]]');
  await daemon.until(copy.id, is('turn ended', { last_words: 'new' }));
  await sendText(daemon, copy.id, 'more [[say newer]]');
  await daemon.until(copy.id, is('turn ended', { last_words: 'newer' }));
  await daemon.sm('kill', copy.id);
  const next = await forked(copy.id);
  expect(next).toMatchObject({ forked_from: { session_id: copy.id, context: 2 }, context: { number: 1 } });
});
