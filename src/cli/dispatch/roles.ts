// Where roles come from: files of the workspace, from the caller's directory up to the root of its repository; the
// user's own file, beside the configuration; and those that are built in. The first that has a role wins.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { nearest } from '../nearest.ts';
import { builtInRoles } from './built-in.ts';
import type { Role } from './role.ts';

export interface FoundRole extends Role {
  /** The file that it comes from, or `built-in`. */
  readonly from: string;
}

const fileName = 'dispatch_templates.yaml';
type Place = Pick<Io, 'env' | 'cwd'>;

export function templateFiles(place: Place): string[] {
  return [
    ...workspaceDirectories(place.cwd).map((directory) => join(directory, '.sm', fileName)),
    userFile(place),
  ];
}

/** Outside of a repository there is nothing to end the way up, so only the directory itself counts. */
function workspaceDirectories(cwd: string): string[] {
  const upwards: string[] = [];
  for (let directory = resolve(cwd); ; directory = dirname(directory)) {
    upwards.push(directory);
    if (existsSync(join(directory, '.git'))) return upwards;
    if (directory === dirname(directory)) return [resolve(cwd)];
  }
}

function userFile({ env, cwd }: Place): string {
  if (env.SM_CONFIG) {
    const config = resolve(cwd, env.SM_CONFIG);
    if (!existsSync(config))
      throw new Failure(
        `SM_CONFIG points to ${config}, which does not exist. Correct it, or unset it to use the defaults.`,
      );
    return join(dirname(config), fileName);
  }
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'sm', fileName);
}

/** The files behind the one that has it are not read: what is wrong with them is no matter of this role. */
export async function findRole(place: Place, name: string, taken: readonly string[]): Promise<FoundRole> {
  const names: string[] = [];
  for await (const roles of sources(place, taken)) {
    const found = roles.find((role) => role.name === name);
    if (found) return found;
    names.push(...roles.map((role) => role.name));
  }
  throw noRole(`Unknown role "${name}".`, name, names);
}

/** Every role that can be asked for, each from where it is taken. */
export async function allRoles(place: Place, taken: readonly string[]): Promise<FoundRole[]> {
  const found = new Map<string, FoundRole>();
  for await (const roles of sources(place, taken))
    for (const role of roles) if (!found.has(role.name)) found.set(role.name, role);
  return [...found.values()];
}

export function noRole(what: string, name: string | undefined, names: readonly string[]): Failure {
  const guess = name === undefined ? undefined : nearest(name, names);
  const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
  return new Failure(
    `${what}${hint} Known roles: ${[...new Set(names)].join(', ')}. See: sm dispatch --list`,
  );
}

async function* sources(place: Place, taken: readonly string[]): AsyncGenerator<FoundRole[]> {
  for (const file of templateFiles(place)) {
    const text = textOf(file);
    if (text === undefined) continue;
    const { parseTemplates } = await import('./template-file.ts');
    const { roles, faults } = parseTemplates(text, file, taken);
    if (faults.length > 0) throw new Failure(`Cannot read the roles. Fix these lines:\n${faults.join('\n')}`);
    yield roles.map((role) => ({ ...role, from: file }));
  }
  yield builtInRoles.map((role) => ({ ...role, from: 'built-in' }));
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Failure(`Cannot read ${file}: ${message}`);
  }
}
