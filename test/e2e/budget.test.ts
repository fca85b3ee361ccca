// Budgets on the scripted agent in real tmux: told, held and let go, of a session and of a family, also when the daemon
// is killed in between.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({
    config: {
      profiles: { cheap: { budget: '1usd 2M', family_budget: '10usd' } },
      budget: { session: '40usd' },
    },
  });
});
afterAll(() => daemon.dispose());

async function turn(id: string, text: string): Promise<void> {
  const { message_id: message } = await sendText(daemon, id, text);
  await daemon.until(id, is('message answered', { message }));
}

it('a session is told at 80 %, held when all is used, and goes on when there is more, through a crash', async () => {
  const lead = await startIdle(daemon, 'lead');
  const id = await startIdle(daemon, 'worker', { parent_session_id: lead });
  const set = await daemon.sm('budget', 'worker', '5usd');
  expect(set.stdout).toBe(`Budget of worker (${id}): $5.00, 0% used (it was $40.00).\n`);
  await turn(id, 'work [[cost 4.1]] [[say done]]');
  await daemon.until(id, is('budget near'));
  expect((await daemon.sm('all')).stdout).toMatch(/worker .*82 % of its budget of \$5\.00 is used/);
  await turn(id, 'more [[cost 0.92]] [[say done]]');
  await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
  const sent = await daemon.sm('send', id, 'and this [[say more]]');
  expect(sent.stdout).toMatch(/^Held for worker .*: budget of \$5\.00 is used up \(\$5\.02\) \(position 1\)/);
  expect((await daemon.sm('all')).stdout).toMatch(/worker .*held: budget of \$5\.00 is used up/);
  expect((await daemon.sm('why', id)).stdout).toMatch(/is blocked[\s\S]*held: budget of \$5\.00 is used up/);
  expect((await daemon.sm('budget')).stdout).toMatch(/^worker \(.*\) +\$5\.00 +\$5\.02 +100% +used up$/m);
  const waited = await daemon.sm('wait', id, '600');
  expect([waited.code, waited.stderr]).toEqual([
    1,
    expect.stringMatching(/is held: budget of \$5\.00 is used up/),
  ]);
  // Its parent has heard of both, once.
  const notices = async () => (await promptsOf(daemon, lead)).join('\n').match(/\[sm budget\] worker/g) ?? [];
  await expect.poll(async () => (await notices()).length).toBe(2);

  await daemon.crash();
  await daemon.start();
  await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
  expect((await promptsOf(daemon, id)).some((text) => text.includes('and this'))).toBe(false);
  expect((await daemon.sm('budget', id, '10usd')).code).toBe(0);
  await daemon.until(id, is('message answered', { message: /#(\w+)/.exec(sent.stdout)?.[1] }));
  expect(await notices()).toHaveLength(2);
});

it('a family is held together, also what is below a session that was killed', async () => {
  const top = await startIdle(daemon, 'top');
  const middle = await startIdle(daemon, 'middle', { parent_session_id: top });
  const low = await startIdle(daemon, 'low', { parent_session_id: middle });
  expect((await daemon.sm('budget', 'top', '1M', '--family')).code).toBe(0);
  await turn(middle, 'work [[usage 500000]] [[say done]]');
  await daemon.call('POST', `/sessions/${middle}/kill`, {});
  await turn(low, 'work [[usage 600000]] [[say done]]');
  for (const id of [top, low]) await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
  const { budget } = await daemon.session(low);
  expect(budget?.hold?.why).toMatch(
    new RegExp(
      `^family budget of 1,000,000 tokens is used up \\(1,1\\S+ tokens\\), set on top \\(${top}\\)$`,
    ),
  );
  const child = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
    prompt: 'go',
    provider: 'scripted',
    working_dir: daemon.work,
    parent_session_id: low,
  });
  await daemon.untilSession(child.body.session_id, ({ phase }) => phase === 'blocked');
  expect((await daemon.sm('budget', 'top', 'off', '--family')).code).toBe(0);
  for (const id of [top, low]) await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  await daemon.until(child.body.session_id, is('message accepted'));
});

it.each([
  ['the child has not told what it used', 'effect:pass-on:before@CHILD'],
  ['the parent knows it, and the child does not know that', 'effect:pass-on:after@CHILD'],
  ['the children are not told that they are held', 'effect:pass-on:before@PARENT'],
  ['one is told, and it is not known', 'effect:pass-on:after@PARENT'],
])('killed when %s, the daemon comes to the same end', async (_, point) => {
  const parent = await startIdle(daemon, `p-${point.slice(15).replace(/\W/g, '')}`);
  const child = await startIdle(daemon, `c-${point.slice(15).replace(/\W/g, '')}`, {
    parent_session_id: parent,
  });
  expect((await daemon.sm('budget', parent, '1M', '--family')).code).toBe(0);
  await daemon.crash();
  await daemon.start({ SM_CRASH_AT: point.replace('CHILD', child).replace('PARENT', parent) });
  await sendText(daemon, child, 'work [[usage 1000000]] [[say done]]').catch(() => undefined);
  await daemon.death();
  await daemon.start();
  for (const id of [parent, child]) await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
  const { budget } = await daemon.session(parent);
  expect(budget?.family?.used_tokens).toBe(1_000_020);
  expect((await daemon.events(parent)).filter(is('budget used-up'))).toHaveLength(1);
  expect((await daemon.events(child)).filter(is('budget held'))).toHaveLength(1);
});

it('budgets come from the profile, else from the configuration; the session itself may not change them', async () => {
  const id = await startIdle(daemon, 'cheap', { options: { profile: 'cheap' } });
  const { budget } = await daemon.session(id);
  expect([budget?.own, budget?.family]).toMatchObject([
    { usd: 1, tokens: 2_000_000 },
    { usd: 10, tokens: null },
  ]);
  const refused = await daemon.call('PUT', `/sessions/${id}/budget`, { usd: 99, requester_session_id: id });
  expect(refused.status).toBe(403);
  const bad = await daemon.sm('budget', 'cheap', '5');
  expect([bad.code, bad.stderr]).toEqual([
    1,
    'Error: A budget is such as 5usd (money) or 500k, 2M (tokens), not "5".\n',
  ]);
});
