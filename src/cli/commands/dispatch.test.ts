import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testNow } from '../../../test/support/io.ts';
import { daemon, sm as onDaemon } from '../../../test/support/sm.ts';
import { type Answers, event, inputAnswer, Refused, session } from '../../../test/support/stand-in-daemon.ts';

let root: string;
let repository: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-roles-'));
  repository = join(root, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  mkdirSync(join(repository, 'inner', 'most'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): string {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const role = (name: string, template: string) => `roles:\n  ${name}:\n    template: "${template}"\n`;

async function sm(answers: Answers, argv: string[], env: Record<string, string> = {}, cwd = repository) {
  const { calls, ...rest } = await onDaemon(answers, ['dispatch', ...argv], {
    cwd,
    env: { HOME: root, ...env },
  });
  return { ...rest, posted: calls.find(({ method }) => method === 'POST') };
}

const dryRun = (...argv: string[]) => sm({}, ['worker', '--dry-run', '--role', ...argv]);

const accepted = inputAnswer({
  status: 'delivered',
  state: 'accepted',
  evidence: { source: 'hook', id: 'f1', at: new Date(testNow + 43).toISOString() },
});
const known = (path: 'clear' | 'input', answer: unknown): Answers => ({
  'GET /sessions/worker': session(),
  'GET /sessions/66a8c9ee': session(),
  [`POST /sessions/66a8c9ee/${path}`]: answer,
});
const cleared = { status: 'cleared', session_id: '66a8c9ee', message: accepted };
const boss = { CLAUDE_SESSION_MANAGER_ID: '340d0709' };

test('the filled template is the prompt of a clear', async () => {
  write('repository/.sm/dispatch_templates.yaml', role('tester', 'Test {what} {{so}}'));
  const { code, out, posted } = await sm(
    known('clear', cleared),
    ['worker', '--role', 'tester', '--what', 'the {door}'],
    boss,
  );
  expect([code, out]).toEqual([
    0,
    'Cleared worker (66a8c9ee)\nAccepted by worker (66a8c9ee) #m1 (hook, 43 ms)\n',
  ]);
  expect(posted).toMatchObject({
    url: '/sessions/66a8c9ee/clear',
    body: { prompt: 'Test the {door} {so}', requester_session_id: '340d0709', remind: 'dispatch' },
  });
});

test('with --no-clear it is a message, in the mode that was said', async () => {
  const argv = ['worker', '--role', 'scout', '--question', 'why?', '--no-clear', '--urgent'];
  const { code, out, posted } = await sm(known('input', accepted), argv, boss);
  expect([code, out]).toEqual([0, 'Accepted by worker (66a8c9ee) #m1 (hook, 43 ms)\n']);
  expect(posted).toMatchObject({
    url: '/sessions/66a8c9ee/input',
    body: {
      text: expect.stringContaining('why?'),
      delivery_mode: 'urgent',
      sender_session_id: '340d0709',
      notify_on_stop: true,
    },
  });
});

test.each([
  [[], { remind: 'dispatch' }],
  [['--remind', '30'], { remind_soft_threshold: 30 }],
  [['--no-remind'], {}],
])('its reminder: %j is asked of the daemon as %j', async (argv, fields) => {
  for (const [path, answer, more] of [
    ['clear', cleared, []],
    ['input', accepted, ['--no-clear']],
  ] as const) {
    const all = ['worker', '--role', 'scout', '--question', 'why?', ...more, ...argv];
    const { posted } = await sm(known(path, answer), all);
    const asked = Object.entries(posted?.body as object).filter(([name]) => name.startsWith('remind'));
    expect(Object.fromEntries(asked)).toEqual(fields);
  }
});

test('what is known of it is told, and no more', async () => {
  const argv = ['worker', '--role', 'scout', '--question', 'why?'];
  const queued = { ...cleared, message: inputAnswer({ state: 'held', why: 'draft' }) };
  expect((await sm(known('clear', queued), argv)).out).toBe(
    'Cleared worker (66a8c9ee)\nHeld for worker (66a8c9ee) #m1: a draft is in its composer\n',
  );
  const failed = { ...cleared, message: inputAnswer({ state: 'failed', why: 'no trace' }) };
  expect(await sm(known('clear', failed), argv)).toMatchObject({
    code: 1,
    out: '',
    err: 'Error: Cleared worker (66a8c9ee)\nFailed for worker (66a8c9ee) #m1: no trace\n',
  });
  expect(
    await sm(known('clear', new Refused(409, 'The session was not cleared: it hangs.')), argv),
  ).toMatchObject({
    code: 1,
    err: 'Error: The session was not cleared: it hangs.\n',
  });
});

test('a session that may not clear another one is told of the way that is left', async () => {
  const refusal = new Refused(403, 'Only the parent of 66a8c9ee, or a person, may clear it.');
  const { code, err } = await sm(known('clear', refusal), [
    'worker',
    '--role',
    'scout',
    '--question',
    'why?',
  ]);
  expect([code, err]).toEqual([
    1,
    'Error: Only the parent of 66a8c9ee, or a person, may clear it. To send it without a clear, add --no-clear.\n',
  ]);
});

test('--wait prints the last words, --json all of it', async () => {
  const answers = {
    ...known('clear', cleared),
    'GET /events?session=66a8c9ee&limit=1&last=true': { events: [event(7, 'turn ended')] },
    'STREAM /events?session=66a8c9ee after 7': [
      event(8, 'turn ended', { turn: 't1', end: 'ended', last_words: 'because' }),
      event(9, 'message answered', { message: 'm1', turn: 't1' }),
    ],
  };
  const argv = ['worker', '--role', 'scout', '--question', 'why?', '--wait', '9'];
  expect((await sm(answers, argv)).out).toContain('worker (66a8c9ee) answered #m1:\nbecause\n');
  expect(JSON.parse((await sm(answers, [...argv, '--json'])).out)).toMatchObject({
    role: 'scout',
    from: 'built-in',
    cleared: true,
    message: { message_id: 'm1', state: 'accepted', outcome: 'answered', last_message: 'because' },
  });
});

test('--dry-run prints the text, and asks nobody', async () => {
  const { code, out } = await dryRun('architect', '--task', 'a bridge', '--document', 'bridge.md');
  expect(code).toBe(0);
  expect(out).toMatch(/^You are the architect[\s\S]*a bridge[\s\S]*bridge\.md/);
  expect(daemon.calls).toEqual([]);
  const json = await dryRun('architect', '--task', 'a bridge', '--json');
  expect(JSON.parse(json.out)).toMatchObject({
    role: 'architect',
    text: expect.stringContaining('a bridge'),
  });
});

test.each(['engineer', 'architect', 'scout'])(
  'the %s is told how to report and whom to answer',
  async (name) => {
    const { out } = await dryRun(name, name === 'scout' ? '--question' : '--task', 'x');
    expect(out).toContain('sm status "…"');
    expect(out).toContain('sm send ID "…"');
    expect(out).not.toMatch(/[{}]/);
  },
);

test.each([
  [['engineer'], 'Missing key --task "TEXT".\nThe keys of engineer: --task, [--checks]\n'],
  [['engineer', '--task', ' '], '--task is empty.\n'],
  [['engineer', '--tsk', 'x'], 'Role engineer has no key --tsk. Did you mean --task?\nMissing key --task'],
  [
    ['enginer', '--task', 'x'],
    'Unknown role "enginer". Did you mean engineer? Known roles: engineer, architect',
  ],
  [['engineer', '--task'], '--task needs a value'],
] as const)('%j is refused by name', async (argv, message) => {
  const { code, err } = await dryRun(...argv);
  expect(code).toBe(1);
  expect(err).toContain(`Error: ${message}`);
});

test.each([
  [['worker', '--task', 'x'], 'Missing option --role ROLE. Known roles: engineer, architect, scout.'],
  [['--role', 'engineer', '--task', 'x'], 'Missing argument SESSION'],
  [['worker', '--role', 'engineer', '--task', 'x', '--urgent'], '--urgent needs --no-clear'],
  [
    ['worker', '--role', 'scout', '--question', 'x', '--remind', '0'],
    '--remind takes a number from 1 to 31536000, not 0.',
  ],
  [
    ['worker', '--role', 'scout', '--question', 'x', '--remind', '9', '--no-remind'],
    'Choose only one of --remind',
  ],
  [['--list', '--task', 'x'], '--list takes no other arguments'],
])('%j is refused', async (argv, message) => {
  const { code, err } = await sm({}, argv);
  expect(code).toBe(1);
  expect(err).toContain(message);
});

test('the nearest file that has a role wins, up to the root of the repository', async () => {
  const inner = write('repository/inner/.sm/dispatch_templates.yaml', role('a', 'inner'));
  const outer = write(
    'repository/.sm/dispatch_templates.yaml',
    `${role('a', 'outer')}  b: { template: outer }\n`,
  );
  const own = write('.config/sm/dispatch_templates.yaml', `${role('b', 'own')}  scout: { template: own }\n`);
  write('.sm/dispatch_templates.yaml', role('c', 'above the repository'));
  const { out } = await sm({}, ['--list', '--json'], {}, join(repository, 'inner', 'most'));
  const { roles } = JSON.parse(out) as { roles: { name: string; from: string }[] };
  expect(Object.fromEntries(roles.map(({ name, from }) => [name, from]))).toEqual({
    a: inner,
    b: outer,
    scout: own,
    engineer: 'built-in',
    architect: 'built-in',
  });
});

test("the user's own file is beside the configuration; outside of a repository only the directory counts", async () => {
  write('elsewhere/dispatch_templates.yaml', role('mine', 'x'));
  write('plain/.sm/dispatch_templates.yaml', role('above', 'x'));
  mkdirSync(join(root, 'plain', 'inner'), { recursive: true });
  const env = { SM_CONFIG: join(root, 'elsewhere', 'config.yaml') };
  const missing = await sm({}, ['--list'], env, join(root, 'plain', 'inner'));
  expect([missing.code, missing.err]).toEqual([
    1,
    `Error: SM_CONFIG points to ${env.SM_CONFIG}, which does not exist. Correct it, or unset it to use the defaults.\n`,
  ]);
  write('elsewhere/config.yaml', '');
  const { out } = await sm({}, ['--list'], env, join(root, 'plain', 'inner'));
  expect(out).toMatch(/^mine /m);
  expect(out).not.toContain('above');
  expect(out).toMatch(/^engineer {3}--task, \[--checks\] .* built-in$/m);
});

test('a broken file is named with its line; one behind the role that was found is not read', async () => {
  const file = write('.config/sm/dispatch_templates.yaml', 'rols: {}\n');
  const { code, err } = await dryRun('engineer', '--task', 'x');
  expect(code).toBe(1);
  expect(err).toContain(`${file}:1: unknown key rols`);
  write('repository/.sm/dispatch_templates.yaml', role('engineer', 'ours'));
  expect((await dryRun('engineer')).out).toBe('ours\n');
});
