// How a session is shown whose screen is not recognised.
import { expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import { event, inside, message, session } from '../../../test/support/stand-in-daemon.ts';
import { eventText } from '../text/event.ts';

const strange = session({
  agent_version: '2.1.999',
  screen_unrecognised_since: '2025-01-02T11:57:00.000Z',
  agent_status_text: 'testing',
  waiting: { count: 1, held: 'the screen is not recognised' },
});
const text = 'screen not recognised (claude 2.1.999)';

test('all: says so, before what it reports', async () => {
  const { out } = await sm({ 'GET /rows': { rows: [strange] } }, ['all']);
  expect(out).toContain(`/repo/project  ${text}\n`);
});

test('all: says so beside what it asks', async () => {
  const question = { id: 'q1', kind: 'dialog', text: 'May I?', since: '2025-01-02T11:57:00.000Z' } as const;
  const asking = session({ ...strange, phase: 'blocked', question });
  const { out } = await sm({ 'GET /rows': { rows: [asking] } }, ['all']);
  expect(out).toContain(`asks: May I?; ${text}\n`);
});

test('all: names an agent whose version is not known', async () => {
  const nameless = { ...strange, agent_version: null };
  const { out } = await sm({ 'GET /rows': { rows: [nameless] } }, ['all']);
  expect(out).toContain('screen not recognised (claude, version unknown)');
});

test('me: for how long, and what to do', async () => {
  const { out } = await sm({ 'GET /sessions/66a8c9ee': strange }, ['me'], { env: inside });
  expect(out).toContain(
    '  screen     not recognised (claude 2.1.999) for 3m: sm types nothing into it; see sm doctor\n',
  );
  expect(out).toContain('  agent      claude, 2.1.999\n');
});

test('queue: why they wait', async () => {
  const answer = {
    session_id: '66a8c9ee',
    is_idle: true,
    pending_count: 1,
    pending_messages: [message({ state: 'held', why: 'the screen is not recognised' })],
  };
  const { out } = await sm({ 'GET /sessions/worker/send-queue': answer, 'GET /sessions/66a8c9ee': strange }, [
    'queue',
    'worker',
  ]);
  expect(out).toMatch(
    /^1 message waits for worker \(66a8c9ee\): it is idle, screen not recognised \(claude 2/,
  );
  expect(out).toContain('held: the screen is not recognised');
});

test('wait: of one that is idle, and of one that never is', async () => {
  const answers = {
    'GET /sessions/worker': strange,
    'GET /sessions/66a8c9ee': strange,
    'GET /events?session=66a8c9ee&limit=1&last=true': { events: [] },
  };
  const { code, out } = await sm(answers, ['wait', 'worker', '0']);
  expect([code, out]).toEqual([
    0,
    `worker (66a8c9ee) is idle (${text}; 1 message held: the screen is not recognised)\n`,
  ]);
  const starting = session({ ...strange, phase: 'starting', status: 'running' });
  const never = await sm(
    { ...answers, 'GET /sessions/worker': starting, 'GET /sessions/66a8c9ee': starting },
    ['wait', 'worker', '0'],
  );
  expect([never.code, never.err]).toEqual([
    1,
    `Error: worker (66a8c9ee) is not idle after 0 s: it is starting, ${text}\n`,
  ]);
});

test('tail: when it began and when it was over, and who was told', () => {
  const details = { provider: 'claude', agent_version: '2.1.999' };
  expect(eventText(event(1, 'screen unrecognised', details))).toBe(`${text}: sm types nothing into it`);
  expect(eventText(event(2, 'screen recognised'))).toBe('screen recognised again');
  expect(eventText(event(3, 'agent-version', { version: '2.1.999' }))).toBe('agent version 2.1.999');
  expect(
    eventText(event(4, 'notice-posted', { message: 'm1', to: 'aaaa', about: 'screen', notice: 'n1' })),
  ).toBe('told aaaa that its screen is not recognised (message m1, notice n1)');
});

test('doctor --report: what a report needs, made safe', async () => {
  const answers = {
    'GET /health': { status: 'healthy', version: '0.1.0' },
    'GET /sessions/worker': strange,
    'GET /sessions/66a8c9ee/output?lines=60': { session_id: '66a8c9ee', output: '┈┈┈\n\u001b[31m> \n\n' },
  };
  const { code, out } = await sm(answers, ['doctor', '--report', 'worker']);
  expect(code).toBe(0);
  expect(out.split('\n').slice(1)).toEqual([
    'worker (66a8c9ee): claude 2.1.999',
    `idle, ${text}`,
    'Its terminal shows:',
    '┈┈┈',
    '␛[31m>',
    '',
  ]);
  expect(out).toMatch(/^sm 0\.1\.0, node v\d+/);
  const json = await sm(answers, ['doctor', '--report', 'worker', '--json']);
  expect(JSON.parse(json.out)).toMatchObject({
    sm: '0.1.0',
    session: strange,
    output: '┈┈┈\n\u001b[31m> \n\n',
  });
});
