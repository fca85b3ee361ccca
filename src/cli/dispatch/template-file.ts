// Reads a file of roles. A bundle by itself, because of its parser, which no other command needs; so what is wrong
// with a file is a value, for an error's class would be another one there.
import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import { keysIn } from './placeholders.ts';
import type { Role } from './role.ts';

export interface TemplateFile {
  readonly roles: readonly Role[];
  /** Each with the file and the line. */
  readonly faults: readonly string[];
}

const roleKeys = ['about', 'template', 'defaults'];

/** `taken`: the words that are options of the command, and so cannot be keys. */
export function parseTemplates(text: string, file: string, taken: readonly string[]): TemplateFile {
  const lines = new LineCounter();
  // Everything is text: `default: 1.10` is not a number here.
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  if (document.errors.length > 0) {
    const faults = document.errors.map(
      (error) => `${file}:${error.linePos?.[0].line ?? 1}: ${error.message.split('\n', 1)[0]}`,
    );
    return { roles: [], faults };
  }

  const faults: string[] = [];
  const fault = (at: unknown, what: string) => {
    const offset = (at as Node | null)?.range?.[0];
    faults.push(`${file}:${offset === undefined ? 1 : lines.linePos(offset).line}: ${what}`);
  };
  const resolved = (node: unknown) => (isAlias(node) ? node.resolve(document) : node);

  /** The pairs of a map; anything else is a fault. */
  function pairsOf(node: unknown, at: unknown, name: string): { key: string; pair: Pair }[] {
    const map = resolved(node);
    if (map === null || (isScalar(map) && map.value === '')) return [];
    if (!isMap(map)) {
      fault(at, `${name} needs keys and values`);
      return [];
    }
    return (map as YAMLMap).items.map((pair) => ({ key: wordOf(pair.key), pair }));
  }

  const wordOf = (node: unknown) => (isScalar(node) ? String(node.value) : String(node));

  function textOf({ key, value }: Pair, name: string): string {
    const scalar = resolved(value);
    if (scalar === null) return '';
    if (isScalar(scalar)) return String(scalar.value);
    fault(key, `${name} needs a text`);
    return '';
  }

  function roleOf(name: string, at: Pair): Role {
    let about: string | null = null;
    let template: string | null = null;
    const defaults: Record<string, string> = {};
    const pairs = pairsOf(at.value, at.key, name);
    for (const { key, pair } of pairs) {
      if (key === 'about') about = textOf(pair, `${name}.about`);
      else if (key === 'template') template = textOf(pair, `${name}.template`);
      else if (key === 'defaults') {
        for (const each of pairsOf(pair.value, pair.key, `${name}.defaults`))
          defaults[each.key] = textOf(each.pair, `${name}.defaults.${each.key}`);
      } else fault(pair.key, `unknown key ${name}.${key} (a role has ${roleKeys.join(', ')})`);
    }
    const keyNode = (wanted: string) => pairs.find(({ key }) => key === wanted)?.pair.key ?? at.key;
    if (!template?.trim()) fault(keyNode('template'), `${name} needs a template`);
    const keys = keysIn(template ?? '');
    for (const key of keys.filter((each) => taken.includes(each)))
      fault(keyNode('template'), `${name}: rename {${key}}: --${key} is an option of sm dispatch`);
    for (const key of Object.keys(defaults).filter((each) => !keys.includes(each)))
      fault(keyNode('defaults'), `${name}.defaults: the template has no {${key}}`);
    return { name, about, template: template ?? '', defaults };
  }

  const roles: Role[] = [];
  for (const { key, pair } of pairsOf(document.contents, document.contents, 'the file')) {
    if (key !== 'roles') {
      fault(pair.key, `unknown key ${key} (the file has roles)`);
      continue;
    }
    for (const each of pairsOf(pair.value, pair.key, 'roles')) {
      if (/^[\w][\w.-]*$/.test(each.key)) roles.push(roleOf(each.key, each.pair));
      else
        fault(each.pair.key, `"${each.key}" is not a valid role name: use letters, digits, ".", "-" and "_"`);
    }
  }
  return { roles, faults };
}
