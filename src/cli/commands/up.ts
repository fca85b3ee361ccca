import { defineCommand, jsonOption } from '../command.ts';
import { safeJson, safeText } from '../format/text.ts';
import { ago } from '../format/time.ts';
import { readHealth } from '../health.ts';
import { statePaths } from '../paths.ts';

export default defineCommand({
  usage: '[--json]',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io }) {
    const health = (await readHealth(statePaths(io).socket)) ?? (await start());
    if (options.json) return io.out(safeJson(health));
    const { pid, version, started_at, state_dir } = health;
    const facts = `pid ${pid}, version ${version}, started ${ago(started_at, io.now())}, state in ${state_dir}`;
    io.out(safeText(`sm is running (${facts})\n`));

    async function start() {
      const { startDaemon } = await import('../start-daemon.ts');
      return startDaemon(io);
    }
  },
});
