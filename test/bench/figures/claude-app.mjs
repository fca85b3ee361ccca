// The real Claude Code without a terminal, only where SM_TEST_CLAUDE names its program: send until accepted. It talks to
// our stand-in model, with a dummy key and a home of its own.
import { atTheEnd, temporaryFolder } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { timeToAccepted, withItsTurn } from '../messages.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 15;

export async function measure() {
  const command = process.env.SM_TEST_CLAUDE;
  if (!command) return [];
  const { startModelServer } = await importSource('test/model/anthropic.ts');
  const { prepareClaudeHome } = await importSource('test/agents/claude-home.ts');
  const model = await startModelServer();
  atTheEnd(() => model.close());
  const { env, cwd } = prepareClaudeHome(temporaryFolder(), model.url);
  const daemon = await startDaemon({ claude_app: { command, default_model: 'claude-sonnet-4-5-20250929' } });
  const [{ id }] = await startSessions(daemon, 1, { provider: 'claude-app', env, working_dir: cwd });
  const send = () => withItsTurn(daemon, id, () => timeToAccepted(daemon, id, 'hello'));
  const { send: sent } = await interleave(rounds, { send });
  return [
    {
      name: 'claude-app-send',
      what: 'claude-app: send until accepted',
      value: median(sent),
      unit: 'ms',
      detail: `p50 of ${rounds}; p95 ${round(percentile(sent, 95))} ms`,
    },
  ];
}
