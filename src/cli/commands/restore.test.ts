import { describe, expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import { Refused, session } from '../../../test/support/stand-in-daemon.ts';

const stranded = { with: 'machine', at: '2025-01-02T11:55:00.000Z' } as const;
const lead = session({ id: '340d0709', name: 'lead', phase: 'lost', stranded });
const worker = session({ parent_session_id: '340d0709', phase: 'lost', stranded });
const ended = { at: stranded.at, code: 0, signal: null, reason: 'exit code 0', killed: false };
const done = session({ id: '11111111', name: 'done', phase: 'exited', ended });
const there = { 'GET /sessions': { sessions: [worker, lead, done] } };

describe('restore --all', () => {
  test('--dry-run: lists who would come, parents first, and who is left alone; nothing is done', async () => {
    const { out, calls } = await sm(there, ['restore', '--all', '--dry-run']);
    expect(out.split('\n')).toEqual([
      'NAME      ID        AGENT   ENDED WITH           DIRECTORY',
      'lead      340d0709  claude  the machine, 5m ago  /repo/project',
      '  worker  66a8c9ee  claude  the machine, 5m ago  /repo/project',
      'Ended by themselves, and are left alone (sm restore NAME brings one back):',
      '  done (11111111): exit code 0',
      '',
    ]);
    expect(calls.map(({ method }) => method)).toEqual(['GET']);
  });

  test('of a session: only that one and those below it', async () => {
    const answers = { ...there, 'GET /sessions/worker': worker };
    const { out } = await sm(answers, ['restore', '--all', 'worker', '--dry-run', '--json']);
    expect(JSON.parse(out).sessions).toMatchObject([{ id: '66a8c9ee' }]);
  });

  test('from inside a session: its own family', async () => {
    const answers = { ...there, 'GET /sessions/340d0709': lead };
    const env = { CLAUDE_SESSION_MANAGER_ID: '340d0709' };
    const { out } = await sm(answers, ['restore', '--all', '--dry-run', '--json'], { env });
    expect(JSON.parse(out)).toMatchObject({ sessions: [{ id: '340d0709' }, { id: '66a8c9ee' }], left: [] });
  });

  test('a refusal is told, and the exit code is 1', async () => {
    const { code, out, err } = await sm(
      {
        'GET /sessions': { sessions: [lead] },
        'GET /events?session=340d0709&limit=1&last=true': { events: [] },
        'GET /sessions/340d0709': lead,
        'POST /sessions/340d0709/restore': new Refused(409, 'Its old process 7 still runs.'),
      },
      ['restore', '--all'],
    );
    expect([code, out, err]).toEqual([
      1,
      '',
      'Error: lead (340d0709): Its old process 7 still runs.\n1 of 1 did not come back. Try again with: sm restore --all\n',
    ]);
  });
});

test.each([
  [['restore'], 'Missing argument SESSION. Usage: sm restore SESSION, or sm restore --all'],
  [['restore', 'x', '--dry-run'], '--dry-run goes with --all: sm restore --all --dry-run'],
  [
    ['restore', '--all', '--env', 'A=1'],
    '--env is for one session: sm restore SESSION --env K=V, and then sm restore --all',
  ],
])('sm %s is refused in words', async (argv, words) => {
  const { code, err } = await sm({}, argv);
  expect([code, err]).toEqual([1, `Error: ${words}\n`]);
});
