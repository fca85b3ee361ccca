// The environment of an agent: its spawner's, without what belongs to another terminal or another agent, plus ours.

import { delimiter } from 'node:path';
import type { SessionId } from '../domain/core/names.ts';
import { foreignVariables } from '../providers/cards.ts';
import { configVariable, type Paths } from './paths.ts';

const ours = ['CLAUDE_SESSION_MANAGER_ID', 'SM_.*', 'NODE_CHANNEL_FD'];

const shed = new RegExp(`^(${[...ours, ...foreignVariables].join('|')})$`);

const foreign = new RegExp(`^(${foreignVariables.join('|')})$`);

/** For the daemon itself: its tmux server, and the shells that a human opens there, run inside of no agent. */
export function shedForeign(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(env)) if (foreign.test(name)) delete env[name];
}

export function cleanEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !shed.test(pair[0]),
    ),
  );
}

/** What any login has, and what a program needs to reach the desktop. Whatever else the daemon was started with is not theirs. */
const ofLogin =
  /^(HOME|USER|LOGNAME|SHELL|PATH|TZ|TMPDIR|LANG|LC_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|XDG_.*)$/;

/** For programs of the user's that we run: `sm` in them reaches this daemon, as the person. */
export function programEnvironment(
  paths: Paths,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const login = Object.entries(env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && ofLogin.test(pair[0]),
  );
  const { PATH = '/usr/local/bin:/usr/bin:/bin', ...rest } = Object.fromEntries(login);
  return {
    ...rest,
    PATH: `${paths.bin}${delimiter}${PATH}`,
    SM_HOME: paths.home,
    ...configVariable(paths),
  };
}

export function agentEnvironment(
  paths: Paths,
  id: SessionId,
  key: string,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const clean = cleanEnvironment(env);
  const path = clean.PATH ?? '/usr/local/bin:/usr/bin:/bin';
  return {
    ...clean,
    PATH: path.split(delimiter).includes(paths.bin) ? path : `${paths.bin}${delimiter}${path}`,
    CLAUDE_SESSION_MANAGER_ID: id,
    // No KEY, SECRET or TOKEN in its name: Codex may keep such a variable from its shell.
    SM_CALLER: key,
    SM_HOME: paths.home,
    ...configVariable(paths),
  };
}
