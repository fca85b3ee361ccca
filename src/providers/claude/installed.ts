// What `sm hooks install` puts into the user's own settings, and how it is known there again. The conditions stand in
// the command itself: a session that is not ours, or that has hooks of its own from its launch, pays for one shell that
// leaves at once. A command of ours never fails, also when its program is gone: to Claude Code that would be a veto.
import { join } from 'node:path';
import { configDir } from './config-dir.ts';
import { type HookGroup, hookGroup, ourHooks, quote } from './hook-programs.ts';

/** Set in every session that was launched with hooks of its own. It marks our commands, too: nobody else has it. */
export const sessionHooksVariable = 'SM_SESSION_HOOKS';

const notOurs = `[ -z "$CLAUDE_SESSION_MANAGER_ID" ] || [ -n "$${sessionHooksVariable}" ]`;

/** Where it goes. */
export const userSettingsPath = (env: NodeJS.ProcessEnv): string => join(configDir(env), 'settings.json');

/** By their event. */
export function installedHooks(directory: string, answerWaitSeconds: number): ReadonlyMap<string, HookGroup> {
  const file = quote(join(directory, 'installed.sh'));
  return new Map(
    ourHooks(answerWaitSeconds).map((hook) => [
      hook.event,
      hookGroup(hook, `${notOurs} || [ ! -r ${file} ] || sh ${file} ${hook.program}`),
    ]),
  );
}

/** The status line that takes the place of the user's own, and shows it in every session. */
export function installedStatusLine(directory: string, userCommand: string | null): string {
  const file = quote(join(directory, 'installed.sh'));
  if (userCommand === null) return `${notOurs} || [ ! -r ${file} ] || sh ${file} status-line.sh`;
  const run = `if ${notOurs} || [ ! -r ${file} ]; then eval "$1"; else sh ${file} status-line.sh "$1"; fi`;
  return `${userPrefix}${quote(userCommand)}\n${run}`;
}

const userPrefix = 'set -- ';

export function isInstalled(command: unknown): command is string {
  return typeof command === 'string' && command.includes(sessionHooksVariable);
}

/** The user's own status line inside of ours. */
export function userCommandIn(installed: string): string | null {
  const quoted = installed.startsWith(userPrefix) ? installed.slice(userPrefix.length) : '';
  const [whole, inner] = /^'((?:[^']|'\\'')*)'\n/.exec(quoted) ?? [];
  return whole === undefined ? null : (inner as string).replaceAll("'\\''", "'");
}
