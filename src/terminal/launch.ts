// Starting a program in a new pane, through hooks/launch.sh.

import { randomUUID } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { LaunchSpec } from '../ports/terminal.ts';
import type { Changes } from './changes.ts';
import type { ControlClient } from './control-client.ts';
import { LaunchRefused, TerminalFailed } from './errors.ts';
import type { PaneDirectory } from './pane-directory.ts';
import { type ListedPane, NAME_OPTION } from './panes.ts';
import type { Records } from './records.ts';
import { resizeCommands } from './resizing.ts';
import { ANCHOR } from './server.ts';
import { startFile } from './start-file.ts';

const LAUNCH_LIMIT_MS = 10_000;
/** Names go into tmux targets and file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;
const DEFAULT_SIZE = { columns: 200, rows: 50 };

/** Refuses what could only fail later and less clearly. */
export async function checkLaunch({ name, argv, env, cwd }: LaunchSpec): Promise<void> {
  if (!NAME.test(name) || name === ANCHOR) throw new LaunchRefused(`"${name}" cannot be the name of a pane`);
  const [program] = argv;
  if (!program) throw new LaunchRefused('no program to launch: argv is empty');
  if (program.includes('='))
    throw new LaunchRefused(`the path of a program must not contain "=": ${program}`);
  if ([...argv, ...Object.entries(env).flat()].some((text) => text.includes('\0'))) {
    throw new LaunchRefused('an argument or variable contains a NUL character');
  }
  const misnamed = Object.keys(env).find((name) => name === '' || name.includes('='));
  if (misnamed !== undefined) throw new LaunchRefused(`"${misnamed}" cannot be the name of a variable`);
  const isDirectory = await stat(cwd).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isAbsolute(cwd) || !isDirectory)
    throw new LaunchRefused(`the working directory does not exist: ${cwd}`);
}

/** Makes the pane, unless someone else has just made one of that name. */
export async function makePane(
  client: ControlClient,
  records: Records,
  launcherPath: string,
  spec: LaunchSpec,
): Promise<void> {
  const { name, size = DEFAULT_SIZE } = spec;
  const start = `${records.prefix(name)}.start-${randomUUID()}`;
  await writeFile(start, startFile(spec), { mode: 0o600, flag: 'wx' });
  // If the answer is lost, the launcher may be about to read its file: it stays.
  const reply = await client.inTurn(() =>
    client.requestOnce([
      [
        ...['new-session', '-d', '-s', name, '-x', String(size.columns), '-y', String(size.rows)],
        // tmux expands formats in -c, `#(command)` among them: the launcher goes to the directory instead.
        ...['-c', '/', '--', '/bin/sh', launcherPath, records.prefix(name), start],
      ],
      ['set-option', '-p', '-t', `=${name}:`, NAME_OPTION, name],
      // tmux 3.2 gives a window that a control client makes the size of that client, whatever it was asked for.
      ...resizeCommands(`=${name}:`, size),
    ]),
  );
  if (reply.kind === 'done') return;
  await rm(start, { force: true });
  if (reply.kind === 'refused' && reply.message.includes('duplicate session')) return;
  const why = reply.kind === 'refused' ? reply.message : 'its server is gone';
  throw new TerminalFailed(`tmux made no pane for ${name}: ${why}`);
}

/**
 * Waits for the launcher's record of the agent's process. A launcher that died without one never had an agent;
 * its pane shows why.
 */
export async function untilStarted(
  name: string,
  directory: PaneDirectory,
  records: Records,
  changes: Changes,
): Promise<ListedPane> {
  const deadline = performance.now() + LAUNCH_LIMIT_MS;
  while (performance.now() < deadline) {
    const pane = await directory.find(name);
    if (!pane) throw new TerminalFailed(`the pane ${name} was ended while it started`);
    const isStarted = () => pane.dead || records.run(name, pane.pid) !== null;
    // Each look at the records is cheap; tmux is asked again only when they stay silent.
    while (!isStarted() && (await changes.next(100)));
    if (!isStarted()) continue;
    records.forgetOthers(name, pane.pid);
    return pane;
  }
  throw new TerminalFailed(
    `the launcher of ${name} did not start its program in ${LAUNCH_LIMIT_MS / 1000} s`,
  );
}
