// Profiles: named bundles of options, under `profiles:` in the configuration. They are read again whenever one is used, so
// that a new one needs no restart.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { faultOfTags } from '../domain/life/tags.ts';
import { cardOf, cards } from '../providers/cards.ts';
import { amount } from './amounts.ts';

/** With `~` for the home directory; anything else is a whole path. */
const path = z
  .string()
  .regex(/^(\/|~\/|~$)/, 'must be an absolute path, or begin with ~/')
  .transform((text) => (text.startsWith('~') ? join(homedir(), text.slice(1)) : text));
export const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'is not a valid variable name');
export const noNul = /^[^\0]*$/;
export const text = z.string().min(1).nullable().default(null);
/** The kind of agent; null: any. Which there are, only the whole configuration says. */
export const agent = text;

/** Why there is no such kind; null: there is. */
export function faultOfAgent(name: string | null, configured: readonly string[]): string | null {
  const known = [...cards.map((card) => card.name), ...configured];
  return name === null || known.includes(name) ? null : `no agent "${name}" (known: ${known.join(', ')})`;
}

/** Numbers are what a person writes there, too. */
export const tags = z
  .array(z.coerce.string())
  .superRefine((all, context) => {
    const message = faultOfTags(all);
    if (message !== null) context.addIssue({ code: 'custom', message });
  })
  .default([]);

const profile = z
  .strictObject({
    agent,
    model: text,
    permission_mode: text,
    add_dirs: z.array(path).default([]),
    mcp_configs: z.array(path).default([]),
    /** Whether the agent gets the commands of sm as tools. */
    mcp: z.boolean().default(false),
    args: z.array(z.string().regex(noNul)).default([]),
    env: z.record(variable, z.string().regex(noNul)).default({}),
    /** The directory of the agent's account. */
    account: path.nullable().default(null),
    /** Whether each of its agents is started in a sandbox. */
    sandbox: z.boolean().default(false),
    /** Whether each session gets a git worktree. */
    worktree: z.boolean().default(false),
    tags,
    /** What each of its sessions may use up, and with all below it. */
    budget: amount,
    family_budget: amount,
  })
  .superRefine(({ agent, permission_mode: mode, account }, context) => {
    const modes = agent === null ? null : cardOf(agent)?.options.permissionModes;
    const fault = (key: string, message: string) =>
      context.addIssue({ code: 'custom', path: [key], message });
    if (mode !== null && modes && !modes.includes(mode))
      fault('permission_mode', `${agent} has no "${mode}" (it has ${modes.join(', ')})`);
    if (agent === null && (mode !== null || account !== null))
      fault(mode === null ? 'account' : 'permission_mode', 'needs "agent", because agents differ in it');
  });

export const profiles = z
  .record(z.string(), profile)
  .superRefine((all, context) => {
    for (const name of Object.keys(all).filter((each) => !/^[A-Za-z0-9][\w.-]{0,63}$/.test(each)))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is not a valid name: use letters, digits, ".", "-" and "_"',
      });
  })
  .default({});

type Profiles = z.infer<typeof profiles>;

/** `file`: by which an agent gets the commands of sm as tools. */
export const withOurTools = (all: Profiles, file: string): Profiles =>
  Object.fromEntries(
    Object.entries(all).map(([name, each]) => [
      name,
      each.mcp ? { ...each, mcp_configs: [...each.mcp_configs, file] } : each,
    ]),
  );
