// What the service managers read: a unit for systemd, a property list for launchd. Both start the daemon itself, as a
// command does.
import { join } from 'node:path';
import { nodeOptions } from '../cli/daemon/start.ts';
import { resolvePaths } from '../daemon/paths.ts';
import type { Place } from './place.ts';

export const daemonCommand = ({ paths }: Place): string[] => [
  process.execPath,
  ...nodeOptions,
  join(paths.dist, 'daemon.cjs'),
];

/** What a login has and a service manager does not know: where programs and the state are. */
function environment({ env, paths }: Place): [string, string][] {
  const usual = resolvePaths({ ...env, SM_HOME: undefined, SM_CONFIG: undefined }, paths.dist);
  const all: [string, string | undefined][] = [
    ['PATH', env.PATH || '/usr/local/bin:/usr/bin:/bin'],
    ['LANG', env.LANG],
    ['SM_HOME', paths.home === usual.home ? undefined : paths.home],
    ['SM_CONFIG', paths.config === usual.config ? undefined : paths.config],
  ];
  return all.filter((pair): pair is [string, string] => Boolean(pair[1]));
}

export function systemdUnit(place: Place): string {
  return `[Unit]
Description=sm, the session manager for coding agents
Documentation=man:sm(1)

[Service]
Type=exec
${environment(place)
  .map(([name, value]) => `Environment=${unitWord(`${name}=${value}`)}`)
  .join('\n')}
ExecStart=${daemonCommand(place)
    .map((word) => unitWord(word).replaceAll('$', '$$$$'))
    .join(' ')}
# Another daemon serves this state directory already.
SuccessExitStatus=75
Restart=on-failure
# The agents live on when the daemon stops.
KillMode=process

[Install]
WantedBy=default.target
`;
}

/** As systemd reads it back: `%` has a meaning even in quotes. */
const unitWord = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%')}"`;

export function launchdPlist(place: Place, name: string): string {
  const strings = (words: readonly string[]) =>
    words.map((word) => `    <string>${xml(word)}</string>`).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xml(name)}</string>
  <key>ProgramArguments</key>
  <array>
${strings(daemonCommand(place))}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${environment(place)
  .map(([name, value]) => `    <key>${name}</key>\n    <string>${xml(value)}</string>`)
  .join('\n')}
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>Crashed</key>
    <true/>
  </dict>
  <key>AbandonProcessGroup</key>
  <true/>
</dict>
</plist>
`;
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
