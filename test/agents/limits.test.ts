// Limits and cost on the real agents: what they tell of tokens, cost and limits, that they stand still when nothing is
// left, and that they go on after the reset, in one turn.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CostView } from '../../src/protocol/cost.ts';
import type { LimitView } from '../../src/protocol/limits.ts';
import { startModelServer } from '../model/anthropic.ts';
import { startResponsesServer } from '../model/responses.ts';
import type { ModelServer } from '../model/server.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';

const claude = process.env.SM_TEST_CLAUDE ?? '';
const codex = process.env.SM_TEST_CODEX ?? '';

const agents = {
  claude: { tellsCost: true, serve: startModelServer, account: 'config' },
  'claude-app': { tellsCost: true, serve: startModelServer, account: 'config' },
  codex: { tellsCost: false, serve: startResponsesServer, account: 'codex' },
  'codex-app': { tellsCost: false, serve: startResponsesServer, account: 'codex' },
};

describe.each(Object.keys(agents) as (keyof typeof agents)[])('%s', (provider) => {
  const { tellsCost, serve, account } = agents[provider];
  const { root, keep } = tidy('limits');
  let daemon: TestDaemon;
  let model: ModelServer;
  let id: string;

  beforeAll(async () => {
    model = keep(await serve());
    const args = ['--dangerously-skip-permissions'];
    daemon = keep(
      await startTestDaemon({
        config: {
          claude: { command: claude, args, default_model: 'claude-sonnet-4-5-20250929' },
          claude_app: { command: claude, args, default_model: 'claude-sonnet-4-5-20250929' },
          codex: { command: codex },
          codex_app: { command: codex },
          prices: { 'standin-model': { input: 1, output: 10 } },
        },
      }),
    );
  }, 60_000);

  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  const tell = (used: number, seconds: number) =>
    model.setLimits({
      fiveHours: { used, resetsAt: inSeconds(seconds) },
      week: { used: 41, resetsAt: inSeconds(300_000) },
      reached: used >= 100,
    });

  /** What the model was asked in the conversation; Codex asks for a title of its own beside it. */
  const told = () => model.requests().filter(({ prompt }) => prompt.startsWith('[sm'));

  it('tells what it uses, and how much of its limits', async () => {
    tell(62, 3_600);
    const { env, cwd } =
      account === 'config'
        ? prepareClaudeHome(root, model.url, { subscription: true })
        : prepareCodexHome(root, model.url);
    const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
      prompt: 'hello [[usage 5000]] [[say one]]',
      provider,
      working_dir: cwd,
      env,
    });
    id = body.session_id;
    await daemon.until(id, is('turn ended'));
    const limits = await until('the limits', async () => {
      const told = (await daemon.call<{ limits: LimitView[] }>('GET', '/limits')).body.limits;
      return told.length === 2 && told;
    });
    expect(limits).toMatchObject([
      { account: join(root, account), providers: [provider], window: '5h', used_percentage: 62 },
      { window: 'week', used_percentage: 41 },
    ]);
    const { total } = await until('the cost', async () => {
      const cost = (await daemon.call<CostView>('GET', `/cost?session=${id}`)).body;
      return (cost.total.cost_usd ?? 0) > 0 && cost.total.tokens.output > 0 && cost;
    });
    const { input, output } = total.tokens;
    // The stand-in tells the sum of both, or what went in.
    expect([input, input + output]).toContain(5_000);
    if (!tellsCost) expect(total.cost_usd).toBeCloseTo((input + 10 * output) / 1_000_000);
  });

  it('stands still when nothing is left, and goes on once after the reset', async () => {
    tell(100, 15);
    const { message_id: cut } = await sendText(daemon, id, 'limited [[say two]]');
    const blocked = await daemon.untilSession(
      id,
      ({ phase, limit }) => phase === 'blocked' && !!limit?.until,
    );
    const reset = Date.parse(blocked.limit?.until ?? '');
    const { message_id: later } = await sendText(daemon, id, 'later [[say three]]');
    const asked = told().length;
    await until('the reset', () => Date.now() > reset);
    tell(1, 18_000);
    const resumed = await daemon.until(id, is('limit resumed'));
    const before = told().filter(({ at }) => at < Date.parse(resumed.at));
    expect(before).toHaveLength(asked);
    const answered = await daemon.until(id, is('message answered', { message: cut }));
    expect(Date.parse(answered.at) - reset).toBeLessThan(60_000);
    await daemon.until(id, is('message answered', { message: later }));
    const prompts = told()
      .slice(asked)
      .map(({ prompt }) => prompt);
    expect(prompts.filter((prompt) => prompt.startsWith('[sm limit]'))).toHaveLength(1);
    expect((await daemon.events(id)).filter(is('limit resumed'))).toEqual([resumed]);
    // What the agent may do by itself it does within two minutes.
    if (provider !== 'claude') return;
    await until('two minutes after the limit', () => Date.now() > reset + 130_000, { timeoutMs: 180_000 });
    expect(told()).toHaveLength(asked + 2);
  }, 300_000);

  it('is held when its budget is used up, and goes on when there is more', async () => {
    tell(1, 18_000);
    const { total: before } = (await daemon.call<CostView>('GET', `/cost?session=${id}`)).body;
    expect((await daemon.sm('budget', id, `${before.tokens.total + 5_000}tokens`)).code).toBe(0);
    const { message_id: last } = await sendText(daemon, id, 'last [[usage 9000]] [[say four]]');
    await daemon.until(id, is('message answered', { message: last }));
    await daemon.untilSession(id, ({ phase }) => phase === 'blocked');
    const asked = told().length;
    const { message_id: held, state, why } = await sendText(daemon, id, 'more [[say five]]');
    expect([state, why]).toEqual(['held', expect.stringMatching(/^budget of \S+ tokens is used up/)]);
    expect(told()).toHaveLength(asked);
    expect((await daemon.sm('budget', id, 'off')).code).toBe(0);
    await daemon.until(id, is('message answered', { message: held }));
    // Where the agent does not tell its cost, the configuration has a price.
    expect((await daemon.sm('budget', id, '0.001usd')).stdout).toContain(
      'It is held: budget of $0.0010 is used up',
    );
    expect((await daemon.sm('budget', id, 'off')).code).toBe(0);
  }, 60_000);
});
