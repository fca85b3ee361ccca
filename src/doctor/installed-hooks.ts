// The hooks in the user's own settings, which nobody needs for sessions that sm starts.
import type { Paths } from '../daemon/paths.ts';
import { placeOf } from '../installed-hooks/hooks.ts';
import { examineInstallation } from '../installed-hooks/installation.ts';
import { SettingsError } from '../installed-hooks/settings-file.ts';
import { type Finding, ok, warn } from './check.ts';

export function checkInstalledHooks(paths: Paths, answerWaitSeconds: number): Finding {
  const name = 'user settings';
  try {
    const { settings, state, disabled } = examineInstallation(placeOf(paths, answerWaitSeconds));
    if (state === 'absent') return ok(name, `no hooks of sm in ${settings}; add them with: sm hooks install`);
    if (state === 'stale')
      return warn(name, `the hooks of sm in ${settings} are out of date`, 'Run: sm hooks install');
    if (disabled)
      return warn(
        name,
        `"disableAllHooks" is on in ${settings}`,
        'No hook runs there, including ours. Turn it off.',
      );
    return ok(name, `hooks of sm in ${settings}`);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return warn(name, error.message, 'Sessions that sm starts are not affected.');
  }
}
