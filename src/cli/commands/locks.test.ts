// The commands about locks, and where locks are shown.
import { expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import { inside, Refused, session } from '../../../test/support/stand-in-daemon.ts';
import type { LockView } from '../../protocol/lock.ts';

const lock = (changes: Partial<LockView> = {}): LockView => ({
  workspace: '/repo',
  session_id: '66a8c9ee',
  session_name: 'lead',
  reason: 'migrating',
  since: '2025-01-02T11:55:00.000Z',
  enforced: false,
  waiting_session_ids: [],
  ...changes,
});
const lead = session({ id: '66a8c9ee', name: 'lead', lock: lock() });
const scout = session({ id: '340d0709', name: 'scout' });
const here = 'GET /workspace?path=%2Frepo%2Fproject';

test('lock: claims the workspace of the directory, with all words as the reason', async () => {
  const taken = { status: 'locked', lock: lock({ enforced: true }) };
  const { code, out } = await sm(
    { 'POST /sessions/66a8c9ee/lock': taken },
    ['lock', 'moving', 'files', '--enforce'],
    { env: inside },
  );
  expect(code).toBe(0);
  expect(out).toBe('Locked /repo for edits. Release it with: sm unlock\n');
  expect(daemon.calls[0]!.body).toEqual({ reason: 'moving files', path: '/repo/project', enforce: true });
  const json = await daemon.sm(['lock', 'x', '--json'], { env: inside });
  expect(JSON.parse(json.io.printed.out)).toEqual(taken);
});

test('lock: a refusal is told as it is', async () => {
  const { code, err } = await sm(
    { 'POST /sessions/66a8c9ee/lock': new Refused(409, 'scout has held it') },
    ['lock', 'x'],
    { env: inside },
  );
  expect([code, err]).toEqual([1, 'Error: scout has held it\n']);
});

test('lock --wait: one who waits does not have it, and the exit code says so', async () => {
  const answer = { status: 'waiting', lock: lock({ session_id: '340d0709', session_name: 'scout' }) };
  const { code, err } = await sm({ 'POST /sessions/66a8c9ee/lock': answer }, ['lock', 'x', '--wait', '60'], {
    env: inside,
  });
  expect(code).toBe(1);
  expect(err).toBe(
    'Error: Not locked: scout (340d0709) holds /repo: "migrating" for 5m. You get a notice when it is free, or after 60 s.\n',
  );
  expect(daemon.calls[0]!.body).toMatchObject({ wait_seconds: 60 });
  const json = await daemon.sm(['lock', 'x', '--wait', '60', '--json'], { env: inside });
  expect([json.code, JSON.parse(json.io.printed.out)]).toEqual([1, answer]);
});

test('lock: only inside a session, and with a reason', async () => {
  const { code, err } = await sm({}, ['lock', 'x']);
  expect(code).toBe(2);
  expect(err).toContain('Only a session can hold a lock');
  expect((await daemon.sm(['lock'], { env: inside })).code).toBe(1);
  expect(daemon.calls).toEqual([]);
});

const released = { status: 'released', session_id: '66a8c9ee', workspace: '/repo' };

test('unlock: inside a session it is the own lock, wherever that is', async () => {
  const { out } = await sm(
    { 'GET /sessions/66a8c9ee': lead, 'DELETE /sessions/66a8c9ee/lock': released },
    ['unlock'],
    { env: inside, cwd: '/elsewhere' },
  );
  expect(out).toBe('Unlocked /repo.\n');
  expect(daemon.calls.at(-1)!.body).toEqual({ requester_session_id: '66a8c9ee' });
});

test('unlock: for a person the one here, or that of a session; for a parent too', async () => {
  const answers = {
    [here]: { workspace: '/repo', lock: lock({ session_id: '340d0709' }), sessions: [] },
    'GET /sessions/66a8c9ee': session(),
    'DELETE /sessions/340d0709/lock': released,
    'DELETE /sessions/scout/lock': released,
  };
  expect((await sm(answers, ['unlock'])).code).toBe(0);
  expect(daemon.calls.at(-1)).toMatchObject({ url: '/sessions/340d0709/lock', body: {} });
  expect((await daemon.sm(['unlock', 'scout'])).code).toBe(0);
  expect((await daemon.sm(['unlock'], { env: inside })).code).toBe(0);
  expect(daemon.calls.at(-1)).toMatchObject({
    url: '/sessions/340d0709/lock',
    body: { requester_session_id: '66a8c9ee' },
  });
});

test('unlock: says so when there is nothing to release', async () => {
  const { code, err } = await sm({ [here]: { workspace: '/repo', lock: null, sessions: [] } }, ['unlock']);
  expect([code, err]).toEqual([1, 'Error: /repo is not locked. See all locks with: sm status\n']);
});

test('alone: 0 with nobody but us, else 1 and who is there', async () => {
  const view = { workspace: '/repo', lock: null, sessions: [lead] };
  const mine = await sm({ [here]: view }, ['alone'], { env: inside });
  expect(mine).toMatchObject({ code: 0, out: 'Nobody else works in /repo.\n' });
  const person = await daemon.sm(['alone']);
  expect(person.code).toBe(1);
  expect(person.io.printed.out).toMatch(/^NAME.*\nlead .*\n$/);
  const json = await daemon.sm(['alone', '--json']);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.io.printed.out)).toEqual({ workspace: '/repo', alone: false, sessions: [lead] });
});

test('status, me and who show locks: owner, reason, age, and whether they are enforced', async () => {
  const held = lock({ enforced: true, waiting_session_ids: ['340d0709'] });
  const sessions = [session({ ...lead, lock: held }), scout];
  const { out } = await sm({ 'GET /sessions': { sessions }, 'GET /sessions/66a8c9ee': sessions[0] }, [
    'status',
  ]);
  const line = 'lead (66a8c9ee) holds /repo: "migrating" for 5m, enforced, 1 waits';
  expect(out).toContain(`\n\nLocks\n  ${line}\n`);
  const who = await daemon.sm(['who'], { env: inside });
  expect(who.io.printed.out).toContain(`scout  340d0709`);
  expect(who.io.printed.out).toContain(`\n\nLocks\n  ${line}\n`);
  const me = await daemon.sm(['me'], { env: inside });
  expect(me.io.printed.out).toContain('  lock       /repo, "migrating" for 5m, enforced, 1 waits\n');
});
