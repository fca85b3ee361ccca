// Limits on the scripted agent in real tmux: told, reached, waited for, and gone on from once, also when the daemon is
// killed in between.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LimitView } from '../../src/protocol/limits.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const limits = async (): Promise<LimitView[]> =>
  (await daemon.call<{ limits: LimitView[] }>('GET', '/limits')).body.limits;

it('what agents tell of their limits is kept by account', async () => {
  const accounts = [`${daemon.work}/one`, `${daemon.work}/two`];
  for (const [i, account] of accounts.entries()) {
    const id = await startIdle(daemon, `account-${i}`, { options: { env: { CLAUDE_CONFIG_DIR: account } } });
    await sendText(daemon, id, `work [[limit ${20 + i * 42} 3600]] [[say done]]`);
    await daemon.until(id, is('limit told'));
  }
  const told = await limits();
  expect(told.map(({ account, window, used_percentage: used }) => [account, window, used])).toEqual([
    [accounts[0], '5h', 20],
    [accounts[1], '5h', 62],
  ]);
  const { stdout, code } = await daemon.sm('limits');
  expect(code).toBe(0);
  expect(stdout).toMatch(/two +scripted +5h +62% +\S*\d/);
  expect((await daemon.sm('all')).stderr).toBe('');
  await daemon.call('POST', '/sessions/account-1/kill', {});
  expect(await limits()).toHaveLength(2);
});

it('a session that has used up its limit waits for the reset, and goes on once', async () => {
  const lead = await startIdle(daemon, 'lead');
  const id = await startIdle(daemon, 'limited', { parent_session_id: lead });
  const { message_id: cut } = await sendText(daemon, id, 'work [[limit 100 8]] [[say done]]', {
    sender_session_id: lead,
    notify_on_stop: true,
  });
  const blocked = await daemon.untilSession(id, ({ phase, limit }) => phase === 'blocked' && !!limit?.until);
  expect(blocked.limit?.text).toContain('5-hour limit');
  const { message_id: later } = await sendText(daemon, id, 'and this [[say later]]');
  expect((await daemon.sm('why', id)).stdout).toMatch(
    /is blocked[\s\S]*usage limit reached[\s\S]*its limit resets at/,
  );
  await daemon.until(id, is('limit told'));
  expect((await daemon.sm('all')).stderr).toMatch(/has used 100% of its 5h limit, .*See: sm limits/);
  expect((await daemon.sm('all')).stdout).toMatch(/limited .*limit until \d\d:\d\d/);
  // Its senders hear it.
  const notice = await daemon.until(
    lead,
    ({ state, from }) => state === 'queued' && (from as { kind: string }).kind === 'sm',
  );
  await daemon.until(lead, is('message answered', { message: notice.message }));

  await daemon.crash();
  await daemon.start();
  expect((await daemon.session(id)).phase).toBe('blocked');
  const resumed = await daemon.until(id, is('limit resumed'));
  await daemon.until(id, is('message answered', { message: resumed.message }));
  await daemon.until(id, is('message answered', { message: cut }));
  await daemon.until(id, is('message answered', { message: later }));
  expect(Date.parse(resumed.at) - Date.parse(blocked.limit?.until ?? '')).toBeLessThan(60_000);
  const prompts = await promptsOf(daemon, id);
  expect(prompts.filter((text) => text.includes('[sm limit]'))).toHaveLength(1);
  expect((await daemon.events(id)).filter(is('limit reached'))).toHaveLength(1);
  await until('the end is told', async () =>
    (await promptsOf(daemon, lead)).some((text) => text.includes('limited stopped:')),
  );
});
