// `sm hooks install|status|uninstall`: for sessions of Claude Code that sm has not started.
import { readConfig } from '../daemon/config.ts';
import type { Paths } from '../daemon/paths.ts';
import { userSettingsPath } from '../providers/claude/installed.ts';
import { examineInstallation, type Installation, install, type Place, uninstall } from './installation.ts';
import { SettingsError } from './settings-file.ts';

export function placeOf(paths: Paths, answerWaitSeconds: number): Place {
  return { paths, settings: userSettingsPath(process.env), answerWaitSeconds };
}

/** Answers the exit code. */
export function runHooks(paths: Paths, action: string, { json }: { json: boolean }): number {
  try {
    const place = placeOf(paths, readConfig(paths).questions.wait_seconds);
    const changed = act(place, action);
    const found = examineInstallation(place);
    if (json)
      console.log(JSON.stringify({ ...(changed === null ? {} : { changed }), ...view(found) }, null, 2));
    else for (const line of told(action, changed, found)) console.log(line);
    return 0;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(`Error: ${error.message}`);
    return 1;
  }
}

function act(place: Place, action: string): boolean | null {
  if (action === 'install') return install(place);
  return action === 'uninstall' ? uninstall(place) : null;
}

function view({ settings, state, hooks, statusLine, programs, disabled }: Installation) {
  return {
    settings,
    state,
    hooks: [...hooks].map(([event, each]) => ({ event, state: each })),
    status_line: statusLine,
    programs,
    all_hooks_disabled: disabled,
  };
}

function told(action: string, changed: boolean | null, found: Installation): string[] {
  const { settings } = found;
  if (action === 'uninstall')
    return [changed ? `Removed the hooks of sm from ${settings}` : `No hooks of sm in ${settings}`];
  if (action === 'status') return [...statusLines(found), ...hints(found)];
  const done = changed
    ? `Installed the hooks of sm in ${settings}`
    : `The hooks of sm are already in ${settings}`;
  const since =
    'sm follows new Claude Code sessions that have CLAUDE_SESSION_MANAGER_ID, even if it did not start them.';
  return [done, ...(changed ? [since] : []), ...hints(found)];
}

function statusLines({ settings, state, hooks, statusLine, programs }: Installation): string[] {
  const words = {
    installed: 'installed',
    stale: 'installed, but out of date',
    absent: 'not installed',
  };
  const rows = [...hooks, ['status line', statusLine], ['programs', programs]] as const;
  const width = Math.max(...rows.map(([name]) => name.length));
  return [`${settings}: ${words[state]}`, ...rows.map(([name, each]) => `  ${name.padEnd(width)}  ${each}`)];
}

function hints({ state, disabled }: Installation): string[] {
  return [
    ...(state === 'stale' ? ['Update them with: sm hooks install'] : []),
    ...(state === 'absent' ? ['Install them with: sm hooks install'] : []),
    ...(disabled && state !== 'absent' ? ['"disableAllHooks" is on there, so no hook runs at all.'] : []),
  ];
}
