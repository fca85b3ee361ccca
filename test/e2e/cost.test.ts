// What sessions have used up, on the scripted agent in real tmux: told by its transcript and its status line, in the books
// once, through a daemon that is killed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CostView } from '../../src/protocol/cost.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const cost = async (query = ''): Promise<CostView> =>
  (await daemon.call<CostView>('GET', `/cost${query}`)).body;

async function turn(id: string, text: string): Promise<void> {
  const { message_id: message } = await sendText(daemon, id, text);
  await daemon.until(id, is('message answered', { message }));
}

it('tokens and cost are counted once, by context, session, family and day, also over a kill of the daemon', async () => {
  const id = await startIdle(daemon, 'spender');
  await turn(id, 'work [[usage 1000]] [[cost 0.25]] [[say done]]');
  const first = await until('the first cost', async () => {
    const { total } = await cost();
    return total.cost_usd === 0.25 && total;
  });
  expect(first.tokens).toMatchObject({ input: 1_000, output: 20, total: 1_020 });

  await daemon.crash();
  await daemon.start();
  await turn(id, 'more [[usage 2000]] [[cost 0.5]] [[bash echo one]] [[say done]]');
  await until('the second cost', async () => (await cost()).total.cost_usd === 0.75);
  await daemon.call('POST', `/sessions/${id}/clear`, {});
  await turn(id, 'again [[usage 500]] [[say done]]');
  const { total } = await until('all of it', async () => {
    const told = await cost();
    return told.total.tokens.input === 1_000 + 2 * 2_000 + 500 && told;
  });
  expect(total.cost_usd).toBeCloseTo(0.75);
  expect(total.tokens.output).toBe(80);

  const contexts = await cost(`?session=${id}`);
  expect(contexts.entries.map(({ context, tokens }) => [context, tokens.input])).toEqual([
    [1, 5_000],
    [2, 500],
  ]);
  const days = await cost('?by=day');
  expect(days.entries.reduce((sum, { tokens }) => sum + tokens.total, 0)).toBe(total.tokens.total);
  const families = await cost('?by=family');
  expect(families.entries).toMatchObject([{ session_id: id, session_name: 'spender' }]);
  expect((await cost(`?since=${new Date(Date.now() + 3_600_000).toISOString()}`)).entries).toEqual([]);

  await daemon.call('POST', `/sessions/${id}/kill`, {});
  const listed = await daemon.sm('cost');
  expect([listed.code, listed.stderr]).toEqual([0, '']);
  expect(listed.stdout).toMatch(/^spender \(.{8}\) .* \$0\.75$/m);
});
