import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testNow } from '../../../test/support/io.ts';
import { daemon, sm } from '../../../test/support/sm.ts';
import {
  type Answers,
  event,
  inputAnswer,
  inside,
  Refused,
  session,
} from '../../../test/support/stand-in-daemon.ts';

const worker = session();
const other = session({ id: '340d0709', name: 'other' });
const accepted = inputAnswer({
  status: 'delivered',
  state: 'accepted',
  evidence: { source: 'hook', id: 'f1', at: new Date(testNow + 43).toISOString() },
});
/** A daemon that knows the worker, and answers so to what is sent to it. */
const known = (answer: unknown, changes: Parameters<typeof session>[0] = {}): Answers => ({
  'GET /sessions/worker': worker,
  'GET /sessions/66a8c9ee': session(changes),
  'POST /sessions/66a8c9ee/input': answer,
});
const sent = () => daemon.calls.find(({ method }) => method === 'POST')?.body;

test('an accepted message is told with its proof', async () => {
  const { code, out } = await sm(known(accepted), ['send', 'worker', 'hello']);
  expect([code, out]).toEqual([0, 'Accepted by worker (66a8c9ee) #m1 (hook, 43 ms)\n']);
});

test.each([
  [
    { queue_position: 2 },
    { phase: 'working' },
    'Queued for worker (66a8c9ee) #m1: it is working (position 2)',
  ],
  [
    {},
    { phase: 'exited' },
    'Queued for worker (66a8c9ee) #m1: it is exited; restore it with: sm restore 66a8c9ee',
  ],
  [
    {},
    { phase: 'blocked', question: { id: 'q1', kind: 'permission', text: 'Bash: x\u001b', since: '' } },
    'Queued for worker (66a8c9ee) #m1: it asks: Bash: x␛',
  ],
  [
    { waits_for: 'lost' },
    { phase: 'lost' },
    'Queued for worker (66a8c9ee) #m1: it is lost; restore it with: sm restore 66a8c9ee',
  ],
  [{ why: 'it compacts' }, { phase: 'idle' }, 'Queued for worker (66a8c9ee) #m1: it compacts'],
  [{ state: 'held', why: 'draft' }, {}, 'Held for worker (66a8c9ee) #m1: a draft is in its composer'],
  [{ state: 'held', why: 'a human scrolls' }, {}, 'Held for worker (66a8c9ee) #m1: a human scrolls'],
  [{ state: 'typed' }, {}, 'Typed for worker (66a8c9ee) #m1: no proof yet that the agent has it'],
  [{ state: 'answered' }, {}, 'Answered by worker (66a8c9ee) #m1'],
] as const)('%j of a session %j is told as no more than that', async (answer, changes, line) => {
  const { code, out } = await sm(known(inputAnswer(answer), changes), ['send', 'worker', 'hello']);
  expect([code, out]).toEqual([0, `${line}\n`]);
});

test('a message that nobody will take is exit code 1', async () => {
  const { code, out, err } = await sm(known(inputAnswer({ state: 'failed', why: 'no trace' })), [
    'send',
    'worker',
    'hello',
  ]);
  expect([code, out, err]).toEqual([1, '', 'Error: Failed for worker (66a8c9ee) #m1: no trace\n']);
});

test('a person is told of nothing later; a session is, unless it does not want to be', async () => {
  await sm(known(accepted), ['send', 'worker', '- do it', '--sequential']);
  expect(sent()).toEqual({
    text: '- do it',
    delivery_mode: 'sequential',
    from_sm_send: true,
    notify_on_stop: false,
  });
  const env = { CLAUDE_SESSION_MANAGER_ID: '340d0709' };
  await daemon.sm(['send', 'worker', 'x', '--urgent'], { env });
  await daemon.sm(['send', 'worker', 'x', '--important', '--no-notify-on-stop', '--timeout', '9'], { env });
  await daemon.sm(['send', 'worker', 'x', '--notify-on-delivery', '--notify-after', '60'], { env });
  const session = { text: 'x', from_sm_send: true, sender_session_id: '340d0709' };
  expect(
    daemon.calls
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => body)
      .slice(1),
  ).toEqual([
    { ...session, delivery_mode: 'urgent', notify_on_stop: true },
    { ...session, delivery_mode: 'important', notify_on_stop: false, timeout_seconds: 9 },
    {
      ...session,
      delivery_mode: 'sequential',
      notify_on_stop: true,
      notify_on_delivery: true,
      notify_after_seconds: 60,
    },
  ]);
});

test('several recipients: a line each, and a refusal keeps it from none of the others', async () => {
  const answers = {
    ...known(accepted),
    'GET /sessions/other': other,
    'POST /sessions/340d0709/input': new Refused(409, 'The session was killed.'),
    'GET /sessions/nobody': new Refused(404, 'No session is called "nobody".'),
  };
  const { code, out, err, calls } = await sm(answers, ['send', 'nobody,other,worker,worker', 'hello']);
  expect([code, out]).toEqual([1, 'Accepted by worker (66a8c9ee) #m1 (hook, 43 ms)\n']);
  expect(err.split('\n').sort()).toEqual([
    '',
    'Error: nobody: No session is called "nobody".',
    'Error: other: The session was killed.',
  ]);
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
  const json = await daemon.sm(['send', 'other,worker', 'hello', '--json']);
  expect(json.code).toBe(1);
  expect(JSON.parse(json.io.printed.out)).toEqual({
    messages: [
      { to: 'other', error: 'The session was killed.' },
      { to: 'worker', name: 'worker', ...accepted },
    ],
  });
});

test.each([
  [['send', 'worker'], 1, 'Missing argument TEXT'],
  [['send', 'worker', ' \n'], 1, 'The text is empty'],
  [
    ['send', 'worker', 'do', 'it'],
    1,
    'Unexpected argument "it" (quote a text that has spaces). Usage: sm send SESSION',
  ],
  [['send', 'worker', 'x', '--file', 'y'], 1, 'Give either the text or --file, not both'],
  [['send', 'worker', '--file', '/nowhere/x'], 1, 'Cannot read the text'],
  [['send', 'worker', '--file', '/'], 1, 'Cannot read the text'],
  [['send', 'one,', 'x'], 1, 'A recipient is empty'],
  [['send', 'worker', 'x', '--urgent', '--important'], 1, 'Choose only one of --important and --urgent'],
  [['send', 'worker', 'x', '--wait', 'long'], 1, '--wait needs a whole number'],
  [['send', 'worker', 'x', '--timeout', '0'], 1, '--timeout takes a number from 1 to 31536000, not 0.'],
  [['send', 'worker', 'x', '--urgnet'], 1, 'Did you mean --urgent?'],
  [['send', 'worker', 'x', '--notify-on-delivery'], 2, 'Not inside a session'],
  [['send', 'worker', 'x', '--notify-after', '5'], 2, 'Not inside a session'],
])('%j is refused and nothing is sent', async (argv, exitCode, message) => {
  const { code, err, calls } = await sm({}, argv);
  expect([code, calls]).toEqual([exitCode, []]);
  expect(err).toContain(message);
});

test('a file and standard input are sent as they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-send-'));
  try {
    const text = '\ufeffline;\r\n\t`$x` "日本" \u{1f680} -\n\n';
    writeFileSync(join(folder, 't'), text);
    const { calls } = await sm(known(accepted), ['send', 'worker', '-'], { input: text });
    await daemon.sm(['send', 'worker', '--file', 't'], { cwd: folder });
    const texts = calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(texts).toEqual([expect.objectContaining({ text }), expect.objectContaining({ text })]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('what is too long or not UTF-8 is refused before it is sent, with what to do instead', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-send-'));
  const most = 1024 * 1024;
  try {
    writeFileSync(join(folder, 'long'), 'é'.repeat(most / 2 + 1));
    writeFileSync(join(folder, 'latin'), Buffer.from('caf\xe9', 'latin1'));
    const file = await sm(known(accepted), ['send', 'worker', '--file', 'long'], { cwd: folder });
    expect([file.code, file.err]).toEqual([
      1,
      `Error: The text is longer than 1 MB (1048576 bytes). Send the path instead: "Read ${folder}/long".\n`,
    ]);
    const input = await daemon.sm(['send', 'worker', '-'], { input: 'x'.repeat(most + 1) });
    expect(input.io.printed.err).toContain('Put it into a file and send the path');
    const latin = await daemon.sm(['send', 'worker', '--file', 'latin'], { cwd: folder });
    expect([latin.code, latin.io.printed.err]).toEqual([1, expect.stringContaining('is not UTF-8')]);
    expect(daemon.calls).toEqual([]);
    expect((await daemon.sm(['send', 'worker', '-'], { input: 'x'.repeat(most) })).code).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const waiting = (answer: unknown, ...pages: unknown[][]): Answers => ({
  ...known(answer),
  'GET /events?session=66a8c9ee&limit=1&last=true': { events: [event(7, 'session ready')] },
  'STREAM /events?session=66a8c9ee after 7': pages.flat(),
});
const send = ['send', 'worker', 'hello', '--wait', '20'];

test('--wait: the last words are those of the turn that took the message', async () => {
  const { code, out } = await sm(
    waiting(
      inputAnswer(),
      [event(8, 'turn ended', { turn: 't0', end: 'ended', last_words: 'of another' })],
      [
        event(9, 'turn ended', { turn: 't1', end: 'ended', last_words: 'All\ndone\u001b\n' }),
        event(10, 'message answered', { message: 'm1', turn: 't1' }),
        event(11, 'turn ended', { turn: 't2', end: 'ended', last_words: 'later' }),
      ],
    ),
    send,
  );
  expect(code).toBe(0);
  expect(out).toBe(
    'Queued for worker (66a8c9ee) #m1: it is idle\nworker (66a8c9ee) answered #m1:\nAll\ndone␛\n',
  );
});

test.each([
  ['message failed', { why: 'no trace' }, 'failed: no trace'],
  ['message expired', {}, 'expired'],
  ['message withdrawn', {}, 'withdrawn'],
  ['message died', { turn: 't1', why: 'exit code 1' }, 'died: exit code 1'],
  ['message interrupted', { turn: 't1', why: 'by a human' }, 'interrupted by a human'],
  ['message cleared', { turn: 't1', why: 'by the user' }, 'cleared by the user'],
  [
    'message unknown',
    { turn: 't1', why: 'how its turn ended is unknown' },
    'unknown: how its turn ended is unknown',
  ],
  ['session lost', { reason: 'tmux ended' }, 'the session ended: tmux ended (it is queued)'],
])('--wait: %s ends it with exit code 1', async (type, details, outcome) => {
  const { code, err } = await sm(
    waiting(inputAnswer(), [event(8, type, { message: 'm1', ...details })]),
    send,
  );
  expect([code, err]).toEqual([1, `Error: worker (66a8c9ee) did not answer: ${outcome}. See: sm trace m1\n`]);
});

test("--wait: the words that followed a cut are told as such, and not as the message's own answer", async () => {
  const events = [
    event(8, 'turn ended', { turn: 't1', end: 'cut-off', last_words: null }),
    event(9, 'turn ended', { turn: 't2', end: 'ended', last_words: 'the other one is done' }),
    event(10, 'message cut-off', { message: 'm1', turn: 't2', why: 'by message #m2 from lead (f00df00d)' }),
  ];
  const { code, out, err } = await sm(waiting(accepted, events), send);
  expect([code, err]).toEqual([
    1,
    'Error: worker (66a8c9ee) did not answer: cut off by message #m2 from lead (f00df00d). See: sm trace m1\n',
  ]);
  expect(out).toContain(
    'worker (66a8c9ee) was cut off from #m1; the next turn ended with:\nthe other one is done\n',
  );
  const json = await sm(waiting(accepted, events), [...send, '--json']);
  expect(JSON.parse(json.out).messages[0]).toMatchObject({
    state: 'accepted',
    outcome: 'cut-off',
    why: 'by message #m2 from lead (f00df00d)',
    last_message: 'the other one is done',
  });
});

test('--wait: when the time is over, it says how far the message came', async () => {
  let now = testNow;
  const typed = () => {
    now += 20_000;
    return [event(8, 'message typed', { message: 'm1' })];
  };
  const answers = { ...waiting(inputAnswer()), 'STREAM /events?session=66a8c9ee after 7': typed };
  const { code, err } = await sm(answers, send, { now: () => now });
  expect([code, err]).toEqual([
    1,
    'Error: worker (66a8c9ee) did not answer: no answer within 20 s (it is typed). See: sm trace m1\n',
  ]);
});

test('one that is queued is told even if the daemon stops right after', async () => {
  const answers = {
    ...known(inputAnswer({ queue_position: 1 })),
    'GET /sessions/66a8c9ee': new Refused(503, 'It stops.'),
  };
  const { code, out } = await sm(answers, ['send', 'worker', 'x'], { env: inside });
  expect([code, out]).toEqual([0, 'Queued for worker (66a8c9ee) #m1: it is idle (position 1)\n']);
});
