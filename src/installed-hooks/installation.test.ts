import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolvePaths } from '../daemon/paths.ts';
import { ourHooks } from '../providers/claude/hook-programs.ts';
import { examineInstallation, install, type Place, uninstall } from './installation.ts';
import { refreshPrograms } from './programs.ts';
import { SettingsError } from './settings-file.ts';

let root: string;
let file: string;
let place: Place;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-installed-'));
  file = join(root, 'claude', 'settings.json');
  mkdirSync(join(root, 'claude'));
  const paths = resolvePaths({ SM_HOME: join(root, 'state') }, join(import.meta.dirname, '../../dist'));
  place = { paths, settings: file, answerWaitSeconds: 60 };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const read = () => readFileSync(file, 'utf8');
const state = () => examineInstallation(place).state;

const own = `{
   "model" : "opus",
   "permissions": {"allow": ["Bash(ls:*)",  "Read"]},

   "hooks": { "Stop": [ { "hooks": [{"type": "command", "command": "say done"}] } ], "PreCompact": [] },
   "statusLine": {"type": "command", "command": "echo 'it is' \\"$(date)\\"", "padding": 2}
}`;

describe('hooks in the settings of the user', () => {
  it.each([
    ['own settings', own],
    ['nothing but braces', '{ }'],
    ['a mark of its encoding, and other line ends', '\ufeff{\r\n  "a": 1\r\n}\r\n'],
  ])('are put in and taken out again to the byte: %s', (_, before) => {
    writeFileSync(file, before);
    chmodSync(file, 0o640);
    expect(state()).toBe('absent');
    expect(install(place)).toBe(true);
    expect(state()).toBe('installed');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(uninstall(place)).toBe(true);
    expect(read()).toBe(before);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(root, 'claude'))).toEqual(['settings.json']);
    expect(existsSync(place.paths.installedHooks)).toBe(false);
  });

  it('make a file where there is none, which goes with them', () => {
    rmSync(join(root, 'claude'), { recursive: true });
    expect(state()).toBe('absent');
    expect(uninstall(place)).toBe(false);
    install(place);
    expect(Object.keys(JSON.parse(read()))).toEqual(['hooks', 'statusLine']);
    expect(uninstall(place)).toBe(true);
    expect(existsSync(file)).toBe(false);
  });

  it('are there once, however often they are installed', () => {
    writeFileSync(file, own);
    install(place);
    const [text, { mtimeNs, ino }] = [read(), statSync(file, { bigint: true })];
    expect(install(place)).toBe(false);
    expect(read()).toBe(text);
    expect(statSync(file, { bigint: true })).toMatchObject({ mtimeNs, ino });
    uninstall(place);
    expect(uninstall(place)).toBe(false);
    expect(read()).toBe(own);
  });

  it('leave what the user has changed since', () => {
    writeFileSync(file, own);
    install(place);
    writeFileSync(file, read().replace('"opus"', '"sonnet"'));
    expect(state()).toBe('installed');
    expect(install(place)).toBe(false);
    expect(uninstall(place)).toBe(true);
    expect(read()).toBe(own.replace('"opus"', '"sonnet"'));
  });

  it('are brought up to date, and can still be taken out to the byte', () => {
    writeFileSync(file, own);
    install({ ...place, answerWaitSeconds: 5 });
    expect(state()).toBe('stale');
    expect(install(place)).toBe(true);
    expect(state()).toBe('installed');
    uninstall(place);
    expect(read()).toBe(own);
  });

  it('of another state directory are taken over', () => {
    writeFileSync(file, own);
    install(place);
    const paths = resolvePaths({ SM_HOME: join(root, 'other') }, place.paths.dist);
    const other = { ...place, paths };
    expect(examineInstallation(other).state).toBe('stale');
    install(other);
    expect(examineInstallation(other).state).toBe('installed');
    expect(read()).not.toContain(place.paths.installedHooks);
    uninstall(other);
    expect(JSON.parse(read())).toMatchObject(JSON.parse(own.replace(', "PreCompact": []', '')));
  });

  it('run copies of the programs, which an update of the package refreshes', () => {
    install(place);
    for (const { program } of ourHooks(5))
      expect(readdirSync(place.paths.installedHooks)).toContain(program.split(' ')[0]);
    const copy = join(place.paths.installedHooks, 'hook.sh');
    writeFileSync(copy, 'old');
    expect(examineInstallation(place)).toMatchObject({ state: 'stale', programs: 'stale' });
    refreshPrograms(place.paths);
    expect(readFileSync(copy, 'utf8')).toBe(readFileSync(join(place.paths.hooks, 'hook.sh'), 'utf8'));
    expect(state()).toBe('installed');
    uninstall(place);
    refreshPrograms(place.paths);
    expect(existsSync(place.paths.installedHooks)).toBe(false);
  });

  it('are told apart from those of other settings files, which share the programs', () => {
    const second = { ...place, settings: join(root, 'second', 'settings.json') };
    install(place);
    install(second);
    uninstall(second);
    expect(state()).toBe('installed');
    expect(existsSync(second.settings)).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)('leave the file to its owner, also when root installs them', () => {
    writeFileSync(file, own);
    chownSync(file, 12345, 12346);
    install(place);
    expect(statSync(file)).toMatchObject({ uid: 12345, gid: 12346 });
  });

  it('go through a link to the file behind it', () => {
    const target = join(root, 'dotfiles.json');
    writeFileSync(target, own);
    symlinkSync(target, file);
    install(place);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('SM_SESSION_HOOKS');
    uninstall(place);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(own);
  });
});

describe('settings that cannot be changed', () => {
  const refused = (action: (place: Place) => unknown, message: string | RegExp) => {
    expect(() => action(place)).toThrow(SettingsError);
    expect(() => action(place)).toThrow(message);
    expect(existsSync(place.paths.installedHooks)).toBe(false);
  };

  it.each([
    ['broken', '{\n  "a": 1\n  "b": 2\n}', ':3: , or } is expected.'],
    ['with comments', '{\n  // mine\n  "a": 1\n}', ':2: JSON allows no comments'],
    ['empty', '', ':1: the file ends where a value is expected.'],
    ['of another shape', '{\n"hooks": [] }', ':2: "hooks" is not an object.'],
  ])('are named with the line, and left as they are: %s', (_, text, message) => {
    writeFileSync(file, text);
    for (const action of [install, uninstall, examineInstallation]) {
      refused(action, `${file}${message}`);
      expect(read()).toBe(text);
    }
  });

  it('because they are read-only, or not UTF-8, or behind a link to nothing', () => {
    writeFileSync(file, own);
    chmodSync(file, 0o444);
    refused(install, `${file} is read-only`);
    expect(read()).toBe(own);
    chmodSync(file, 0o644);
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    refused(install, `${file} is not UTF-8`);
    rmSync(file);
    symlinkSync(join(root, 'nothing'), file);
    refused(install, `${file} is a link to a missing file`);
  });

  it('because there is no room for another file beside them', () => {
    rmSync(join(root, 'claude'), { recursive: true });
    writeFileSync(join(root, 'claude'), 'a file where the directory should be');
    refused(install, /Cannot (read|write) .*settings\.json/);
  });
});
