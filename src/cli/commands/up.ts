import type { Health } from '../../protocol/health.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { readHealth } from '../daemon/health.ts';
import { statePaths } from '../daemon/paths.ts';
import { compareVersions, ownVersion } from '../daemon/versions.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { safeJson, safeText } from '../text/safe.ts';
import { ago } from '../text/time.ts';

/** Somebody may start an old daemon again while ours begins. After so many times we give up. */
const mostStops = 3;

export default defineCommand({
  usage: '[--json]',
  about:
    'Starts the daemon. Replaces a running daemon that is older than this sm; keeps a newer one. The agents keep running\n' +
    'and nothing they report is lost; commands wait until the new daemon is up.',
  options: { json: jsonOption },
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
      io.err(safeText(`The running daemon (${version}) is newer than this sm (${own}). Update sm.\n`));
    if (order >= 0) return health;
    if (stops === mostStops)
      throw new Failure(
        `Something keeps starting a daemon of version ${version} (pid ${pid}). Stop that first, then run: sm up`,
      );
    io.err(safeText(`Replacing the daemon of version ${version} (pid ${pid}) with ${own}.\n`));
    const { stopDaemon } = await import('../daemon/stop.ts');
    await stopDaemon(health);
  }
}

async function start(io: Io): Promise<Health> {
  const { startDaemon } = await import('../daemon/start.ts');
  return startDaemon(io);
}
