// The user's rules for permissions: those of the configuration, and those that sm has written for him into a file of
// its own. That file is replaced as a whole, or not at all.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseDocument } from 'yaml';
import type { Rule } from '../domain/policy/rule.ts';
import type { Policies } from '../ports/policies.ts';
import type { Config } from './config.ts';
import type { Paths } from './paths.ts';
import { asPolicy, ownPolicies, rulesOf } from './policy-file.ts';
import { replaceFile } from './private-file.ts';
import { ConfigError, parseYaml } from './yaml.ts';

type Files = Pick<Paths, 'config' | 'policies' | 'denials'>;

const heading = ` Rules that sm has written for you. List them with: sm policy
 Take one back with: sm policy remove ID`;

export function openPolicies(config: Pick<Config, 'policies'>, files: Files): Policies {
  const given = config.policies.flatMap((each) => rulesOf(each, `${basename(files.config)}:${each.line}`));
  let own = ownRules(files.policies);
  mark();

  /** Hooks ask before every call only where something is denied. */
  function mark(): void {
    const denies = [...given, ...own].some(({ decision }) => decision === 'deny');
    if (denies) writeFileSync(files.denials, '', { mode: 0o600 });
    else rmSync(files.denials, { force: true });
  }

  /** What a human has changed or noted in the file stays: it is edited, not rewritten. */
  function change(edit: (document: ReturnType<typeof parseDocument>) => void): void {
    const document = parseDocument(textOf(files.policies));
    document.commentBefore ??= heading;
    edit(document);
    replaceFile(files.policies, document.toString());
    own = ownRules(files.policies);
    mark();
  }

  return {
    rules: () => [...given, ...own],
    isOwn: (id) => own.some((each) => each.id === id),
    add(rule, added) {
      change((document) => {
        const entry = document.createNode(asPolicy(rule, added));
        if (document.has('policies')) document.addIn(['policies'], entry);
        else document.set('policies', document.createNode([entry]));
      });
    },
    remove(id) {
      change((document) => {
        const ids = (document.toJS()?.policies ?? []).map((each: { id?: unknown }) => each.id);
        if (ids.includes(id)) document.deleteIn(['policies', ids.indexOf(id)]);
      });
    },
  };
}

/** Those that sm has written; a ConfigError where the file cannot be used. */
export function ownRules(file: string): Rule[] {
  const { data } = parseYaml(ownPolicies, textOf(file), file);
  return data.policies.flatMap((each) => rulesOf(each, each.id));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw new ConfigError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}
