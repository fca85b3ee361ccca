// The options with which an agent is started: those of `sm spawn` and of `sm claude`, `sm codex`, …
import { resolve } from 'node:path';
import type { OptionsBody } from '../protocol/options.ts';
import type { OptionValues } from './command.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

export const envOption = {
  value: 'K=V',
  many: true,
  help: 'set a variable, also at later starts; K alone takes its present value (can be given again)',
} as const;

export const sessionOptionSpecs = {
  profile: { value: 'PROFILE', help: 'a set of options from the configuration: see sm profiles' },
  'permission-mode': {
    value: 'MODE',
    help: 'what it may do without asking (its modes: sm doctor --abilities)',
  },
  'add-dir': { value: 'DIR', many: true, help: 'another directory that it may use (can be given again)' },
  'mcp-config': { value: 'FILE', many: true, help: 'MCP servers to use, a JSON file (can be given again)' },
  sandbox: { help: 'in a sandbox: of your files it sees only where it works (needs bubblewrap)' },
  env: envOption,
  tag: { value: 'TAG', many: true, help: 'put a tag on it: see sm tag (can be given again)' },
} as const;

export const sessionUsage =
  '[--profile PROFILE] [--permission-mode MODE] [--add-dir DIR] [--mcp-config FILE] [--sandbox] [--env K=V] [--tag TAG]';

/** Undefined: none was given. */
export function sessionOptions(
  io: Io,
  options: OptionValues<typeof sessionOptionSpecs>,
  args: readonly string[],
): OptionsBody | undefined {
  const paths = (given: readonly string[]) => given.map((path) => resolve(io.cwd, path));
  const body = {
    ...(options.profile !== undefined && { profile: options.profile }),
    ...(options['permission-mode'] !== undefined && { permission_mode: options['permission-mode'] }),
    ...(options['add-dir'].length > 0 && { add_dirs: paths(options['add-dir']) }),
    ...(options['mcp-config'].length > 0 && { mcp_configs: paths(options['mcp-config']) }),
    ...(args.length > 0 && { args: [...args] }),
    ...(options.sandbox && { sandbox: true }),
    ...(options.env.length > 0 && { env: givenVariables(io, options.env) }),
  };
  return Object.keys(body).length > 0 ? body : undefined;
}

/** A value that stands only in the environment is not seen by others on this machine. */
export function givenVariables(io: Io, given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((each) => {
      const [name = '', ...rest] = each.split('=');
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw new Failure(`--env takes NAME=VALUE, or the NAME of a variable that is set here.`);
      if (rest.length > 0) return [name, rest.join('=')];
      const here = io.env[name];
      if (here === undefined)
        throw new Failure(
          `--env ${name}: there is no such variable here. Set it, or give --env ${name}=VALUE.`,
        );
      return [name, here];
    }),
  );
}
