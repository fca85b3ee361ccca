import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { daemon, type IoChanges, sm } from '../../../test/support/sm.ts';
import { type Answers, Refused, session } from '../../../test/support/stand-in-daemon.ts';

async function attach(answers: Answers, argv: string[], io: IoChanges = {}) {
  const terminal = { inputIsTerminal: true, outputIsTerminal: true };
  const { ran, ...rest } = await sm(answers, ['attach', ...argv], { ...terminal, ...io });
  return { ...rest, ran, targets: ran.map(({ args }) => args[args.indexOf('-t') + 1]) };
}

const ended = { at: '2025-01-02T11:00:00.000Z', code: 1, signal: null, reason: 'it crashed', killed: false };
const dead = session({ id: 'dead', name: 'dead', phase: 'exited', ended });
const one = session({ id: 'aaaa', name: 'one' });
const two = session({ id: 'bbbb', name: 'two' });
const child = session({ id: 'cccc', name: 'child', parent_session_id: 'aaaa' });

test('the only one that runs needs no name', async () => {
  const { targets } = await attach({ 'GET /sessions': { sessions: [dead, one] } }, []);
  expect(targets).toEqual(['=sm-aaaa:']);
});

test('one of several is chosen from a list', async () => {
  const answers = { 'GET /sessions': { sessions: [one, two] } };
  const chosen = await attach(answers, [], { answer: '2\n' });
  expect(chosen.targets).toEqual(['=sm-bbbb:']);
  expect(chosen.out.replace(/\u001b\[\d+m/g, '')).toMatch(/^ {4}NAME .*\n 1 {2}one .*\n 2 {2}two .*\n$/);
  const none = await daemon.sm(['attach'], { inputIsTerminal: true, outputIsTerminal: true, answer: 'x' });
  expect([none.code, none.io.printed.err]).toEqual([1, 'Error: You chose no session.\n']);
});

test('a number means the line that it stands on, whatever the order of the sessions', async () => {
  const { targets } = await attach({ 'GET /sessions': { sessions: [one, two, child] } }, [], { answer: '2' });
  expect(targets).toEqual(['=sm-cccc:']);
});

test('without a terminal nothing is asked', async () => {
  const answers = { 'GET /sessions': { sessions: [one, two] }, 'GET /sessions/one': one };
  const several = await attach(answers, [], { inputIsTerminal: false });
  expect([several.code, several.err]).toEqual([1, expect.stringContaining('2 sessions are running')]);
  const named = await daemon.sm(['attach', 'one']);
  expect([named.code, named.io.printed.err]).toEqual([1, expect.stringContaining('needs a terminal')]);
});

test('nothing to attach to', async () => {
  const { code, err } = await attach({ 'GET /sessions': { sessions: [dead] } }, []);
  expect([code, err]).toEqual([1, 'Error: No session is running. Start one with: sm claude\n']);
});

test('one that has ended says why, and how to bring it back', async () => {
  const { code, err } = await attach({ 'GET /sessions/dead': dead }, ['dead']);
  expect([code, err]).toEqual([
    1,
    'Error: dead (dead) is exited: it crashed. Restore it with: sm restore dead\n',
  ]);
});

test('the end of an agent closes its terminal, and is told', async () => {
  const look = (after: object) => ({
    'GET /sessions/one': one,
    'GET /sessions/aaaa': session({ id: 'aaaa', name: 'one', phase: 'exited', ...after }),
    'GET /sessions/aaaa/output?lines=12': { output: 'Invalid API key' },
  });
  const left = await attach({ 'GET /sessions/one': one, 'GET /sessions/aaaa': one }, ['one']);
  expect([left.code, left.out]).toEqual([0, '']);
  const done = await attach(look({ ended: { ...ended, code: 0, reason: 'exit code 0' } }), ['one']);
  expect([done.code, done.out]).toEqual([
    0,
    'one (aaaa) is exited: exit code 0. Restore it with: sm restore aaaa\n',
  ]);
  const crash = await attach(look({ ended }), ['one']);
  expect([crash.code, crash.err]).toEqual([
    1,
    'Error: one (aaaa) is exited: it crashed. Restore it with: sm restore aaaa\nIts last output:\n  Invalid API key\n',
  ]);
});

describe('inside another tmux', () => {
  const TMUX = '/tmp/their-tmux,1,0';
  const inTmux = (outputs: Record<string, string>) =>
    attach({ 'GET /sessions/one': one }, ['one'], {
      env: { TMUX, TMUX_PANE: '%1' },
      outputOf: async (_, args) => outputs[args.join(' ')] ?? null,
    });

  test('with the same prefix, that one sends ours on', async () => {
    const { out, ran } = await inTmux({
      'show-options -gqv prefix': 'C-b\n',
      'list-keys -T prefix': 'bind-key -T prefix C-o rotate\nbind-key    -T prefix C-b     send-prefix\n',
    });
    const hint = 'You are inside another tmux: detach from this one with C-b C-b d.';
    expect(out).toBe(`${hint}\n`);
    expect(ran[0]?.args.slice(2)).toEqual([
      'attach',
      '-t',
      '=sm-aaaa:',
      ';',
      'display-message',
      '-d',
      '5000',
      hint,
      ';',
      'set-option',
      '-gqF',
      '@sm-nested',
      '#{=-2000:#{s| #{client_pid}=[^~]*~||:@sm-nested} #{client_pid}=C-b C-b~}',
    ]);
    expect(ran[0]?.env).toEqual({ SM_HOME: daemon.home });
  });

  test('with another prefix, ours arrives by itself', async () => {
    const { out } = await inTmux({ 'show-options -gqv prefix': 'C-a\n' });
    expect(out).toBe('Detach with C-b d.\n');
  });

  test('that keeps the prefix to itself, there is a way from outside', async () => {
    const { out } = await inTmux({ 'show-options -gqv prefix': 'C-b\n' });
    expect(out).toContain(`tmux -S ${join(daemon.home, 'tmux.sock')} detach-client -s =sm-aaaa`);
  });

  test('that is our own server, the client changes over', async () => {
    await attach({ 'GET /sessions/one': one }, ['one']);
    const socket = join(daemon.home, 'tmux.sock');
    writeFileSync(socket, '');
    const terminal = { inputIsTerminal: true, outputIsTerminal: true };
    const { io } = await daemon.sm(['attach', 'one'], { ...terminal, env: { TMUX: `${socket},1,0` } });
    expect(io.ran[0]?.args).toEqual(['-S', socket, 'switch-client', '-t', '=sm-aaaa:']);
    expect(io.ran[0]?.env?.TMUX).toBe(`${socket},1,0`);
  });
});

describe('one without a terminal', () => {
  const paneless = session({ id: 'eeee', name: 'quiet', tmux_session: null });
  const told = { id: 'm1', text: 'look at it', from: { kind: 'person' } };
  const at = '2025-01-02T11:00:00.000Z';
  const event = (number: number, more: object) => ({ number, session_id: 'eeee', at, ...more });
  const answers: Answers = {
    'GET /sessions/quiet': paneless,
    'GET /sessions/eeee': {
      ...paneless,
      question: { id: 'q1', kind: 'permission', text: 'Bash: rm x', since: at },
    },
    'GET /events?session=eeee&limit=100&last=true': {
      events: [
        event(1, { type: 'message', state: 'accepted', message: 'm1', turn: 't', evidence: null }),
        event(2, { type: 'said', turn: 't', text: 'it is\nfine' }),
        event(3, { type: 'turn', step: 'ended', turn: 't', end: 'interrupted', last_words: null }),
      ],
    },
    'GET /messages/m1': { message: told, events: [] },
    'STREAM /events?session=eeee after 3': [],
    'POST /sessions/eeee/input': { message_id: 'm2' },
    'POST /sessions/eeee/slash': {},
    'POST /sessions/eeee/answer': {},
    'POST /sessions/eeee/interrupt': new Refused(409, 'No turn runs.'),
  };

  test('shows its conversation, and what is typed goes to it', async () => {
    const input = 'and now?\n/compact\nn not that\n^C\n';
    const { code, out } = await attach(answers, ['quiet'], { input });
    expect(code).toBe(0);
    expect(out).toMatch(
      /^> look at it\nit is\nfine\n\(turn interrupted\)\n\nquiet \(eeee\) has no terminal\./,
    );
    expect(out).toContain('(No turn runs.)');
    expect(out).toMatch(/goes on\. Come back with: sm attach eeee\n$/);
    const posts = daemon.calls.filter(({ method }) => method === 'POST');
    expect(posts.map(({ url, body }) => [url.split('/').at(-1), body])).toEqual([
      ['input', expect.objectContaining({ text: 'and now?', delivery_mode: 'important' })],
      ['slash', expect.objectContaining({ command: '/compact' })],
      ['answer', expect.objectContaining({ decision: 'deny', text: 'not that', question: 'q1' })],
      ['interrupt', expect.anything()],
    ]);
  });

  test('needs a terminal to type in', async () => {
    const { code, err } = await attach(answers, ['quiet'], { inputIsTerminal: false });
    expect([code, err]).toEqual([1, expect.stringContaining('sm output eeee')]);
  });
});
