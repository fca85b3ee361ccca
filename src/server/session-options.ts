// The options of a new session: checked against what its agent takes, before anything is changed.
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Refusal } from '../domain/core/input.ts';
import type { Options, OwnVariables, Sandbox } from '../domain/core/options.ts';
import { conflict, invalid } from '../domain/core/refusal.ts';
import { named, type Session } from '../domain/core/session.ts';
import type { Card } from '../ports/provider.ts';
import type { OptionsBody } from '../protocol/options.ts';
import type { Service } from './service.ts';

/** As they are asked for; `env` has the values. */
export interface WantedOptions extends Omit<Options, 'variables' | 'sandbox'> {
  readonly sandbox: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export const nothingWanted: WantedOptions = {
  profile: null,
  permissionMode: null,
  addDirs: [],
  mcpConfigs: [],
  args: [],
  sandbox: false,
  env: {},
};

export const wantedIn = (body: OptionsBody | null | undefined): WantedOptions => ({
  profile: body?.profile ?? null,
  permissionMode: body?.permission_mode ?? null,
  addDirs: body?.add_dirs ?? [],
  mcpConfigs: body?.mcp_configs ?? [],
  args: body?.args ?? [],
  sandbox: body?.sandbox ?? false,
  env: body?.env ?? {},
});

/** Why the agent cannot be started so; null: it can. */
export async function faultOf(
  service: Pick<Service, 'cleanEnv'>,
  { name, title, options: taken, sandbox }: Card,
  wanted: WantedOptions,
): Promise<Refusal | null> {
  if (wanted.sandbox && !sandbox)
    return invalid(
      `${title} cannot be started in a sandbox: what it needs to see there has not been measured.`,
    );
  const mode = wanted.permissionMode;
  if (mode !== null && !taken.permissionModes.includes(mode))
    return invalid(`${name} has no permission mode "${mode}". It has: ${taken.permissionModes.join(', ')}.`);
  if (wanted.addDirs.length > 0 && taken.noAddDir !== null)
    return invalid(`${name} takes no further directories. ${taken.noAddDir}`);
  if (wanted.mcpConfigs.length > 0 && taken.noMcpConfig !== null)
    return invalid(`${name} takes no files with MCP servers. ${taken.noMcpConfig}`);
  for (const dir of wanted.addDirs)
    if (!(await found(dir))?.isDirectory()) return invalid(`No directory ${dir} to add.`);
  for (const file of wanted.mcpConfigs)
    if (!(await found(file))?.isFile()) return invalid(`No file ${file} with MCP servers.`);
  const ours = wanted.args.find((arg) => taken.ownArguments.includes(arg.split('=', 1)[0] as string));
  if (ours !== undefined)
    return invalid(
      `${ours.split('=', 1)[0]} cannot be handed to ${title}: sm starts it, and with this argument it could not follow the session.`,
    );
  return faultOfVariables(service, Object.keys(wanted.env));
}

/** What a terminal, another agent or sm itself sets would be taken out again. */
export function faultOfVariables(
  { cleanEnv }: Pick<Service, 'cleanEnv'>,
  names: readonly string[],
): Refusal | null {
  const reserved = names.find((name) => !(name in cleanEnv({ [name]: '' })));
  if (reserved === undefined) return null;
  return invalid(
    `The variable ${reserved} cannot be set for a session: sm, the terminal or the agent sets it.`,
  );
}

/**
 * What a child has of the session that spawns it: that one's own variables, because the shell that spawns it has them as
 * well. They become the child's own, so that a later start of the child has them too. Nothing else is inherited.
 */
export async function inherited(
  { ownVariables }: Service,
  spawner: (Pick<Session, 'id'> & Partial<Pick<Session, 'options'>>) | null,
  shell: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const kept = spawner?.options?.variables;
  if (!spawner || !kept) return {};
  const values = { ...(await ownVariables.values(spawner.id, kept)), ...shell };
  return Object.fromEntries(
    kept.names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
}

export async function keptOptions(
  { ownVariables }: Service,
  sessionId: string,
  { env, ...wanted }: WantedOptions,
  sandbox: Sandbox | null,
): Promise<Options> {
  const variables = Object.keys(env).length > 0 ? await ownVariables.keep(sessionId, env) : null;
  return { ...wanted, variables, sandbox };
}

/**
 * The own variables of a session that is started again. `changed`: a new set of them, which nothing names yet; null: those
 * that it has are as they were.
 */
export async function variablesAgain(
  service: Service,
  session: Session,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly changed: OwnVariables | null } | { readonly refusal: Refusal }> {
  const kept = session.options.variables;
  const fault = faultOfVariables(service, Object.keys(given));
  if (fault) return { refusal: fault };
  const there = kept ? await service.ownVariables.values(session.id, kept) : {};
  const missing = there ? [] : (kept?.names ?? []).filter((name) => !(name in given));
  if (missing.length > 0) {
    const message = `The values of its variables are gone: ${missing.join(', ')}.`;
    const data = { is: 'variables-gone', session: named(session), names: missing } as const;
    return { refusal: conflict(message, data) };
  }
  if (Object.keys(given).length === 0) return { changed: null };
  return { changed: await service.ownVariables.keep(session.id, { ...there, ...given }) };
}

const found = async (path: string) => (isAbsolute(path) ? stat(path).catch(() => null) : null);
