// `sm uninstall`: takes back what setup did, and the hooks, and stops the daemon. The data stays.
import { existsSync, rmdirSync } from 'node:fs';
import { readConfig } from '../daemon/config.ts';
import { placeOf } from '../installed-hooks/hooks.ts';
import { uninstall as removeHooks } from '../installed-hooks/installation.ts';
import { type PartName, partNames } from '../ledger/ledger.ts';
import type { Dialog } from './dialog.ts';
import { ownCommand, type Place, runCommand, shown } from './place.ts';
import { takeBack } from './undo.ts';

export interface UninstallOptions {
  /** Empty: everything. */
  readonly parts: readonly PartName[];
  readonly kill: boolean;
}

/** Answers the exit code. */
export async function runUninstall(place: Place, options: UninstallOptions, dialog: Dialog): Promise<number> {
  dialog.title('sm uninstall');
  if (options.parts.length > 0) {
    const whole = await takeBack(place, options.parts, dialog.say);
    dialog.end(whole ? 'Done.' : 'Not all of it could be taken back; see above.');
    return whole ? 0 : 1;
  }
  const sure = await dialog.ask('Take back everything that sm setup did? Your data stays.', true);
  if (!sure) {
    dialog.end('Nothing was changed.');
    return 1;
  }
  if (!(await endAgents(place, options.kill, dialog))) return 1;
  const whole = await takeBack(place, partNames, dialog.say);
  takeHooksBack(place, dialog);
  const { code, output } = await runCommand(place, ownCommand(place, 'down'));
  dialog.say(output);
  removeIfEmpty(place.paths.home);
  if (existsSync(place.paths.home))
    dialog.say(
      `Kept your data in ${shown(place, place.paths.home)}. To remove it: rm -r ${shown(place, place.paths.home)}`,
    );
  if (existsSync(place.paths.config))
    dialog.say(`Kept your configuration, ${shown(place, place.paths.config)}`);
  const done = whole && code === 0;
  dialog.end(
    done
      ? 'Last step, for the program itself: npm uninstall -g sm'
      : 'Not all of it could be taken back; see above.',
  );
  return done ? 0 : 1;
}

/** An agent without its manager is not what anybody wants; nor is one that is ended without asking. */
async function endAgents(place: Place, kill: boolean, dialog: Dialog): Promise<boolean> {
  const running = await runningSessions(place);
  if (running.length === 0) return true;
  const names = running.map(({ name, id }) => `${name} (${id})`).join(', ');
  const several = running.length > 1;
  const count = several ? `${running.length} agents are` : 'One agent is';
  if (!kill && !(await dialog.ask(`${count} running: ${names}. End ${several ? 'them' : 'it'}?`, false))) {
    dialog.end(
      `${count} running: ${names}. End ${several ? 'them' : 'it'} first: sm kill ${running.map(({ id }) => id).join(' ')}, or sm uninstall --kill`,
    );
    return false;
  }
  const { code, output } = await runCommand(place, ownCommand(place, 'kill', ...running.map(({ id }) => id)));
  dialog.say(output);
  return code === 0;
}

async function runningSessions(place: Place): Promise<{ id: string; name: string }[]> {
  // Where there has never been a daemon, none is started to be asked.
  if (!existsSync(place.paths.database)) return [];
  const { code, output } = await runCommand(place, ownCommand(place, 'all', '--json'));
  if (code !== 0) throw new Error(`Cannot see which agents run: ${output}`);
  const { sessions } = JSON.parse(output) as {
    sessions: { id: string; display_name: string; phase: string }[];
  };
  return sessions
    .filter(({ phase }) => phase !== 'exited' && phase !== 'lost')
    .map(({ id, display_name: name }) => ({ id, name }));
}

function takeHooksBack({ paths }: Place, dialog: Dialog): void {
  try {
    const place = placeOf(paths, readConfig(paths).questions.wait_seconds);
    if (removeHooks(place)) dialog.say(`Removed the hooks of sm from ${place.settings}`);
  } catch (error) {
    dialog.say(`Could not look for hooks of sm in your settings: ${(error as Error).message}`);
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not there, or there is data in it.
  }
}
