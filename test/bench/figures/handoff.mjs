// A handoff, from the end of the turn that asked for it until the agent provably has the prompt of its new context; and
// what a sample of how full a context is costs the daemon.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atTheEnd, temporaryFolder } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { is, newestEvent, send, timeOf, timeToTyped, untilEvent, withItsTurn } from '../messages.mjs';
import { cpuNanoseconds } from '../processes.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 30;
const roundsOfClaude = 10;
const samples = 2_000;

export async function measure() {
  const daemon = await startDaemon();
  const [sampled, ...sessions] = await startSessions(daemon, 3, { provider: 'scripted' });
  return [
    figure(
      'handoff',
      'turn end until the new context has its prompt',
      await handoffs(daemon, sessions, rounds),
      {
        goal: { atMost: 250 },
      },
    ),
    await sample(daemon, sampled),
    ...(await ofClaude()),
  ];
}

function figure(name, what, { ours, bare }, more = {}) {
  const spread = `p50 of ${ours.length}; p95 ${round(percentile(ours, 95))}, fastest ${round(Math.min(...ours))} ms`;
  const yardstick = `bare tmux commands: ${round(median(bare))}, p95 ${round(percentile(bare, 95))} ms`;
  return { name, what, value: median(ours), unit: 'ms', detail: `${spread}; ${yardstick}`, ...more };
}

/** Ours, and beside it what a careless program would type: a clear and, when it has happened, the prompt. */
function handoffs(daemon, [rotating, bare], times, folder = daemon.work) {
  const document = join(folder, 'handoff.md');
  writeFileSync(document, 'Go on with the next step.');
  return interleave(times, {
    async ours() {
      const before = await newestEvent(daemon, rotating.id);
      await send(daemon, rotating.id, `work [[bash sm handoff ${document}]]`);
      const end = await untilEvent(daemon, rotating.id, is('turn ended'), before);
      const done = await untilEvent(daemon, rotating.id, is('handoff done'), end.number);
      await untilEvent(daemon, rotating.id, is('turn ended'), done.number);
      return timeOf(done) - timeOf(end);
    },
    async bare() {
      const cleared = await timeToTyped(daemon, bare, '/clear', { until: 'context began' });
      const prompt = `Read ${document} and continue from where you left off.`;
      return cleared + (await withItsTurn(daemon, bare.id, () => timeToTyped(daemon, bare, prompt)));
    },
  });
}

/** As an agent reports them, each a little fuller than the one before, so that some of them are for the history. */
async function sample(daemon, session) {
  const post = (n) => {
    const tokens = 1_000 + n * 40;
    const body = {
      session_id: session.context.provider_id,
      transcript_path: `${daemon.work}/${session.context.provider_id}.jsonl`,
      cwd: daemon.work,
      model: { id: 'a-model', display_name: 'A model' },
      cost: { total_cost_usd: 0.01 * n, total_duration_ms: n },
      context_window: {
        total_input_tokens: tokens,
        total_output_tokens: 20,
        context_window_size: 200_000,
        used_percentage: tokens / 2_000,
      },
    };
    return daemon.call('POST', '/hooks/agent', body, { 'x-sm-session': session.id, 'x-sm-kind': 'status' });
  };
  for (let n = 0; n < samples / 4; n += 1) await post(n);
  const before = cpuNanoseconds(daemon.pid);
  for (let n = samples / 4; n < samples; n += 1) await post(n);
  const each = (cpuNanoseconds(daemon.pid) - before) / 1e6 / ((samples * 3) / 4);
  const { tokens_used: used } = await daemon.call('GET', `/sessions/${session.id}`);
  if (used !== 1_000 + (samples - 1) * 40) throw new Error(`the last sample is not stored, but ${used}`);
  return {
    name: 'usage-sample',
    what: "a sample of a context's usage: CPU of the daemon",
    value: each,
    unit: 'ms',
    goal: { atMost: 1 },
    detail: `mean of ${(samples * 3) / 4}, one after another, each with its request`,
  };
}

/** Only where SM_TEST_CLAUDE names its program. Most of it is the agent's own, so there is no goal. */
async function ofClaude() {
  const command = process.env.SM_TEST_CLAUDE;
  if (!command) return [];
  const { startModelServer } = await importSource('test/model/anthropic.ts');
  const { prepareClaudeHome } = await importSource('test/agents/claude-home.ts');
  const model = await startModelServer();
  atTheEnd(() => model.close());
  const { env, cwd } = prepareClaudeHome(temporaryFolder(), model.url);
  const args = ['--dangerously-skip-permissions'];
  const claude = { command, args, default_model: 'claude-sonnet-4-5-20250929' };
  const daemon = await startDaemon({ claude });
  const sessions = await startSessions(daemon, 2, { env, working_dir: cwd });
  const taken = await handoffs(daemon, sessions, roundsOfClaude, cwd);
  return [figure('claude-handoff', 'Claude Code: turn end until the new context has its prompt', taken)];
}
