import { expect, test } from 'vitest';
import { daemon, type IoChanges, sm as onDaemon } from '../../../test/support/sm.ts';
import {
  type Answers,
  event,
  inputAnswer,
  message,
  Refused,
  session,
} from '../../../test/support/stand-in-daemon.ts';

const worker = session({ provider: 'codex-app' });
const fresh = session({ id: 'c0ffee00', name: 'codex-app-c0ffee00', phase: 'starting' });
const boss = { CLAUDE_SESSION_MANAGER_ID: '340d0709' };
const inIt = {
  ...inputAnswer({
    state: 'accepted',
    evidence: { source: 'notification', id: 'e', at: '2025-01-02T12:00:00.043Z' },
  }),
  created: false,
  name: 'worker',
  working_dir: '/repo/project',
};
const inNew = {
  ...inputAnswer({ session_id: 'c0ffee00' }),
  created: true,
  name: fresh.name,
  working_dir: '/repo/project',
};

async function sm(answers: Answers, argv: string[], io?: IoChanges) {
  const known = {
    'GET /sessions/worker': worker,
    'GET /sessions/66a8c9ee': worker,
    'GET /sessions/c0ffee00': fresh,
    'STREAM /events?session=c0ffee00 after 0': [event(1, 'session ready')],
    'GET /messages/m1': { message: message(), events: [] },
  };
  const { calls, ...rest } = await onDaemon({ ...known, ...answers }, argv, io);
  const asked = calls.find(({ url }) => url === '/reviews')?.body as Record<string, unknown>;
  return { ...rest, asked };
}

test('review: in a session, of what is uncommitted', async () => {
  const { code, out, asked } = await sm({ 'POST /reviews': inIt }, ['review', 'worker']);
  expect([code, out]).toEqual([
    0,
    'Accepted by worker (66a8c9ee) #m1 (notification, 43 ms)\nRead the result later with: sm output 66a8c9ee\n',
  ]);
  expect(asked).toMatchObject({ target: { of: 'uncommitted' }, session: '66a8c9ee', new: false });
  expect(asked.working_dir).toBeUndefined();
});

test('review: in a new session here, for a session that will be told', async () => {
  const { code, out, asked } = await sm(
    { 'POST /reviews': inNew },
    ['review', '--base', 'main', '--name', 'critic'],
    {
      env: boss,
    },
  );
  expect([code, out]).toEqual([
    0,
    'Started codex-app-c0ffee00 (c0ffee00) in /repo/project for the review\n' +
      'Queued for codex-app-c0ffee00 (c0ffee00) #m1: it is starting\n' +
      'You get the result as a notice.\n',
  ]);
  expect(asked).toMatchObject({
    target: { of: 'base', branch: 'main' },
    name: 'critic',
    working_dir: '/repo/project',
    requester_session_id: '340d0709',
  });
});

test('review --wait: prints the review, or says why there is none', async () => {
  const page = 'STREAM /events?session=c0ffee00 after 0';
  const ready = event(1, 'session ready');
  const answered = event(3, 'message answered', { message: 'm1', turn: 't1' });
  const turn = (details: object) => event(2, 'turn ended', { turn: 't1', ...details });
  const well = [ready, turn({ end: 'ended', last_words: 'Two findings:\n- one' }), answered];
  const argv = ['review', '--commit', 'abc', '--wait', '60'];
  const done = await sm({ 'POST /reviews': inNew, [page]: well }, argv);
  expect([done.code, done.out.split('\n').slice(2).join('\n')]).toEqual([0, 'Two findings:\n- one\n']);
  expect(done.asked.target).toEqual({ of: 'commit', commit: 'abc' });
  const json = await daemon.sm([...argv, '--json']);
  expect(JSON.parse(json.io.printed.out)).toMatchObject({
    created: true,
    outcome: 'answered',
    last_message: 'Two findings:\n- one',
  });
  const bad = event(3, 'message failed', { message: 'm1', turn: 't1', why: 'overloaded' });
  const badly = [ready, turn({ end: 'failed', last_words: 'overloaded' }), bad];
  const failed = await sm({ 'POST /reviews': inNew, [page]: badly }, argv);
  expect([failed.code, failed.err]).toEqual([
    1,
    'Error: codex-app-c0ffee00 (c0ffee00) did not answer: failed: overloaded. See: sm trace m1\n',
  ]);
});

test('review: a new session that does not start is an error', async () => {
  const details = {
    reason: 'It could not be started: codex was not found',
    not_started: 'codex was not found',
  };
  const gone = [event(1, 'session exited', details)];
  const { code, out, err } = await sm(
    { 'POST /reviews': inNew, 'STREAM /events?session=c0ffee00 after 0': gone },
    ['review'],
  );
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('codex-app-c0ffee00 (c0ffee00) did not start: codex was not found.');
});

test('review: has one target, and passes a refusal on', async () => {
  const two = await sm({}, ['review', '--base', 'main', '--uncommitted']);
  expect([two.code, two.err]).toEqual([
    1,
    'Error: Choose only one of --base, --uncommitted, --commit and --custom: a review has one target.\n',
  ]);
  expect(two.asked).toBeUndefined();
  const refusal = new Refused(400, 'Unknown branch nope in /repo/project.');
  const none = await sm({ 'POST /reviews': refusal }, ['review', 'worker', '--new', '--base', 'nope']);
  expect([none.code, none.err]).toEqual([1, 'Error: Unknown branch nope in /repo/project.\n']);
  expect(none.asked.new).toBe(true);
});

test('review --custom -: reads what to look for from standard input', async () => {
  const { asked } = await sm({ 'POST /reviews': inNew }, ['review', '--custom', '-'], {
    readInput: async () => Buffer.from('Is it fast?'),
  });
  expect(asked.target).toEqual({ of: 'custom', text: 'Is it fast?' });
});
