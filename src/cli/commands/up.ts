import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { safeJson, safeText } from '../format/text.ts';
import { ago } from '../format/time.ts';
import { type Health, readHealth } from '../health.ts';
import type { Io } from '../io.ts';
import { statePaths } from '../paths.ts';
import { compareVersions, ownVersion } from '../versions.ts';

/** Somebody may start an old one again while ours begins; whoever does so every time is not to be outrun. */
const mostStops = 3;

export default defineCommand({
  usage: '[--json]',
  about:
    'Starts the daemon. One that runs and is older than this sm is stopped in order and replaced; a newer one stays. The\n' +
    'agents go on; what they tell meanwhile is kept, and commands wait until the new one is there.',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io }) {
    const health = await bringUp(io);
    if (options.json) return io.out(safeJson(health));
    const { pid, version, started_at, state_dir } = health;
    const facts = `pid ${pid}, version ${version}, started ${ago(started_at, io.now())}, state in ${state_dir}`;
    io.out(safeText(`sm is running (${facts})\n`));
  },
});

async function bringUp(io: Io): Promise<Health> {
  const own = ownVersion(io);
  for (let stops = 0; ; stops += 1) {
    const health = (await readHealth(statePaths(io).socket)) ?? (await start(io));
    const { version, pid } = health;
    const order = own === null ? 0 : compareVersions(version, own);
    if (order > 0)
      io.err(
        safeText(`The daemon that runs is newer (${version}) than this sm (${own}), and stays. Update sm.\n`),
      );
    if (order >= 0) return health;
    if (stops === mostStops)
      throw new Failure(
        `A daemon of ${version} (pid ${pid}) is there again each time that it is stopped: something else starts it. Stop that first.`,
      );
    io.err(safeText(`The daemon of ${version} (pid ${pid}) is replaced by one of ${own}.\n`));
    const { stopDaemon } = await import('../stop-daemon.ts');
    await stopDaemon(health);
  }
}

async function start(io: Io): Promise<Health> {
  const { startDaemon } = await import('../start-daemon.ts');
  return startDaemon(io);
}
