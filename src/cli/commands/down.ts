import { defineCommand } from '../command.ts';
import { readHealth } from '../daemon/health.ts';
import { statePaths } from '../daemon/paths.ts';
import { stopDaemon } from '../daemon/stop.ts';
import type { Io } from '../io.ts';

export default defineCommand({
  usage: '',
  about:
    'Stops the daemon. The agents keep running, and nothing they report is lost. Without agents, our tmux server ends too.',
  options: {},
  async run({ io }) {
    const health = await readHealth(statePaths(io).socket);
    if (health) await stopDaemon(health);
    // With the daemon gone nobody starts an agent, so an empty tmux server stays empty.
    const agents = await endEmptyTerminal(io);
    const state = health ? 'sm has stopped.' : 'sm is not running.';
    io.out(`${state}${goOn(agents)}\n`);
  },
});

function goOn(agents: number): string {
  if (agents === 0) return '';
  return agents === 1
    ? ' One agent keeps running; any command finds it again.'
    : ` ${agents} agents keep running; any command finds them again.`;
}

/** Our tmux server is kept alive by a session of ours: without any other there is nothing to keep. Answers how many. */
async function endEmptyTerminal(io: Io): Promise<number> {
  const tmux = (...args: string[]) => io.outputOf('tmux', ['-S', statePaths(io).tmuxSocket, ...args]);
  const listed = await tmux('list-sessions', '-F', '#{session_name}');
  const others = (listed ?? '').split('\n').filter((name) => name !== '' && name !== 'sm-anchor');
  // Asked and done in one step: whoever opens a session there meanwhile keeps it.
  if (listed !== null && others.length === 0) await tmux('if-shell', '-F', '#{==:#{S:x},x}', 'kill-server');
  return others.length;
}
