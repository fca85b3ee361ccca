import { defineCommand } from '../command.ts';
import { readHealth } from '../health.ts';
import { statePaths } from '../paths.ts';
import { stopDaemon } from '../stop-daemon.ts';

export default defineCommand({
  usage: '',
  about: 'Stops the daemon. The agents go on; what they tell is kept until it is back.',
  options: {},
  arity: [0, 0],
  async run({ io }) {
    const health = await readHealth(statePaths(io).socket);
    if (!health) return io.out('sm is not running.\n');
    await stopDaemon(health);
    io.out('sm has stopped. The agents go on running; any command finds them again.\n');
  },
});
