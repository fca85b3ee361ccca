// The service: the daemon starts at boot and lives through a logout. The agents are not ended with it.
import { type Service, serviceOf } from '../../cli/daemon/service.ts';
import { stateAt } from '../changes.ts';
import type { Part, Plan } from '../part.ts';
import { hasProgram, ownCommand, type Place, runCommand, shown } from '../place.ts';
import { launchdPlist, systemdUnit } from '../service-files.ts';

export const service: Part = { name: 'service', plan };

function plan(place: Place): Plan | Promise<Plan> {
  const service = serviceOf({ env: place.env, cwd: process.cwd() }, place.platform);
  if (!service) return { state: 'not here', why: `sm knows no service manager of ${place.platform}` };
  return place.platform === 'darwin' ? planLaunchd(place, service) : planSystemd(place, service);
}

async function planSystemd(place: Place, { name, file: path }: Service): Promise<Plan> {
  const systemctl = (...args: string[]) => ['systemctl', '--user', ...args];
  if (!hasProgram(place, 'systemctl') || (await runCommand(place, systemctl('show-environment'))).code !== 0)
    return { state: 'not here', why: 'no systemd runs for your user here; any sm command starts the daemon' };
  const text = systemdUnit(place);
  const now = stateAt(place, path);
  if (now.text !== null && now.text !== text && !now.ours) return foreign(place, path);
  const enabled = (await runCommand(place, systemctl('is-enabled', name))).code === 0;
  const lingers = (
    await runCommand(place, ['loginctl', 'show-user', userId(), '--property=Linger', '--value'])
  ).output;
  if (now.text === text && enabled && lingers !== 'no')
    return { state: 'there', what: `the service ${name} starts at boot` };
  return {
    state: 'offered',
    question: 'Start the daemon at boot, and keep agents running when you log out?',
    unasked: true,
    changes: [
      // Taken back last: when the unit is gone.
      { do: 'undo', undo: systemctl('daemon-reload') },
      { do: 'write', path, text },
      { do: 'run', command: systemctl('daemon-reload') },
      { do: 'run', command: systemctl('enable', name), undo: systemctl('disable', name) },
      // One that runs already holds the place; the agents go on meanwhile.
      { do: 'run', command: ownCommand(place, 'down') },
      { do: 'run', command: systemctl('restart', name), undo: systemctl('stop', name) },
      ...(lingers === 'no'
        ? [
            {
              do: 'run' as const,
              command: ['loginctl', 'enable-linger'],
              undo: ['loginctl', 'disable-linger'],
            },
          ]
        : []),
    ],
  };
}

async function planLaunchd(place: Place, { name, file: path }: Service): Promise<Plan> {
  const text = launchdPlist(place, name);
  const domain = `gui/${userId()}`;
  const now = stateAt(place, path);
  if (now.text !== null && now.text !== text && !now.ours) return foreign(place, path);
  const loaded = (await runCommand(place, ['launchctl', 'print', `${domain}/${name}`])).code === 0;
  if (now.text === text && loaded) return { state: 'there', what: `launchd starts ${name} at login` };
  const unload = ['launchctl', 'bootout', `${domain}/${name}`];
  return {
    state: 'offered',
    question: 'Start the daemon when you log in?',
    unasked: true,
    changes: [
      { do: 'write', path, text },
      ...(loaded ? [{ do: 'run' as const, command: unload }] : []),
      { do: 'run', command: ownCommand(place, 'down') },
      { do: 'run', command: ['launchctl', 'bootstrap', domain, path], undo: unload },
    ],
  };
}

const foreign = (place: Place, path: string): Plan => ({
  state: 'not here',
  why: `${shown(place, path)} is not from sm setup, and stays as it is`,
});

const userId = (): string => String(process.getuid?.() ?? 0);
