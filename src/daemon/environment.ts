// The environment of an agent: its spawner's, without what belongs to another terminal or another agent, plus ours.

import { delimiter } from 'node:path';
import type { SessionId } from '../domain/core/names.ts';
import { configVariable, type Paths } from './paths.ts';

/**
 * What an agent sets for its children, and what would make the new one believe that it runs inside the old one.
 * Other variables of the same family are the user's own settings and stay.
 */
const shed =
  /^(TMUX|TMUX_.*|TERM_PROGRAM.*|CLAUDECODE|CLAUDE_CODE_(ENTRYPOINT|EXECPATH|SSE_PORT|CHILD_SESSION|SESSION_.*|MESSAGING_.*)|CLAUDE_SESSION_MANAGER_ID|CLAUDE_PID|AI_AGENT|CODEX_(CI|SESSION_ID|THREAD_ID|TOOL_CALL_ID|VERSION|SANDBOX.*|APPLY_PATCH_.*)|SM_.*|NODE_CHANNEL_FD)$/;

export function cleanEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !shed.test(pair[0]),
    ),
  );
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
