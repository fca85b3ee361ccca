// The real Codex, in a pane and without one, only where SM_TEST_CODEX names its program: send until accepted. It talks
// to our stand-in model, with a dummy key and a home of its own.
import { setTimeout as delay } from 'node:timers/promises';
import { atTheEnd, temporaryFolder } from '../cleanup.mjs';
import { startDaemon, startSessions } from '../daemon.mjs';
import { timeToAccepted, withItsTurn } from '../messages.mjs';
import { round } from '../report.mjs';
import { importSource } from '../sources.mjs';
import { interleave, median, percentile } from '../statistics.mjs';

const rounds = 15;
/** An agent that has told the end of its turn is busy with that for a moment. */
const settleMs = 400;

export async function measure() {
  const command = process.env.SM_TEST_CODEX;
  if (!command) return [];
  const { startResponsesServer } = await importSource('test/model/responses.ts');
  const { prepareCodexHome } = await importSource('test/agents/codex-home.ts');
  const model = await startResponsesServer();
  atTheEnd(() => model.close());
  const { env, cwd } = prepareCodexHome(temporaryFolder(), model.url);
  const times = {};
  for (const provider of ['codex', 'codex-app']) {
    const daemon = await startDaemon({ codex: { command }, codex_app: { command } });
    const [{ id }] = await startSessions(daemon, 1, { provider, env, working_dir: cwd });
    const send = async () => {
      await delay(settleMs);
      return withItsTurn(daemon, id, () => timeToAccepted(daemon, id, 'hello'));
    };
    times[provider] = (await interleave(rounds, { send })).send;
  }
  return Object.entries(times).map(([provider, sent]) => ({
    name: `${provider}-send`,
    what: `${provider}: send until accepted`,
    value: median(sent),
    unit: 'ms',
    detail: `p50 of ${rounds}; p95 ${round(percentile(sent, 95))} ms`,
  }));
}
