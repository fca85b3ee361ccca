// A role: the text that makes a worker of a session, with places to fill in.
import { Failure } from '../failure.ts';
import { nearest } from '../nearest.ts';
import { fill, keysIn } from './placeholders.ts';

export interface Role {
  readonly name: string;
  /** One line on what it is for. */
  readonly about: string | null;
  readonly template: string;
  /** The values of keys that need not be given. */
  readonly defaults: Readonly<Record<string, string>>;
}

export interface RoleKey {
  readonly name: string;
  /** Null: it must be given. */
  readonly default: string | null;
}

export function keysOf({ template, defaults }: Role): RoleKey[] {
  return keysIn(template).map((name) => ({
    name,
    default: Object.hasOwn(defaults, name) ? (defaults[name] as string) : null,
  }));
}

/** The text to send; whatever is wrong with the values is said at once. */
export function filledTemplate(role: Role, given: ReadonlyMap<string, string>): string {
  const keys = keysOf(role);
  const names = keys.map(({ name }) => name);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  const missing = keys.filter(
    ({ name, default: otherwise }) => otherwise === null && !given.get(name)?.trim(),
  );
  const faults = [
    ...unknown.map((name) => `Role ${role.name} has no key --${name}.${hint(name, names)}`),
    ...missing.map(({ name }) => (given.has(name) ? `--${name} is empty.` : `Missing key --${name} "TEXT".`)),
  ];
  if (faults.length > 0)
    throw new Failure(`${faults.join('\n')}\nThe keys of ${role.name}: ${keyWords(keys) || 'none'}`);
  const values = new Map(
    keys.map(({ name, default: otherwise }) => [name, given.get(name) ?? otherwise ?? '']),
  );
  return fill(role.template, values).trimEnd();
}

/** `--task, [--checks]`: those in brackets need not be given. */
export function keyWords(keys: readonly RoleKey[]): string {
  return keys
    .map(({ name, default: otherwise }) => (otherwise === null ? `--${name}` : `[--${name}]`))
    .join(', ');
}

function hint(name: string, names: readonly string[]): string {
  const guess = nearest(name, names);
  return guess === undefined ? '' : ` Did you mean --${guess}?`;
}
