// The commands that only look.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import { event, inside, Refused, session } from '../../../test/support/stand-in-daemon.ts';

const lead = session({ id: '66a8c9ee', name: 'lead', phase: 'working', status: 'running' });
const scout = session({
  id: '340d0709',
  name: 'scout',
  parent_session_id: '66a8c9ee',
  phase: 'blocked',
  status: 'running',
  question: { id: 'q1', kind: 'permission', text: 'Bash: rm -rf build', since: '2025-01-02T11:57:00.000Z' },
  waiting: { count: 2, held: 'dialog' },
});
const gone = session({
  id: 'd638c897',
  name: 'gone',
  phase: 'lost',
  status: 'stopped',
  ended: { at: '2025-01-02T11:00:00.000Z', code: null, signal: null, reason: 'tmux ended', killed: false },
});

test('all: one aligned line for each session, children below their parent', async () => {
  const { code, out } = await sm({ 'GET /rows': { rows: [lead, gone, scout] } }, ['all']);
  expect(code).toBe(0);
  expect(out).toBe(
    [
      'NAME     ID        PHASE    AGENT   ACTIVE  DIRECTORY      DOING',
      'lead     66a8c9ee  working  claude  2m ago  /repo/project',
      '  scout  340d0709  blocked  claude  2m ago  /repo/project  asks: Bash: rm -rf build',
      'gone     d638c897  lost     claude  2m ago  /repo/project  tmux ended',
      '',
    ].join('\n'),
  );
});

test('all: an empty list says what to do next; killed ones are asked for', async () => {
  const { out } = await sm({ 'GET /rows?retired=true': { rows: [] } }, ['all', '--retired']);
  expect(out).toBe('No sessions. Start one with: sm claude\n');
});

test('all --json: what the daemon said, uncut and without terminal escapes', async () => {
  const answer = { sessions: [session({ current_task: `\u009b2J${'long '.repeat(100)}` })] };
  const { out } = await sm({ 'GET /sessions?fleet=true': answer }, ['all', '--json'], { columns: 40 });
  expect(JSON.parse(out)).toEqual(answer);
  expect(out).not.toContain('\u009b');
});

test('status: you, the others, who asks, what waits', async () => {
  const { out } = await sm({ 'GET /sessions': { sessions: [lead, scout] } }, ['status'], { env: inside });
  expect(out).toContain('lead (66a8c9ee)\n  phase      working\n  status     (no status)\n');
  expect(out).toContain('1 other session: 1 blocked\n');
  expect(out).toContain('Waiting for an answer\n  scout (340d0709), 3m ago: Bash: rm -rf build\n');
  expect(out).toContain('Waiting messages\n  scout (340d0709): 2 messages held: dialog\n');
});

test('status: says so when there is nobody', async () => {
  const { out } = await sm({ 'GET /sessions': { sessions: [] } }, ['status']);
  expect(out).toBe('No sessions. Start one with: sm claude\n');
});

test('status in a terminal: no line is wider than it, and colours are used', async () => {
  const long = session({ ...scout, question: { ...scout.question!, text: 'why '.repeat(100) } });
  const { out } = await sm({ 'GET /sessions': { sessions: [lead, long] } }, ['status'], {
    columns: 60,
    outputIsTerminal: true,
  });
  const plain = out.replace(/\u001b\[\d+m/g, '');
  expect(plain).not.toBe(out);
  expect(Math.max(...plain.split('\n').map((line) => line.length))).toBe(60);
});

test('me: the session around us, or exit code 2 where there is none', async () => {
  const me = session({
    context: { ...lead.context, number: 2, used_percentage: 41.6, window_size: 200_000, cost_usd: 0.5 },
    current_task: 'review',
  });
  const found = await sm({ 'GET /sessions/66a8c9ee': me }, ['me'], { env: inside });
  expect(found.out).toContain('  task       review\n');
  expect(found.out).toContain('  context    2, 42% used of 200k, $0.50\n');
  const outside = await daemon.sm(['me']);
  expect(outside.code).toBe(2);
  expect(outside.io.printed.err).toMatch(/^Error: Not inside a session/);
});

test('who: the others in the same repository, from any folder of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sm-who-'));
  try {
    mkdirSync(join(folder, 'repo/.git/worktrees/side'), { recursive: true });
    mkdirSync(join(folder, 'repo/src'));
    mkdirSync(join(folder, 'side'));
    writeFileSync(join(folder, 'side/.git'), `gitdir: ${join(folder, 'repo/.git/worktrees/side')}\n`);
    const at = (id: string, path: string, changes = {}) =>
      session({ id, name: id, working_dir: join(folder, path), ...changes });
    const sessions = [
      at('66a8c9ee', 'repo'),
      at('same', 'repo/src'),
      at('tree', 'side'),
      at('away', '.'),
      at('dead', 'repo', { phase: 'exited' }),
    ];
    const { out } = await sm({ 'GET /sessions': { sessions } }, ['who', '--json'], { env: inside });
    expect(JSON.parse(out).sessions.map(({ id }: { id: string }) => id)).toEqual(['same', 'tree']);
    const person = await daemon.sm(['who'], { cwd: folder });
    expect(person.io.printed.out).toMatch(/^NAME.*\naway .*\n$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('children: your own, or those of a session that is named', async () => {
  const answer = { parent_session_id: '66a8c9ee', children: [scout] };
  const { out } = await sm(
    { 'GET /sessions/66a8c9ee/children': answer, 'GET /sessions/a%2Fb/children?recursive=true': answer },
    ['children'],
    { env: inside },
  );
  expect(out).toBe('scout (340d0709) | running | (no status)\n');
  const named = await daemon.sm(['children', 'a/b', '--recursive', '--json']);
  expect(JSON.parse(named.io.printed.out)).toEqual(answer);
  expect((await daemon.sm(['children'])).code).toBe(2);
});

test('output: what the terminal shows, made safe', async () => {
  const answer = { session_id: 'x', output: 'one\n\u001b[31mtwo\n\n\n' };
  const answers = { 'GET /sessions/worker': session(), 'GET /sessions/66a8c9ee/output?lines=5': answer };
  const { out } = await sm(answers, ['output', 'worker', '-n', '5']);
  expect(out).toBe('one\n␛[31mtwo\n');
});

test('tail: what happened, then what happens, until the daemon stops', async () => {
  const { code, out, err } = await sm(
    {
      'GET /sessions/lead': lead,
      'GET /events?session=66a8c9ee&limit=2&last=true': {
        events: [event(7, 'turn ended', { end: 'ended', last_words: 'All\ndone' })],
      },
      'STREAM /events?session=66a8c9ee after 7': [
        event(9, 'question asked', { text: 'May I?' }),
        { is: 'end', why: 'stopping' },
      ],
    },
    ['tail', 'lead', '-n', '2', '-f'],
  );
  expect(out.replace(/^\d\d:\d\d:\d\d {2}/gm, '')).toBe('turn ended: All done\nasks: May I?\n');
  expect([code, err]).toEqual([2, 'Error: The daemon has stopped. Start it with: sm up\n']);
});

test('a refusal of the daemon is an error in its words, made safe', async () => {
  const { code, out, err } = await sm({ 'GET /sessions/x': new Refused(409, '"x\u001b" fits several') }, [
    'output',
    'x',
  ]);
  expect([code, out, err]).toEqual([1, '', 'Error: "x␛" fits several\n']);
});

test.each(['', '.', '..'])('"%s" is no name that could be sent', async (ref) => {
  const { code } = await sm({}, ['output', ref]);
  expect([code, daemon.calls]).toEqual([1, []]);
});

test('all --filter asks the daemon which are meant, and --by takes repo only', async () => {
  const answers = {
    'GET /rows?of=tag%3Anight%2Clead&retired=true': {
      rows: [session({ tags: ['night'] })],
    },
    'GET /selection?of=tag%3Anone': { sessions: [] },
    'GET /rows?of=tag%3Anone': { rows: [] },
  };
  const { out } = await sm(answers, ['all', '--filter', 'tag:night,lead', '--retired', '--by', 'repo']);
  expect(out).toContain('(no repository)\nworker');
  expect((await sm(answers, ['all', '--filter', 'tag:none'])).out).toBe('No session matches tag:none.\n');
  expect((await sm(answers, ['all', '--filter', 'tag:none', '--json'])).out).toBe('{\n  "sessions": []\n}\n');
  expect((await sm(answers, ['all', '--by', 'tag'])).err).toBe('Error: --by takes repo, not "tag".\n');
});
