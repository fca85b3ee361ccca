// The daemon's process: one per state directory, quiet, ends in order.

import { runBackup, runRestore } from '../backup/main.ts';
import { runDoctor } from '../doctor/doctor.ts';
import { runHooks } from '../installed-hooks/hooks.ts';
import { refreshPrograms } from '../installed-hooks/programs.ts';
import { readConfig } from './config.ts';
import { startDaemon } from './daemon.ts';
import { shedForeign } from './environment.ts';
import { openLog } from './logging.ts';
import { configVariable, type Paths, prepareState, resolvePaths } from './paths.ts';
import { acquireInstanceLock } from './single-instance.ts';
import { versionBeside } from './version.ts';

/** Another daemon serves this state directory: nothing to do, and no fault. */
const alreadyRunning = 75;

async function main(): Promise<void> {
  const paths = resolvePaths(process.env, __dirname);
  const other = otherProgram(paths, process.argv.slice(2));
  if (other !== undefined) {
    process.exitCode = await other;
    return;
  }
  prepareState(paths);
  process.chdir('/');
  shedForeign(process.env);
  // Everything that we start finds the same state and configuration.
  process.env.SM_HOME = paths.home;
  Object.assign(process.env, configVariable(paths));
  const lock = acquireInstanceLock(paths.lock);
  if (!lock) {
    console.error(`sm is already running for ${paths.home}.`);
    process.exit(alreadyRunning);
  }
  const config = readConfig(paths);
  const log = openLog(paths.logFile);
  try {
    refreshPrograms(paths);
  } catch (error) {
    // Installed hooks go on with the older programs.
    log.warn({ error: String(error) }, 'cannot update the programs of installed hooks');
  }
  const daemon = await startDaemon(paths, config, log, versionBeside(paths.dist));

  console.log(`sm is up (pid ${process.pid}, port ${daemon.port})`);

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    void daemon.stop().finally(() => {
      lock.release();
      process.exit(0);
    });
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGHUP', () => {});
  const fatal = (error: unknown) => {
    log.error(
      { error: (error as Error)?.stack ?? String(error) },
      'the daemon failed and stops; the next command starts it again',
    );
    process.exit(1);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
}

/** What else is in this bundle, because it knows the agents or the database; answers the exit code. */
function otherProgram(
  paths: Paths,
  [program, ...args]: readonly string[],
): Promise<number> | number | undefined {
  const [first = ''] = args;
  const has = (option: string) => args.includes(option);
  switch (program) {
    case '--doctor':
      return runDoctor(paths, {
        json: has('--json'),
        fix: has('--fix'),
        abilities: has('--abilities'),
      });
    case '--hooks':
      return runHooks(paths, first, { json: has('--json') });
    case '--backup':
      return runBackup(paths, first, versionBeside(paths.dist));
    case '--restore-backup':
      return runRestore(paths, first, has('--stop'));
  }
  return undefined;
}

main().catch((error: Error) => {
  console.error(`Error: ${error.message}`);
  process.exit(1);
});
