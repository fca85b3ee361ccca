// sm context and sm contexts.
import { expect, test } from 'vitest';
import { context, curve } from '../../../test/support/contexts.ts';
import { testNow } from '../../../test/support/io.ts';
import { type IoChanges, sm as onDaemon } from '../../../test/support/sm.ts';
import { type Answers, inside, Refused, session } from '../../../test/support/stand-in-daemon.ts';
import { about, forecastText } from '../text/context.ts';
import { clock } from '../text/time.ts';

const sample = { at: '2025-01-02T11:00:00.000Z', context: 1, percentage: 30, tokens: 60_000 };
const path = 'GET /sessions/66a8c9ee/context';

/** On a daemon that knows the worker. */
const sm = (answers: Answers, argv: string[], io?: IoChanges) =>
  onDaemon({ 'GET /sessions/worker': session(), 'GET /sessions/66a8c9ee': session(), ...answers }, argv, io);

test('context: how full it is, the curve, and when the critical mark will be reached', async () => {
  const { code, out } = await sm({ [path]: curve({ samples: [sample] }) }, ['context', 'worker'], {
    columns: 60,
  });
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toBe('worker (66a8c9ee): context 1, 42% full, 84k of 200k tokens,…');
  expect(lines.at(-1)).toBe('Critical mark (65 %) in about 40 min at this pace (34.5 points an hour).');
  expect(out).toContain(' 65%│┄');
  expect(out).not.toContain('\u001b');
});

test('context: of the session that calls, when none is named; outside of one it is an error', async () => {
  const view = curve({ samples: [sample] });
  const { out } = await sm({ 'GET /sessions/66a8c9ee/context': view }, ['context'], { env: inside });
  expect(out).toContain('worker (66a8c9ee): context 1, 42% full, 84k of 200k tokens, opus, $1.23\n');
  const { code, err } = await sm({}, ['context']);
  expect([code, err]).toEqual([2, expect.stringContaining('Name one: sm context SESSION')]);
});

test('context: without a sample there is no curve, and it says why', async () => {
  const forecast = { is: 'unknown', in_seconds: null, points_per_hour: null, why: 'nobody knows' } as const;
  const { out } = await sm(
    { [path]: curve({ used_percentage: null, tokens: null, model: null, cost_usd: null, forecast }) },
    ['context', 'worker'],
  );
  expect(out).toBe(
    [
      'worker (66a8c9ee): context 1, usage unknown',
      "No samples yet. The first comes with the agent's first answer.",
      'No forecast for the critical mark (65 %): nobody knows.',
      '',
    ].join('\n'),
  );
});

test('context: says that there is more, and that nobody is told at the marks', async () => {
  const marks = { warning: 50, critical: 65, monitored: false };
  const { out } = await sm({ [path]: curve({ samples: [sample], more: true, marks }) }, [
    'context',
    'worker',
  ]);
  expect(out).toContain(`Older samples exist, from before ${clock(sample.at, testNow)}.\n`);
  expect(out).toContain('sm context-monitor enable 66a8c9ee\n');
});

test('context --hours: asks for that part only', async () => {
  const part = `${path}?since=2025-01-02T10%3A00%3A00.000Z`;
  const { out } = await sm({ [part]: curve() }, ['context', 'worker', '--hours', '2']);
  expect(out).toContain('No samples in the last 2 h.');
  const { code } = await sm({}, ['context', 'worker', '--hours', '0']);
  expect(code).toBe(1);
});

test('context --json: what the daemon said', async () => {
  const view = curve({ samples: [sample], name: 'a\u009bb' });
  const { out } = await sm({ [path]: view }, ['context', 'worker', '--json']);
  expect(JSON.parse(out)).toEqual(view);
  expect(out).not.toContain('\u009b');
});

test('context: a session that is not there is refused as everywhere', async () => {
  const { code, err } = await sm(
    { 'GET /sessions/worker': new Refused(404, 'There is no session "worker".') },
    ['context', 'worker'],
  );
  expect([code, err]).toEqual([1, expect.stringContaining('There is no session "worker"')]);
});

test('the forecast in words: at the present pace while it works, and what is not known', () => {
  expect(forecastText(curve({ phase: 'idle' }))).toBe(
    'Critical mark (65 %) in about 40 min at its last pace (34.5 points an hour); it is idle now.',
  );
  const none = { in_seconds: null, points_per_hour: null, why: null };
  expect(forecastText(curve({ forecast: { is: 'reached', ...none } }))).toBe(
    'The context has reached the critical mark (65 %).',
  );
  expect(forecastText(curve({ phase: 'lost' }))).toBe(
    'No forecast for the critical mark (65 %): the session is lost.',
  );
  expect([40, 200, 2_400, 5_000, 7_300, 400_000].map(about)).toEqual([
    'a minute',
    '3 min',
    '40 min',
    '85 min',
    '2 h',
    '5 days',
  ]);
});

test('contexts: how each began and ended', async () => {
  const answer = {
    session_id: '66a8c9ee',
    name: 'worker',
    contexts: [
      context(1, { began_at: null, began_by: null, ended_by_actor: { kind: 'person' } }),
      context(2, {
        ended_by: 'exited',
        ended_why: 'exit code 1',
        peak_percentage: 71.6,
        peak_tokens: 143_200,
      }),
      context(3, { began_by: 'handoff', ended_by: 'handoff', cost_usd: 2, compactions: 2 }),
      context(4, { present: true, ended_at: null, ended_by: null }),
    ],
  };
  const [ten, eleven] = ['10', '11'].map((hour) => clock(`2025-01-02T${hour}:00:00.000Z`, testNow));
  const { out } = await sm({ 'GET /sessions/66a8c9ee/contexts': answer }, ['contexts', 'worker']);
  expect(out).toBe(
    [
      '#  BEGAN     BY       ENDED     BY                    PEAK  TOKENS  COST   COMPACTED  CONVERSATION',
      `1  ?         ?        ${eleven}  clear (the user)                                      c1`,
      `2  ${ten}  clear    ${eleven}  exited (exit code 1)  72%   143k                      c2`,
      `3  ${ten}  handoff  ${eleven}  handoff                             $2.00  2×         c3`,
      `4  ${ten}  clear    now                                                             c4`,
      '',
    ].join('\n'),
  );
  const own = { 'GET /sessions/66a8c9ee/contexts': { ...answer, contexts: [context(7)] } };
  expect((await sm(own, ['contexts'], { env: inside })).out).toContain('Contexts before 7 are not shown.\n');
  const json = await sm({ 'GET /sessions/66a8c9ee/contexts': answer }, ['contexts', 'worker', '--json']);
  expect(JSON.parse(json.out)).toEqual(answer);
});
