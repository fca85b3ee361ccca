// The user's rules for permissions: those of the configuration, and those that sm has written for him into a file of
// its own. That file is replaced as a whole, or not at all.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { patternText, type Rule } from '../domain/policy/rule.ts';
import { type Config, readPolicies } from './config.ts';
import type { Paths } from './paths.ts';

export interface Policies {
  rules(): readonly Rule[];
  add(rule: Rule): void;
  /** The rule that was there; undefined: none of this id is in our own file. */
  remove(id: string): Rule | undefined;
}

type Files = Pick<Paths, 'config' | 'policies' | 'denials'>;

export function openPolicies(config: Config, files: Files): Policies {
  const given = config.policies.flatMap(({ line, rules }) => rules(`${basename(files.config)}:${line}`));
  let own: readonly Rule[] = read(files);
  mark();

  /** Hooks ask before every call only where something is denied. */
  function mark(): void {
    if ([...given, ...own].some(({ decision }) => decision === 'deny')) writeFileSync(files.denials, '', { mode: 0o600 });
    else rmSync(files.denials, { force: true });
  }

  /** Read again before it is written: a human may have changed it meanwhile. */
  function change(next: (rules: readonly Rule[]) => readonly Rule[]): void {
    const rules = next(read(files));
    write(files.policies, rules);
    own = rules;
    mark();
  }

  return {
    rules: () => [...given, ...own],
    add: (rule) => change((rules) => [...rules, rule]),
    remove(id) {
      const found = own.find((each) => each.id === id);
      if (found) change((rules) => rules.filter((each) => each.id !== id));
      return found;
    },
  };
}
