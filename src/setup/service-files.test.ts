import { expect, it } from 'vitest';
import { serviceOf } from '../cli/daemon/service.ts';
import { resolvePaths } from '../daemon/paths.ts';
import { openPlace } from './place.ts';
import { daemonCommand, launchdPlist, systemdUnit } from './service-files.ts';

const env = { HOME: '/home/ann', PATH: '/opt/50% off:/usr/bin', LANG: 'C.UTF-8' };
const place = openPlace(resolvePaths(env, '/opt/a "b" $c & <d>/dist'), '1.0.0', env);
const program = '/opt/a "b" $c & <d>/dist/daemon.cjs';

it('the unit of systemd starts the daemon itself, whatever is in its path', () => {
  const unit = systemdUnit(place);
  expect(unit).toContain('Environment="PATH=/opt/50%% off:/usr/bin"\n');
  expect(unit).toMatch(
    /^ExecStart="[^"]*node" "--max-semi-space-size=4" "\/opt\/a \\"b\\" \$\$c & <d>\/dist\/daemon\.cjs"$/m,
  );
  expect(unit).toContain('KillMode=process\n');
  expect(daemonCommand(place).at(-1)).toBe(program);
});

it('the property list of launchd does the same', () => {
  const plist = launchdPlist(place, 'sm.daemon');
  expect(plist).toContain('<string>/opt/a "b" $c &amp; &lt;d&gt;/dist/daemon.cjs</string>');
  expect(plist).toContain('<key>PATH</key>\n    <string>/opt/50% off:/usr/bin</string>');
  const tags = [...plist.matchAll(/<(\/?)(plist|dict|array|key|string)\b/g)];
  expect(tags.filter(([, slash]) => slash === '').length).toBe(
    tags.filter(([, slash]) => slash === '/').length,
  );
});

it('another state directory has a service of its own', () => {
  const named = (more: Record<string, string>, platform: NodeJS.Platform) =>
    serviceOf({ env: { ...env, ...more }, cwd: '/' }, platform);
  expect(named({}, 'linux')).toMatchObject({
    name: 'sm.service',
    file: '/home/ann/.config/systemd/user/sm.service',
  });
  expect(named({}, 'darwin')?.file).toBe('/home/ann/Library/LaunchAgents/sm.daemon.plist');
  expect(named({ SM_HOME: '/a' }, 'linux')?.name).toMatch(/^sm-[0-9a-f]{8}\.service$/);
  expect(named({ SM_HOME: '/a' }, 'linux')?.name).not.toBe(named({ SM_HOME: '/b' }, 'linux')?.name);
  expect(named({ SM_HOME: '/home/ann/.local/state/sm' }, 'linux')?.name).toBe('sm.service');
  expect(named({}, 'win32')).toBeNull();
});
