import { expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import { type Answers, inside, Refused, session } from '../../../test/support/stand-in-daemon.ts';

const self = '66a8c9ee';
const children = [
  session({ id: 'aaaa1111', name: 'parser', parent_session_id: self }),
  session({ id: 'bbbb2222', name: 'gone', parent_session_id: self, phase: 'exited', status: 'stopped' }),
];
const answers = (more: Answers = {}): Answers => ({
  [`PATCH /sessions/${self}`]: ({ body }: { body: unknown }) =>
    session({ display_name: (body as { friendly_name: string }).friendly_name }),
  [`GET /sessions/${self}/children`]: { children },
  'POST /sessions/aaaa1111/context-monitor': { status: 'enabled' },
  ...more,
});

async function em(argv: string[], given: Answers, env: Record<string, string> = inside) {
  const { calls, ...rest } = await sm(given, ['em', ...argv], { env });
  return { ...rest, calls: calls.filter(({ method }) => method !== 'GET') };
}

test('em: names the session, monitors its living children for it, and prints what wakes it', async () => {
  const { code, out, calls } = await em([], answers());
  expect(code).toBe(0);
  expect(calls).toEqual([
    { method: 'PATCH', url: `/sessions/${self}`, body: { friendly_name: 'em' } },
    {
      method: 'POST',
      url: '/sessions/aaaa1111/context-monitor',
      body: { enabled: true, notify_session_id: self, requester_session_id: self },
    },
  ]);
  expect(out).toContain(`You are em (${self}).\n`);
  expect(out).toContain('the contexts of your children are: parser (aaaa1111)\n');
  for (const command of ['spawn', 'dispatch', 'send NAME "TEXT" --remind', 'children', 'wait', 'remind'])
    expect(out).toContain(`sm ${command}`);
  expect(out).toContain('Do not poll');
});

test('em NAME: another name, and no children yet', async () => {
  const { code, out } = await em(['lead'], answers({ [`GET /sessions/${self}/children`]: { children: [] } }));
  expect(code).toBe(0);
  expect(out).toContain(`You are lead (${self}).\nFor each child you start later, run:`);
});

test('em: a name that is taken is refused, and nothing else is changed', async () => {
  const taken = { [`PATCH /sessions/${self}`]: new Refused(409, 'The name em is taken.') };
  const { code, err, calls } = await em([], answers(taken));
  expect([code, calls.length]).toEqual([1, 1]);
  expect(err).toContain('The name em is taken.');
});

test('em: only inside a session', async () => {
  const { code, err, calls } = await em([], answers(), {});
  expect([code, calls]).toEqual([2, []]);
  expect(err).toContain('Not inside a session');
});
