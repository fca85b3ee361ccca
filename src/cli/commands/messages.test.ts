// The commands about messages that were sent, and those that are no messages.
import { expect, test } from 'vitest';
import { testNow } from '../../../test/support/io.ts';
import { daemon, type IoChanges, sm as onDaemon } from '../../../test/support/sm.ts';
import {
  type Answers,
  event,
  inputAnswer,
  inside,
  message,
  Refused,
  session,
} from '../../../test/support/stand-in-daemon.ts';
import type { SessionView } from '../../protocol/session.ts';

/** On a daemon that knows the worker. */
const sm = (answers: Answers, argv: string[], io?: IoChanges) =>
  onDaemon({ 'GET /sessions/worker': worker, 'GET /sessions/66a8c9ee': worker, ...answers }, argv, io);

const worker = session({ phase: 'working', status: 'running' });
const boss = { CLAUDE_SESSION_MANAGER_ID: '340d0709' };

test('queue: what waits, from whom, and why', async () => {
  const answer = {
    session_id: '66a8c9ee',
    is_idle: false,
    pending_count: 3,
    pending_messages: [
      message({ id: 'm1', mode: 'important', state: 'held', why: 'draft', from: { kind: 'person' } }),
      message({ id: 'm2', text: `two\nlines\u001b ${'long '.repeat(100_000)}`, from: { kind: 'sm' } }),
    ],
  };
  const { code, out } = await sm({ 'GET /sessions/worker/send-queue': answer }, ['queue', 'worker']);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toBe('3 messages wait for worker (66a8c9ee): it is working');
  expect(lines[1]).toMatch(/^MESSAGE {2}FROM {6}MODE {8}SENT {4}STATE {29}TEXT$/);
  expect(lines[2]).toBe('#m1      the user  important   1m ago  held: a draft is in its composer  do it');
  expect(lines[3]).toMatch(/^#m2 {6}sm {8}sequential {2}1m ago {2}queued {28}two lines␛ long .*…$/);
  expect(lines[4]).toBe('and 1 more');
  const json = await daemon.sm(['queue', 'worker', '--json']);
  expect(JSON.parse(json.io.printed.out)).toEqual(answer);
});

test('queue: says so when nothing waits', async () => {
  const answer = { session_id: '66a8c9ee', is_idle: true, pending_count: 0, pending_messages: [] };
  const { out } = await sm({ 'GET /sessions/worker/send-queue': answer }, ['queue', 'worker']);
  expect(out).toBe('Nothing waits for worker (66a8c9ee): it is working\n');
});

const trace = {
  message: message({ state: 'answered', turn: 't1', created_at: '2025-01-02T12:00:00.000Z' }),
  events: [
    event(1, 'message queued', { message: 'm1', from: message().from, mode: 'sequential' }),
    { ...event(2, 'message held', { message: 'm1', why: 'draft' }), at: '2025-01-02T12:00:00.377Z' },
    {
      ...event(3, 'message accepted', {
        message: 'm1',
        turn: 't1',
        evidence: { source: 'hook', id: 'f1\u001b', at: Date.parse('2025-01-02T12:00:02.970Z') },
      }),
      at: '2025-01-02T12:00:02.977Z',
    },
    { ...event(4, 'message answered', { message: 'm1', turn: 't1' }), at: '2025-01-02T12:01:05.000Z' },
    {
      ...event(5, 'notice-posted', { message: 'm1', to: '340d0709', about: 'turn-end', notice: 'n1' }),
      at: '2025-01-02T12:01:05.000Z',
    },
  ],
};

test('trace: the whole life, with times to the millisecond and the proof', async () => {
  const { code, out } = await sm({ 'GET /messages/m1': trace }, ['trace', '#m1']);
  expect(code).toBe(0);
  expect(out.replace(/\d\d:(\d\d:\d\d\.\d{3})/g, 'HH:$1')).toBe(
    [
      '#m1 from lead (340d0709) to worker (66a8c9ee), sequential',
      '  "do it"',
      '  HH:00:00.000   +0.000 s  queued, from lead (340d0709) (sequential)',
      '  HH:00:00.377   +0.377 s  held: a draft is in its composer',
      '  HH:00:02.977   +2.977 s  accepted (hook f1␛, HH:00:02.970)',
      '  HH:01:05.000  +65.000 s  answered',
      '  HH:01:05.000  +65.000 s  told 340d0709 that the turn ended (notice n1)',
      'Now: answered',
      '',
    ].join('\n'),
  );
  const json = await daemon.sm(['trace', 'm1', '--json']);
  expect(JSON.parse(json.io.printed.out)).toEqual(trace);
});

test('trace: a session that is no longer known is called by its id', async () => {
  const gone = { message: message({ state: 'failed', why: 'the session was killed' }), events: [] };
  const answers = { 'GET /messages/m1': gone, 'GET /sessions/66a8c9ee': new Refused(404, 'Unknown.') };
  const { out } = await sm(answers, ['trace', 'm1']);
  expect(out).toMatch(/ to 66a8c9ee, sequential\n {2}"do it"\nNow: failed: the session was killed\n$/);
});

test('withdraw: each one that still waits, and the rest is an error', async () => {
  const { code, out, err, calls } = await sm(
    {
      'POST /messages/m1/withdraw': new Refused(409, 'm1 was typed already.'),
      'POST /messages/m2/withdraw': message({ id: 'm2', state: 'withdrawn' }),
    },
    ['withdraw', 'm1', '#m2'],
    { env: boss },
  );
  expect([code, out, err]).toEqual([
    1,
    'Withdrew #m2 to worker (66a8c9ee)\n',
    'Error: m1 was typed already.\n',
  ]);
  expect(calls[0]?.body).toEqual({ requester_session_id: '340d0709' });
});

test('slash: a command of the agent goes alone', async () => {
  const { code, out, calls } = await sm(
    { 'POST /sessions/66a8c9ee/slash': { status: 'typed', session_id: '66a8c9ee' } },
    ['slash', 'worker', '/model opus'],
  );
  expect([code, out]).toEqual([0, 'Typed /model opus into worker (66a8c9ee)\n']);
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ command: '/model opus' });
});

test('slash: one that has to wait says for what, and the queue shows it', async () => {
  const { out } = await sm(
    {
      'POST /sessions/66a8c9ee/slash': {
        status: 'waiting',
        session_id: '66a8c9ee',
        waits_for: 'working',
      },
      'GET /sessions/worker/send-queue': {
        session_id: '66a8c9ee',
        is_idle: false,
        pending_count: 0,
        pending_messages: [],
        pending_commands: ['/model opus', '/compact'],
      },
    },
    ['slash', 'worker', '/compact'],
  );
  expect(out).toBe('/compact waits for worker (66a8c9ee): it is working. See: sm queue 66a8c9ee\n');
  const queue = await daemon.sm(['queue', 'worker']);
  expect(queue.io.printed.out).toBe('Commands that wait for worker (66a8c9ee): /model opus, /compact\n');
});

test('clear: says so, and who asked for it', async () => {
  const { out, calls } = await sm(
    { 'POST /sessions/66a8c9ee/clear': { status: 'cleared', session_id: '66a8c9ee' } },
    ['clear', 'worker'],
    { env: boss },
  );
  expect(out).toBe('Cleared worker (66a8c9ee)\n');
  expect(calls.at(-1)?.body).toEqual({ requester_session_id: '340d0709' });
});

test('clear PROMPT: the prompt that follows is told like any message', async () => {
  const evidence = { source: 'hook', id: 'f', at: new Date(testNow + 1200).toISOString() };
  const answer = {
    status: 'cleared',
    session_id: '66a8c9ee',
    message: inputAnswer({ state: 'accepted', evidence }),
  };
  const { out, calls } = await sm({ 'POST /sessions/66a8c9ee/clear': answer }, ['clear', 'worker', '-'], {
    input: 'go on\n',
  });
  expect(out).toBe('Cleared worker (66a8c9ee)\nAccepted by worker (66a8c9ee) #m1 (hook, 1.2 s)\n');
  expect(calls.at(-1)?.body).toEqual({ prompt: 'go on\n' });
});

test('answer: says what was answered, as the daemon knows it', async () => {
  const answers = {
    'POST /sessions/66a8c9ee/answer': {
      status: 'answered',
      session_id: '66a8c9ee',
      question: 'Bash: make\u001b',
    },
  };
  const { code, out, calls } = await sm(answers, ['answer', 'worker', 'deny', 'not now']);
  expect([code, out]).toEqual([0, 'Answered worker (66a8c9ee): deny, to: Bash: make␛\n']);
  expect(calls.at(-1)?.body).toEqual({ decision: 'deny', text: 'not now' });
});

test('wait inside a session: asks to be told, and returns', async () => {
  const { code, out, calls } = await sm(
    {
      'POST /sessions/66a8c9ee/watch?watcher_session_id=340d0709&timeout_seconds=60': {
        status: 'watching',
        watch_id: 'w1',
      },
    },
    ['wait', 'worker', '60'],
    { env: boss },
  );
  expect([code, out]).toEqual([
    0,
    'Watching worker (66a8c9ee): you get a notice when it is idle, exited or lost, or after 60 s.\n',
  ]);
  expect(calls).toHaveLength(2);
});

/** A worker that is so at first, and then as it is told of by and by. */
const looks = (first: SessionView, ...then: SessionView[]): Answers => ({
  'GET /sessions/worker': first,
  'STREAM /events?session=66a8c9ee&views=true': [
    { is: 'connected', after: 7, sessions: [first] },
    ...then.map((view) => ({ is: 'session', session: view })),
  ],
});

test('wait in a shell: returns when it is idle', async () => {
  const idle = session({ waiting: { count: 1, held: 'draft' } });
  const { code, out } = await sm(looks(worker, worker, idle), ['wait', 'worker', '20']);
  expect([code, out]).toEqual([
    0,
    'worker (66a8c9ee) is idle (1 message held: a draft is in its composer)\n',
  ]);
});

test('wait in a shell: one that is about to take a message is not done', async () => {
  const about = session({ waiting: { count: 1, held: null } });
  const { code, calls } = await sm(looks(about, worker, session()), ['wait', 'worker', '20']);
  expect([code, calls.length]).toEqual([0, 2]);
});

test('wait in a shell: one that is idle already is not waited for', async () => {
  const { code, calls } = await sm(looks(session()), ['wait', 'worker', '0']);
  expect([code, calls.length]).toEqual([0, 1]);
});

test('wait in a shell: one that was killed meanwhile is told as such', async () => {
  const ended = { at: '', code: null, signal: null, reason: 'killed', killed: true };
  const answers = {
    ...looks(worker),
    'STREAM /events?session=66a8c9ee&views=true': [{ is: 'connected', after: 7, sessions: [] }],
    'GET /sessions/66a8c9ee': session({ phase: 'exited', ended }),
  };
  const { code, err } = await sm(answers, ['wait', 'worker', '20']);
  expect([code, err]).toEqual([1, expect.stringContaining('worker (66a8c9ee) was killed')]);
});

test('wait in a shell: an end, or a time that is over, is exit code 1', async () => {
  const ended = { at: '', code: 1, signal: null, reason: 'it crashed', killed: false };
  const exited = await sm(looks(worker, session({ phase: 'exited', ended })), ['wait', 'worker', '20']);
  expect([exited.code, exited.err]).toEqual([
    1,
    'Error: worker (66a8c9ee) is exited: it crashed. Restore it with: sm restore 66a8c9ee\n',
  ]);
  const late = await daemon.sm(['wait', 'worker', '0']);
  expect(late.code).toBe(1);
  const over = await sm(looks(worker), ['wait', 'worker', '0']);
  expect([over.code, over.err]).toEqual([
    1,
    'Error: worker (66a8c9ee) is not idle after 0 s: it is working\n',
  ]);
});

test.each([
  [['answer', 'worker', 'alow'], 'Answer allow, deny or always, not "alow". Did you mean allow?'],
  [
    ['answer', 'worker'],
    'Missing argument allow|deny|always. Usage: sm answer SESSION allow|deny|always [TEXT]',
  ],
  [['slash', 'worker', 'model'], 'A command starts with a slash'],
  [['slash', 'worker', '/a\nb'], 'A command starts with a slash and has one line'],
  [['wait', 'worker', 'long'], 'SECONDS needs a whole number'],
  [['trace', '..'], 'No message "'],
  [['withdraw', '#'], 'No message "'],
  [['clear', 'worker', ''], 'The prompt is empty'],
  [['quue', 'worker'], 'Did you mean: sm queue?'],
])('%j is refused and nothing is sent', async (argv, wanted) => {
  const { code, err, calls } = await sm({}, argv, { env: inside });
  expect([code, calls]).toEqual([1, []]);
  expect(err).toContain(wanted);
});
