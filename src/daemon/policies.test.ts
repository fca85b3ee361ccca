import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parsePattern, type Rule, ruleText } from '../domain/policy/rule.ts';
import { parseConfig } from './config.ts';
import { openPolicies } from './policies.ts';
import { ConfigError } from './yaml.ts';

let root: string;
let files: { config: string; policies: string; denials: string };
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-policies-'));
  files = {
    config: join(root, 'config.yaml'),
    policies: join(root, 'policies.yaml'),
    denials: join(root, 'denials'),
  };
});
afterEach(() => rmSync(root, { recursive: true }));

const open = (config = '') => openPolicies(parseConfig(config, 'config.yaml'), files);
const rule = (id: string, decision: 'allow' | 'deny', text: string, more: Partial<Rule> = {}): Rule => {
  const pattern = parsePattern(text);
  if ('fault' in pattern) throw new Error(pattern.fault);
  return { id, decision, pattern, session: null, profile: null, reason: null, ...more };
};
const shown = (rules: readonly Rule[]) => rules.map((each) => `${each.id}: ${ruleText(each)}`);

const config = `
policies:
  - allow: Bash(npm test)
  # several at once
  - deny: [Bash(git push*), "Edit(.git/**)"]
    session: worker-*
    reason: Ask me first.
`;

it('rules of the configuration are named by their line', () => {
  expect(shown(open(config).rules())).toEqual([
    'config.yaml:3: allow Bash(npm test)',
    'config.yaml:5: deny Bash(git push*) for worker-*',
    'config.yaml:5: deny Edit(.git/**) for worker-*',
  ]);
});

it('a rule that is added is in the file, and there after a restart', () => {
  const policies = open(config);
  policies.add(rule('aaaa1111', 'allow', 'Bash(rm -rf \\*)', { session: '35c21191' }), '2026-11-16');
  policies.add(rule('bbbb2222', 'allow', 'Bash'), '2026-11-16');
  const own = ['aaaa1111: allow Bash(rm -rf \\*) for 35c21191', 'bbbb2222: allow Bash'];
  expect(shown(policies.rules()).slice(3)).toEqual(own);
  expect(shown(open().rules())).toEqual(own);
  expect(statSync(files.policies).mode & 0o777).toBe(0o600);
  expect(existsSync(`${files.policies}.new`)).toBe(false);
});

it('a rule that is removed is gone, and what a human wrote into the file stays', () => {
  const policies = open();
  for (const id of ['a', 'b', 'c']) policies.add(rule(id, 'allow', `Bash(${id})`), 'today');
  writeFileSync(
    files.policies,
    readFileSync(files.policies, 'utf8').replace('- id: c', '# dear to me\n  - id: c'),
  );
  policies.remove('b');
  expect(shown(policies.rules())).toEqual(['a: allow Bash(a)', 'c: allow Bash(c)']);
  expect(readFileSync(files.policies, 'utf8')).toContain('# dear to me');
  policies.remove('a');
  policies.remove('c');
  policies.add(rule('d', 'deny', 'Bash(d)'), 'today');
  expect(shown(open().rules())).toEqual(['d: deny Bash(d)']);
});

it('hooks are to ask before every call exactly while something is denied', () => {
  const policies = open();
  expect(existsSync(files.denials)).toBe(false);
  policies.add(rule('d', 'deny', 'Bash(d)'), 'today');
  expect(existsSync(files.denials)).toBe(true);
  policies.remove('d');
  expect(existsSync(files.denials)).toBe(false);
  open(config);
  expect(existsSync(files.denials)).toBe(true);
});

it('a file that cannot be read stops the daemon, and says where: a denial must not be lost', () => {
  writeFileSync(files.policies, 'policies:\n  - id: a\n    deny: Bash(\n');
  expect(() => open()).toThrow(ConfigError);
  expect(() => open()).toThrow(/policies\.yaml:3: policies\.0\.deny\.0: "Bash\(" is no pattern/);
});

it.each([
  ['- {}', 'config.yaml:2: policies.0: write either allow or deny'],
  ['- { allow: Read, deny: Read }', 'policies.0: write either allow or deny'],
  ['- allow: Read\n    reason: no', 'only a denial has a reason'],
  ['- allow: Bash', 'config.yaml:2: policies.0: this allows every command. Add "yes: true" if you mean it'],
  [
    '- allow: Read\n  - allow: [Read, "Bash(sudo *)"]',
    'config.yaml:3: policies.1: this allows every command',
  ],
  ['- { allow: Read, sesion: x }', 'config.yaml:2: unknown key policies.0.sesion'],
  ['- { allow: 7 }', 'policies.0.allow'],
])('%j in the configuration is refused', (text, fault) => {
  expect(() => open(`policies:\n  ${text}\n`)).toThrow(fault);
});

it('one that allows everything is taken from somebody who says so', () => {
  expect(shown(open('policies:\n  - { allow: Bash, yes: true }\n').rules())).toEqual([
    'config.yaml:2: allow Bash',
  ]);
});

it('the example of the guide is taken as it stands', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/permissions.md'), 'utf8');
  const [, example = ''] = /```yaml\n(policies:[\s\S]*?)```/.exec(guide) ?? [];
  expect(shown(open(example).rules())).toEqual([
    'config.yaml:2: allow Bash(npm test)',
    'config.yaml:2: allow Bash(git status *)',
    'config.yaml:2: allow Edit(src/**)',
    'config.yaml:3: deny Bash(git push*)',
    'config.yaml:5: allow Bash(make *) for build-*',
    'config.yaml:7: allow Bash(npm run *) for profile worker',
  ]);
});
