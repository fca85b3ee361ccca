// Reads the file of a team. What is wrong with it is named by line.
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { TeamFile, TeamMember } from '../ports/team-file.ts';
import { agent, faultOfAgent, noNul, tags, text, variable } from './profiles.ts';
import { ConfigError, parseYaml } from './yaml.ts';

/** Numbers and truths are what a person writes there, too. */
const value = z.coerce.string().regex(noNul);

const member = z
  .strictObject({
    agent,
    profile: text,
    model: text,
    permission_mode: text,
    add_dirs: z.array(z.string().min(1)).default([]),
    mcp_configs: z.array(z.string().min(1)).default([]),
    args: z.array(value).default([]),
    sandbox: z.boolean().default(false),
    env: z.record(variable, value).default({}),
    directory: text,
    /** True: a new branch; or the name of one. Left out: as its profile says. No union, whose faults would not be named. */
    worktree: z
      .any()
      .refine(
        (given) => given === null || ['boolean', 'string'].includes(typeof given),
        'write true, false or a branch',
      )
      .transform((given: string | boolean | null) => given)
      .default(null),
    base: text,
    role: text,
    keys: z.record(z.string(), value).default({}),
    prompt: text,
    tags,
  })
  .superRefine(({ worktree, base, role, keys }, context) => {
    const fault = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (base !== null && (worktree === null || worktree === false)) fault('base', 'goes with worktree');
    if (role === null && Object.keys(keys).length > 0) fault('keys', 'go with a role');
  });
type Written = z.infer<typeof member>;

const asWorktree = ({ worktree: given, base }: Written): TeamMember['worktree'] =>
  given === null || given === false ? given : { branch: given === true || given === '' ? null : given, base };

const nameOf = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${most - 1}}$`),
      `is not a valid name: up to ${most} letters, digits, "-" and "_"`,
    );
const memberName = nameOf(32);

const schema = z
  .strictObject({
    team: nameOf(24),
    directory: text,
    manager: member.safeExtend({ name: memberName.default('manager') }).optional(),
    workers: z.record(z.string(), member).default({}),
  })
  .superRefine(({ manager, workers }, context) => {
    const fault = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    for (const name of Object.keys(workers)) {
      const bad = memberName.safeParse(name).error;
      if (bad) fault(['workers', name], bad.issues[0]?.message ?? '');
      if (name === manager?.name) fault(['workers', name], 'is the name of the manager');
    }
    if (!manager && Object.keys(workers).length === 0) fault([], 'a team needs a manager, or workers');
  });

/** Paths are seen from the folder of the file. `configured`: agents that only the configuration names. */
export function readTeamFile(content: string, file: string, configured: readonly string[] = []): TeamFile {
  const { data, lineOf } = parseYaml(schema, content, file);
  const members = [
    ...(data.manager ? [{ path: ['manager'], written: data.manager }] : []),
    ...Object.entries(data.workers).map(([name, written]) => ({ path: ['workers', name], written })),
  ];
  for (const { path, written } of members) {
    const fault = faultOfAgent(written.agent, configured);
    const at = [...path, 'agent'];
    if (fault !== null) throw new ConfigError(`${file}:${lineOf(at)}: ${at.join('.')}: ${fault}`);
  }
  const from = (folder: string, path: string) => resolve(folder, path.replace(/^~(?=\/|$)/, homedir()));
  const home = from(dirname(file), data.directory ?? '.');
  const asMember = (name: string, isManager: boolean, line: number, written: Written): TeamMember => ({
    name,
    isManager,
    line,
    directory: from(home, written.directory ?? '.'),
    agent: written.agent,
    model: written.model,
    profile: written.profile,
    permissionMode: written.permission_mode,
    addDirs: written.add_dirs.map((path) => from(home, path)),
    sandbox: written.sandbox,
    mcpConfigs: written.mcp_configs.map((path) => from(home, path)),
    args: written.args,
    env: written.env,
    worktree: asWorktree(written),
    role: written.role,
    keys: written.keys,
    prompt: written.prompt,
    tags: written.tags,
  });
  const { manager, workers } = data;
  return {
    team: data.team,
    members: [
      ...(manager ? [asMember(manager.name, true, lineOf(['manager']), manager)] : []),
      ...Object.entries(workers).map(([name, each]) =>
        asMember(name, false, lineOf(['workers', name]), each),
      ),
    ],
  };
}
