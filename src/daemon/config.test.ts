import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { ConfigError } from './yaml.ts';

const faultsIn = (text: string): string => {
  try {
    parseConfig(text, 'config.yaml');
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
};

describe('the configuration', () => {
  it('has a default for every key', () => {
    const empty = parseConfig('', 'config.yaml');
    expect(empty).toMatchObject({
      server: { host: '127.0.0.1', port: 8420, auth: 'token' },
      claude: { command: 'claude', args: [], default_model: null },
    });
    expect(parseConfig('# only a comment\n', 'config.yaml')).toEqual(empty);
    expect(parseConfig('server:\n  port: 9000\n', 'config.yaml')).toEqual({
      ...empty,
      server: { ...empty.server, port: 9000 },
    });
  });

  it('has a section for each kind of agent; one that ships with sm takes only arguments', () => {
    const agent = (command: string) => ({ command, args: [], env: {}, default_model: null });
    expect(parseConfig('', 'config.yaml')).toMatchObject({
      claude: agent('claude'),
      codex: agent('codex'),
      codex_app: agent('codex'),
      scripted: { args: [] },
    });
    expect(faultsIn('scripted: { command: x }\n')).toBe('config.yaml:1: unknown key scripted.command');
  });

  it.each([
    ['an unknown key', 'server: { port: 1 }\nclaud: {}\n', /^config\.yaml:2: unknown key claud$/],
    [
      'an unknown key inside',
      'server:\n  port: 1\n  prot: 2\n',
      /^config\.yaml:3: unknown key server\.prot$/,
    ],
    ['a wrong type', 'server:\n  port: many\n', /^config\.yaml:2: server\.port: /],
    ['a value out of range', 'server:\n\n  port: 70000\n', /^config\.yaml:3: server\.port: /],
    ['broken YAML', 'server: [\n', /^config\.yaml:\d+: /],
    ['a list instead of keys', '- a\n- b\n', /^config\.yaml:1: the file: /],
    [
      'a server for the whole network without TLS',
      'server: { host: 0.0.0.0 }\n',
      /^config\.yaml:1: server\.host: is not loopback: set server\.tls/,
    ],
    [
      'one without sign-in that others reach',
      'server: { url: "https://sm.example.com", auth: none }\n',
      /^config\.yaml:1: server\.auth: none is for loopback only/,
    ],
    [
      'open hooks that others reach',
      'server: { host: 0.0.0.0, behind_proxy: true, open_hooks: true }\n',
      /^config\.yaml:1: server\.open_hooks: is for loopback only/,
    ],
    [
      'an address that is none',
      'server:\n  url: sm.example.com\n',
      /^config\.yaml:2: server\.url: must be a URL/,
    ],
  ])('names %s with its line', (_, text, message) => {
    expect(faultsIn(text)).toMatch(message);
  });

  it('turns automatic reminders off with false or 0', () => {
    const auto = (value: string) =>
      parseConfig(`dispatch: { auto_remind: ${value} }`, 'config.yaml').dispatch.auto_remind;
    expect(auto('{}')).toEqual({ soft_threshold_seconds: 210, hard_threshold_seconds: 420 });
    for (const off of ['false', '0', '{ soft_threshold_seconds: 0 }']) expect(auto(off)).toBeNull();
    expect(faultsIn('dispatch:\n  auto_remind:\n    soft_treshold_seconds: 9\n')).toBe(
      'config.yaml:3: unknown key dispatch.auto_remind.soft_treshold_seconds',
    );
    expect(faultsIn('dispatch:\n  auto_remind: { soft_threshold_seconds: 500 }\n')).toMatch(
      /^config\.yaml:2: dispatch\.auto_remind: hard_threshold_seconds must be above/,
    );
  });

  it('names the line of an alias that stands for nothing', () => {
    expect(faultsIn('server: { port: 8420 }\nclaude: *nothing\n')).toMatch(/:2: .*nothing/);
  });

  it('names all faults at once', () => {
    expect(faultsIn('server: { port: x }\nclaude: { comand: y }\n').split('\n')).toHaveLength(2);
  });
});

describe('profiles', () => {
  const faults = (text: string) => {
    try {
      parseConfig(text, 'c.yaml');
      return 'none';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('have a default for every key, and know the home directory', () => {
    const { profiles } = parseConfig(
      'profiles:\n  night: { agent: codex, account: ~/work, env: { A: "1" } }\n  any: {}\n',
      'c.yaml',
    );
    expect(profiles.night).toMatchObject({
      agent: 'codex',
      account: join(homedir(), 'work'),
      worktree: false,
    });
    expect(profiles.any).toMatchObject({ agent: null, model: null, args: [], env: {} });
  });

  it('are wrong by line: an unknown key or agent, a mode of another agent, a path that begins nowhere', () => {
    expect(faults('profiles:\n  a:\n    modle: x')).toBe('c.yaml:3: unknown key profiles.a.modle');
    expect(faults('profiles:\n  a:\n    agent: clod')).toMatch(/^c\.yaml:3: profiles\.a\.agent: /);
    expect(faults('profiles:\n  a:\n    agent: codex\n    permission_mode: plan')).toBe(
      'c.yaml:4: profiles.a.permission_mode: codex has no "plan" (it has read-only, auto, full-access)',
    );
    expect(faults('profiles:\n  a:\n    account: ~/x')).toContain(
      'c.yaml:3: profiles.a.account: needs "agent"',
    );
    expect(faults('profiles:\n  a:\n    agent: claude\n    add_dirs:\n      - /x\n      - y')).toMatch(
      /^c\.yaml:6: profiles\.a\.add_dirs\.1: must be an absolute path/,
    );
    expect(faults('profiles:\n  "a b": {}')).toMatch(/^c\.yaml:2: profiles\.a b: .*name/);
  });
});
