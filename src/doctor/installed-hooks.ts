// The hooks in the user's own settings, which nobody needs for sessions that sm starts.
import { placeOf } from '../installed-hooks/hooks.ts';
import { examineInstallation, install } from '../installed-hooks/installation.ts';
import { SettingsError } from '../installed-hooks/settings-file.ts';
import { editing, type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export function checkInstalledHooks({ paths, config }: Pick<Machine, 'paths' | 'config'>): Finding | null {
  if (!config) return null;
  const name = 'user settings';
  const place = placeOf(paths, config.questions.wait_seconds);
  try {
    const { settings, state, disabled } = examineInstallation(place);
    if (state === 'absent') return ok(name, `no hooks of sm in ${settings}; add them with: sm hooks install`);
    if (state === 'stale')
      return warn(name, `the hooks of sm in ${settings} are out of date`, {
        repair: 'sm hooks install',
        fix: () => {
          install(place);
          return `brought the hooks in ${settings} up to date`;
        },
      });
    if (disabled)
      return warn(name, `"disableAllHooks" is on in ${settings}`, {
        advice: 'No hook runs there, including ours. Turn it off.',
        repair: editing(settings),
      });
    return ok(name, `hooks of sm in ${settings}`);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return warn(name, error.message, {
      advice: 'Sessions that sm starts are not affected.',
      repair: editing(place.settings),
    });
  }
}
