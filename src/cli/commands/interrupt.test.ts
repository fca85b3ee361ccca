import { expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import { Refused, session } from '../../../test/support/stand-in-daemon.ts';

const evidence = { source: 'transcript', id: 'l1', at: '2025-01-02T12:00:00.000Z' };
const answer = {
  status: 'interrupted',
  session_id: '66a8c9ee',
  turn: 't1',
  end: 'interrupted',
  evidence,
  returned: [],
};
const interrupt = (changes: object) =>
  sm(
    {
      'GET /sessions/worker': session({ phase: 'working' }),
      'POST /sessions/66a8c9ee/interrupt': { ...answer, ...changes },
    },
    ['interrupt', 'worker'],
  );

test('interrupt: says that it is proven, and by what', async () => {
  expect((await interrupt({})).out).toBe('Interrupted worker (66a8c9ee), proven by the transcript.\n');
  expect((await interrupt({ returned: ['m1'] })).out).toContain('Its prompt is back in its composer.');
  expect((await interrupt({ status: 'over', end: 'ended' })).out).toBe(
    'The turn of worker (66a8c9ee) was over before (ended, proven by the transcript).\n',
  );
});

test('interrupt: what was refused is an error', async () => {
  const { code, err } = await sm(
    {
      'GET /sessions/worker': session(),
      'POST /sessions/66a8c9ee/interrupt': new Refused(409, 'worker (66a8c9ee) is idle: no turn runs.'),
    },
    ['interrupt', 'worker'],
  );
  expect([code, err]).toEqual([1, 'Error: worker (66a8c9ee) is idle: no turn runs.\n']);
});
