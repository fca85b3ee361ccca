// The real Claude Code, only where SM_TEST_CLAUDE names its program: messages to it, each beside what bare tmux
// commands reach in the same moments. It talks to our stand-in model, with a dummy key and a home of its own.
import { setTimeout as delay } from 'node:timers/promises';
import { atTheEnd, temporaryFolder } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { interrupting, timeToAccepted, timeToTyped, tmux, withItsTurn } from '../messages.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 15;
const urgent = { delivery_mode: 'urgent' };
const draft = 'half a thought';
/** An agent that has told its Stop is busy with that for a moment, and one that is typed to needs one to show it. */
const settleMs = 400;

export async function measure() {
  const command = process.env.SM_TEST_CLAUDE;
  if (!command) return [];
  const { startModelServer } = await importSource('test/model/anthropic.ts');
  const { prepareClaudeHome } = await importSource('test/agents/claude-home.ts');
  const model = await startModelServer();
  atTheEnd(() => model.close());
  const { env, cwd } = prepareClaudeHome(temporaryFolder(), model.url);
  const daemon = await startDaemon({
    claude: {
      command,
      args: ['--dangerously-skip-permissions'],
      default_model: 'claude-sonnet-4-5-20250929',
    },
  });
  const [agent] = await startSessions(daemon, 1, { env, working_dir: cwd });
  const { id } = agent;

  const send = (more) => () => timeToAccepted(daemon, id, 'hello', more);
  const type =
    (...keysBefore) =>
    () =>
      timeToTyped(daemon, agent, 'hello', { keysBefore });
  const idle = (work) => async () => {
    await delay(settleMs);
    return withItsTurn(daemon, id, work);
  };
  const working = (work) => async () => {
    await delay(settleMs);
    return interrupting(daemon, agent, work);
  };
  const withDraft = (work) => async () => {
    const pane = ['-t', agent.tmux_session];
    await delay(settleMs);
    if (!tmux(daemon, [['capture-pane', '-p', ...pane]]).includes(`❯ ${draft}`)) {
      tmux(daemon, [['send-keys', ...pane, '-l', draft]]);
      await delay(settleMs);
    }
    return withItsTurn(daemon, id, work);
  };

  const first = await interleave(rounds, { sent: idle(send()), bare: idle(type()) });
  const second = await interleave(rounds, { sent: working(send(urgent)), bare: working(type('Escape')) });
  const third = await interleave(rounds, { sent: withDraft(send()), bare: withDraft(type('C-s')) });
  return [
    figure('claude-send', 'Claude Code: send until accepted', first, 80),
    figure('claude-urgent', 'Claude Code: urgent while it works', second, 150),
    figure('claude-draft', 'Claude Code: with a draft in the box', third, 100),
  ];
}

function figure(name, what, { sent, bare }, atMost) {
  const spread = `p50 of ${rounds}; p95 ${round(percentile(sent, 95))} ms`;
  const yardstick = `bare tmux commands: ${round(median(bare))}, p95 ${round(percentile(bare, 95))} ms`;
  return {
    name,
    what,
    value: median(sent),
    unit: 'ms',
    goal: { atMost },
    detail: `${spread}; ${yardstick}`,
  };
}
