// The commands that change something.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import { event, inside, message, Refused, session } from '../../../test/support/stand-in-daemon.ts';
import { cards } from '../../providers/cards.ts';

const terminal = { inputIsTerminal: true, outputIsTerminal: true };
const worker = session();
const spawned = {
  session_id: '66a8c9ee',
  name: 'claude-66a8',
  friendly_name: 'worker',
  working_dir: '/repo/project',
  message_id: 'm1',
  message_state: 'queued',
};
const waits = 'STREAM /events?session=66a8c9ee after 0';
const traced = { 'GET /messages/m1': { message: message({ state: 'typed' }), events: [] } };
/** A daemon on which whatever is started becomes ready. */
const starting = {
  'POST /sessions': worker,
  'POST /sessions/spawn': spawned,
  [waits]: [event(1, 'session launched'), event(2, 'session ready')],
  ...traced,
};

test('claude: starts a session with our environment and says how to attach', async () => {
  const { code, out, calls } = await sm(starting, ['claude', 'sub', '--model', 'opus'], {
    env: { EDITOR: 'vi' },
  });
  expect([code, out]).toEqual([
    0,
    'Started worker (66a8c9ee) in /repo/project\nAttach with: sm attach 66a8c9ee\n',
  ]);
  expect(calls[0]?.body).toEqual({
    provider: 'claude',
    working_dir: '/repo/project/sub',
    model: 'opus',
    env: { SM_HOME: daemon.home, EDITOR: 'vi' },
  });
});

test('codex in a terminal: attaches once the pane is there', async () => {
  const { ran } = await sm(
    {
      'POST /sessions': worker,
      [waits]: [event(1, 'session created'), event(2, 'session launched')],
    },
    ['codex'],
    { ...terminal, env: { TERM: 'xterm' } },
  );
  expect(ran).toEqual([
    {
      program: 'tmux',
      args: [
        ...['-S', join(daemon.home, 'tmux.sock'), 'attach', '-t', '=sm-66a8c9ee:'],
        ...[';', 'set-option', '-gqF', '@sm-nested', expect.any(String)],
      ],
      env: { SM_HOME: daemon.home, TERM: 'xterm' },
    },
  ]);
});

test('claude inside a session: the new one is its child, and nothing is attached', async () => {
  const { ran, calls } = await sm(starting, ['claude'], { ...terminal, env: inside });
  expect(ran).toEqual([]);
  expect(calls[0]?.body).toMatchObject({ parent_session_id: '66a8c9ee' });
});

describe('an agent that', () => {
  const output = { 'GET /sessions/66a8c9ee/output?lines=12': { output: 'Invalid API key\n\nRun /login\n' } };
  const gone = (reason: string, more = {}) => [event(1, 'session exited', { reason, ...more })];
  const error = [
    'Error: worker (66a8c9ee) ended at once: exit code 1. Its last output:',
    '  Invalid API key',
    '  Run /login',
    'Try again with: sm restore 66a8c9ee. Remove it with: sm kill 66a8c9ee',
    '',
  ].join('\n');

  test('ends at once is told, not attached to', async () => {
    const answers = {
      'POST /sessions': worker,
      [waits]: gone('exit code 1'),
      ...output,
    };
    const { code, out, err, ran } = await sm(answers, ['claude'], terminal);
    expect([code, out, err, ran]).toEqual([1, '', error, []]);
  });

  test.each([[['claude']], [['claude', '--json']], [['spawn', 'go']], [['spawn', 'go', '--wait', '20']]])(
    'ends at once is no success of sm %j',
    async (argv) => {
      const answers = { ...starting, [waits]: gone('exit code 1'), ...output };
      const { code, out, err } = await sm(answers, argv);
      expect([code, out, err]).toEqual([1, '', error]);
    },
  );

  test('ends at once is in the JSON of a spawn', async () => {
    const answers = { ...starting, [waits]: gone('exit code 1'), ...output };
    const { code, out } = await sm(answers, ['spawn', 'go', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      session_id: '66a8c9ee',
      error: expect.stringContaining('ended at once: exit code 1'),
    });
  });

  test('could not be launched has shown nothing, and it is said why', async () => {
    const { code, err } = await sm(
      {
        ...starting,
        [waits]: gone('It could not be started: …', {
          not_started: 'tmux was not found: install tmux 3.2 or newer',
        }),
      },
      ['spawn', 'go'],
    );
    expect([code, err]).toEqual([
      1,
      'Error: worker (66a8c9ee) did not start: tmux was not found: install tmux 3.2 or newer. Try again with: sm restore 66a8c9ee. Remove it with: sm kill 66a8c9ee\n',
    ]);
  });

  test('asks something has started, and what it asks is told', async () => {
    const asks = [event(1, 'session launched'), event(2, 'question asked', { text: 'Trust this folder?' })];
    const { code, out } = await sm({ ...starting, [waits]: asks }, ['spawn', 'go']);
    expect(code).toBe(0);
    expect(out).toBe(
      'Spawned worker (66a8c9ee) in /repo/project\nIt asks: Trust this folder?\nAnswer in its terminal: sm attach 66a8c9ee\nFirst message: typed\n',
    );
  });

  test('is not ready in time has not failed', async () => {
    let now = 0;
    const answers = { ...starting, [waits]: [] };
    const { code, out } = await sm(answers, ['claude'], { now: () => (now += 25_000) });
    expect(code).toBe(0);
    expect(out).toContain('It is not ready after 20 s. See: sm output 66a8c9ee\n');
  });

  test('is restored and ends at once is told as well', async () => {
    const ended = { at: '2025-01-02T11:00:00.000Z', code: 1, signal: null, reason: 'x', killed: true };
    const { code, err } = await sm(
      {
        'GET /sessions/worker': session({ phase: 'exited', ended }),
        'GET /events?session=66a8c9ee&limit=1&last=true': { events: [event(7, 'session killed')] },
        'POST /sessions/66a8c9ee/restore': worker,
        'STREAM /events?session=66a8c9ee after 7': gone('exit code 1'),
        ...output,
      },
      ['restore', 'worker'],
    );
    expect([code, err]).toEqual([1, error]);
  });
});

test('spawn: says where, and no more of the message than is known', async () => {
  const { out, calls } = await sm(starting, ['spawn', 'scripted', '- do it'], { env: inside });
  expect(out).toBe('Spawned worker (66a8c9ee) in /repo/project\nFirst message: typed\n');
  expect(calls[0]?.body).toMatchObject({
    prompt: '- do it',
    provider: 'scripted',
    parent_session_id: '66a8c9ee',
    working_dir: '/repo/project',
  });
});

test('spawn: one word is a prompt, even if it names a provider', async () => {
  const { calls } = await sm(starting, ['spawn', 'claude']);
  expect(calls[0]?.body).toMatchObject({ prompt: 'claude' });
  expect(calls[0]?.body).not.toHaveProperty('provider');
});

test('spawn: the prompt may come from standard input or a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-spawn-'));
  try {
    writeFileSync(join(folder, 'p.md'), 'from a file\n');
    const { calls } = await sm(starting, ['spawn', '-'], { input: 'from input' });
    expect(calls[0]?.body).toMatchObject({ prompt: 'from input' });
    const { length } = calls;
    await daemon.sm(['spawn', 'codex', '--file', 'p.md'], { cwd: folder });
    expect(calls[length]?.body).toMatchObject({ prompt: 'from a file\n', provider: 'codex' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [['spawn'], 'Missing argument PROMPT'],
  [['spawn', ' '], 'The prompt is empty'],
  [['spawn', 'do this', '--file', 'x'], 'Unknown provider "do this"'],
  [['spawn', 'claude', 'do', '--file', 'x'], 'not both'],
  [['spawn', '--file', '/nowhere/x'], 'Cannot read the prompt'],
  [['spawn', 'a', 'b', 'c'], 'Unexpected argument "c" (quote a text that has spaces)'],
  [['spawn', 'x', '--wait', 'long'], '--wait needs a whole number'],
  [['spawn', 'x', '--name', ''], 'The name is empty.'],
  [['claude', '--name', 'x'.repeat(65)], 'The name has 65 characters; the limit is 64.'],
  [['spawn', 'x', '--model', ' '], 'The model is empty.'],
  [['name', 'worker', ''], 'The name is empty.'],
  [['name', 'worker', 'x'.repeat(70)], 'The name has 70 characters; the limit is 64.'],
  [['task', 'worker', ' '], 'The task is empty.'],
  [['task', 'worker', 'x'.repeat(2_001)], 'The task has 2001 characters'],
  [['output', 'worker', '-n', '0'], '--lines takes a number from 1 to 20000, not 0.'],
  [['tail', 'worker', '-n', '0'], '-n takes a number from 1 to 1000, not 0.'],
  [['context', 'worker', '--hours', '0'], '--hours takes a number from 1 to 8760, not 0.'],
  [['wait', 'worker', '999999999'], 'SECONDS takes a number from 0 to 31536000'],
  [['send', 'worker', '--remind', 'abc'], '--remind needs a number of seconds, not "abc".'],
  [['send', 'worker', 'hello', '--remind', 'abc'], '--remind needs a number of seconds, not "abc".'],
  [['send', 'worker', 'hello', '--remind=abc'], '--remind needs a number of seconds, not "abc".'],
  [['remind', 'soon', 'x', '--for', 'worker'], 'SECONDS needs a number of seconds, not "soon".'],
  [['restore'], 'Missing argument SESSION. Usage: sm restore SESSION, or sm restore --all'],
  [['why', 'A', 'B'], 'Unexpected argument "B". Usage: sm why SESSION [--json]'],
  [['wait', 'worker'], 'Missing argument SECONDS. Usage: sm wait SESSION SECONDS'],
  [['name'], 'Missing argument NAME. Usage: sm name [SESSION] NAME'],
  [['slash', 'worker'], 'Missing argument /COMMAND. Usage: sm slash'],
  [['send'], 'Missing argument SESSION. Usage: sm send SESSION'],
  [['up', 'now'], 'Unexpected argument "now". Usage: sm up [--json]'],
  [['trace', 'x'.repeat(201)], 'No message "'],
  [['tail', 'x'.repeat(201)], 'No session "'],
  [['kill'], 'Missing argument SESSION. Usage: sm kill SESSION…'],
])('%j is refused and nothing is sent', async (argv, message) => {
  const { code, err, calls } = await sm({}, argv);
  expect([code, calls]).toEqual([1, []]);
  expect(err).toContain(message);
});

test('spawn of a kind that nobody knows names all that there are, also those of the configuration', async () => {
  const kinds = [...cards.map(({ name }) => name), 'my-agent'].map((name) => ({ name }));
  const { code, err } = await sm({ 'GET /kinds': { kinds } }, ['spawn', 'fix', 'it']);
  expect(code).toBe(1);
  expect(err).toContain(`Unknown provider "fix" (known: ${kinds.map(({ name }) => name).join(', ')})`);
});

test('spawn --wait: prints the last message when the first turn has ended', async () => {
  const { code, out } = await sm(
    {
      ...starting,
      [waits]: [
        event(1, 'session ready'),
        event(2, 'turn ended', { turn: 'other', end: 'failed' }),
        event(3, 'turn ended', { turn: 't1', end: 'ended', last_words: 'Done.' }),
        event(4, 'message answered', { message: 'm1', turn: 't1' }),
      ],
    },
    ['spawn', 'go', '--wait', '20'],
  );
  expect(code).toBe(0);
  expect(out).toMatch(/First message: typed\nDone\.\n$/);
});

test('spawn --wait: an end that is none, or a time that is over, is exit code 1', async () => {
  const { code, err } = await sm(
    {
      ...starting,
      [waits]: [event(1, 'session ready'), event(2, 'message failed', { message: 'm1', why: 'no trace' })],
    },
    ['spawn', 'go', '--wait', '5'],
  );
  expect([code, err]).toEqual([
    1,
    'Error: worker (66a8c9ee) did not answer: failed: no trace. See: sm trace m1\n',
  ]);
  let now = 0;
  const late = await daemon.sm(['spawn', 'go', '--wait', '5', '--json'], { now: () => (now += 6000) });
  expect(late.code).toBe(1);
  expect(JSON.parse(late.io.printed.out)).toMatchObject({
    outcome: 'queued',
    why: 'no answer within 5 s',
    last_message: null,
  });
});

test('kill: each one that may be killed is, and the rest is an error', async () => {
  const { code, out, err, calls } = await sm(
    {
      'GET /sessions/worker': worker,
      'POST /sessions/66a8c9ee/kill': { status: 'killed', session_id: '66a8c9ee' },
      'GET /sessions/boss': new Refused(403, 'boss is not your child.'),
    },
    ['kill', 'boss', 'worker'],
    { env: inside },
  );
  expect(code).toBe(1);
  expect(out).toBe('Killed worker (66a8c9ee). Restore it with: sm restore 66a8c9ee\n');
  expect(err).toBe('Error: boss is not your child.\n');
  expect(calls.at(-1)?.body).toEqual({ requester_session_id: '66a8c9ee' });
});

test('restore: brings a session back', async () => {
  const ended = { at: '2025-01-02T11:00:00.000Z', code: 1, signal: null, reason: 'x', killed: true };
  const { out, calls } = await sm(
    {
      'GET /sessions/worker': session({ phase: 'exited', ended }),
      'GET /events?session=66a8c9ee&limit=1&last=true': { events: [] },
      'POST /sessions/66a8c9ee/restore': worker,
      [waits]: [event(1, 'session ready')],
    },
    ['restore', 'worker'],
  );
  expect(out).toBe('Restored worker (66a8c9ee)\nAttach with: sm attach 66a8c9ee\n');
  expect(calls[2]?.body).toEqual({ env: { SM_HOME: daemon.home } });
});

test('name and task: your own, or those of another', async () => {
  const answers = {
    'PATCH /sessions/66a8c9ee': session({ display_name: 'neu' }),
    'PUT /sessions/two%20words/task': session({ current_task: 'review\u001b' }),
  };
  const { out, calls } = await sm(answers, ['name', 'neu'], { env: inside });
  expect([out, calls[0]?.body]).toEqual(['Named neu (66a8c9ee)\n', { friendly_name: 'neu' }]);
  const task = await daemon.sm(['task', 'two words', 'review']);
  expect(task.io.printed.out).toBe('Task of worker (66a8c9ee): review␛\n');
  expect((await daemon.sm(['name', 'x'])).code).toBe(2);
  expect((await daemon.sm(['task', 'x'])).code).toBe(2);
});

test('an empty status is refused before anything is sent', async () => {
  const { code, err, calls } = await sm({}, ['status', ' '], { env: inside });
  expect([code, err, calls]).toEqual([1, 'Error: The status is empty.\n', []]);
});

test('status TEXT: reports progress, from inside a session only', async () => {
  const answers = { 'POST /sessions/66a8c9ee/agent-status': { status: 'ok' } };
  const { out, calls } = await sm(answers, ['status', 'half', 'way'], { env: inside });
  expect([out, calls[0]?.body]).toEqual(['Status: "half way"\n', { text: 'half way' }]);
  expect((await daemon.sm(['status', 'x'])).code).toBe(2);
});
