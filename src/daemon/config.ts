// The configuration: YAML, every key with a default. An unknown or bad key is named with its line.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { longestDelay } from '../domain/core/thresholds.ts';
import type { Card } from '../ports/provider.ts';
import { cards, sectionOf } from '../providers/cards.ts';
import { agents } from './agents-config.ts';
import { amount } from './amounts.ts';
import { fleetConfig } from './fleet-config.ts';
import { notify } from './notify-config.ts';
import type { Paths } from './paths.ts';
import { type Policy, policy } from './policy-file.ts';
import { faultOfAgent, profiles } from './profiles.ts';
import { triggers } from './triggers.ts';
import { ConfigError, parseYaml } from './yaml.ts';

const args = z.array(z.string()).default([]);
const ofUser = {
  args,
  env: z.record(z.string(), z.string()).default({}),
  default_model: z.string().min(1).nullable().default(null),
};
const percentage = z.number().min(1).max(100);
const price = z.number().min(0);
const threshold = z.int().min(1).max(longestDelay);

/** One that ships with sm takes only arguments. */
const agent = ({ command }: Card) =>
  z
    .strictObject(command === null ? { args } : { command: z.string().min(1).default(command), ...ofUser })
    .prefault({});

const sections: Record<never, z.ZodType> = Object.fromEntries(
  cards.map((card) => [sectionOf(card), agent(card)]),
);

/** A relative path would mean another place: the daemon works in /. */
const absolute = z.string().startsWith('/');
const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '::1'].includes(host);

const own = z.strictObject({
  server: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      /** 0: any free port. */
      port: z.int().min(0).max(65535).default(8420),
      auth: z.enum(['token', 'none']).default('token'),
      /** Facts about sessions come in over TCP without the token, for scripts that do not send it. */
      open_hooks: z.boolean().default(false),
      /** How other devices reach the page. */
      url: z
        .url({ protocol: /^https?$/, error: 'must be a URL, such as https://sm.example.com' })
        .nullable()
        .default(null),
      /** Files, in PEM: the port speaks TLS. */
      tls: z.strictObject({ cert: absolute, key: absolute }).nullable().default(null),
      /** A proxy in front of the port does so. */
      behind_proxy: z.boolean().default(false),
    })
    .refine(({ host, tls, behind_proxy }) => isLoopback(host) || tls !== null || behind_proxy, {
      path: ['host'],
      message: 'is not loopback: set server.tls, or server.behind_proxy: true if a proxy in front does TLS',
    })
    .refine(({ host, url, open_hooks }) => !open_hooks || (isLoopback(host) && url === null), {
      path: ['open_hooks'],
      message: 'is for loopback only, without server.url: whoever reaches the port could steer your agents',
    })
    .refine(({ host, url, auth }) => auth === 'token' || (isLoopback(host) && url === null), {
      path: ['auth'],
      message:
        'none is for loopback only, without server.url: whoever reaches the port could run commands as you',
    })
    .prefault({}),
  questions: z
    .strictObject({
      /** How long a question waits for `sm answer` before only the dialog can be answered; 0: not at all. */
      wait_seconds: z.int().min(0).max(86_400).default(3_600),
      /** Whether a session may answer what its children ask; otherwise only a person may. */
      parents_may_answer: z.boolean().default(false),
    })
    .prefault({}),
  remind: z
    .strictObject({
      soft_threshold_seconds: threshold.default(180),
      /** From the soft to the hard reminder. */
      hard_gap_seconds: threshold.default(120),
    })
    .prefault({}),
  dispatch: z
    .strictObject({
      /** What a dispatched agent is reminded by; false or 0: not at all. No union, whose faults would not be named. */
      auto_remind: z
        .preprocess(
          (value) => (value === false || value === 0 ? { soft_threshold_seconds: 0 } : value),
          z
            .strictObject({
              soft_threshold_seconds: z.int().min(0).max(longestDelay).default(210),
              hard_threshold_seconds: threshold.default(420),
            })
            .refine((each) => each.hard_threshold_seconds > each.soft_threshold_seconds, {
              message: 'hard_threshold_seconds must be above soft_threshold_seconds',
            })
            .transform((each) => (each.soft_threshold_seconds === 0 ? null : each)),
        )
        .prefault({}),
    })
    .prefault({}),
  context_monitor: z
    .strictObject({
      enabled: z.boolean().default(true),
      warning_percentage: percentage.default(50),
      critical_percentage: percentage.default(65),
      /** At the critical mark an agent is asked for its document, and rotated once it stands. */
      auto_handoff: z.boolean().default(false),
    })
    .refine((each) => each.critical_percentage > each.warning_percentage, {
      message: 'critical_percentage must be above warning_percentage',
    })
    .prefault({}),
  /** A session that is blocked on a human for longer is told to its parent again. */
  stuck: z.strictObject({ blocked_seconds: threshold.default(600) }).prefault({}),
  /** Where worktrees are made: a directory for all of them, or one beside each repository. */
  worktrees: z.strictObject({ dir: z.string().min(1).nullable().default(null) }).prefault({}),
  /** What agents may do without asking, and what they may not do at all. */
  policies: z.array(policy).default([]),
  /** Agents that sm does not know by itself, by the Agent Client Protocol. */
  agents,
  profiles,
  limits: z
    .strictObject({
      /** Let an agent go on by itself when its usage limit has reset. */
      resume: z.boolean().default(true),
    })
    .prefault({}),
  /** What each new session may use up, and each new one without a parent together with all below it. */
  budget: z.strictObject({ session: amount, family: amount }).prefault({}),
  /** In USD for a million tokens, by the model's own name, for agents that do not tell what they cost. */
  prices: z
    .record(
      z.string().min(1),
      z.strictObject({
        input: price,
        output: price,
        /** As input, unless they are given. */
        cache_read: price.optional(),
        cache_write: price.optional(),
      }),
    )
    .default({}),
  /** Other machines that this one works with; without it, nothing of that is loaded. */
  fleet: fleetConfig,
  /** Programs that run when something happens to a session. */
  on: triggers,
  /** How the person is told of what happens. */
  notify,
  history: z.strictObject({ keep_days: z.number().min(1).max(3650).default(30) }).prefault({}),
});

const schema = own.extend(sections).superRefine((config, context) => {
  const configured = Object.keys(config.agents);
  for (const [name, profile] of Object.entries(config.profiles)) {
    const message = faultOfAgent(profile.agent, configured);
    if (message !== null) context.addIssue({ code: 'custom', path: ['profiles', name, 'agent'], message });
  }
});

/** Without the sections of the agents: see `agentConfig`. */
export type Config = Omit<z.infer<typeof own>, 'policies'> & {
  readonly policies: readonly (Policy & { readonly line: number })[];
};

/** What the section of an agent says. */
interface AgentConfig {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly default_model: string | null;
}

/** Read with the rest, so that it is there and right. */
export function agentConfig(config: Config, card: Card): AgentConfig {
  const configured = card.configured && config.agents[card.name];
  if (configured) return configured;
  const said = (config as unknown as Record<string, Partial<AgentConfig>>)[sectionOf(card)];
  return { command: '', args: [], env: {}, default_model: null, ...said };
}

export function readConfig({ config: file, configGiven }: Pick<Paths, 'config' | 'configGiven'>): Config {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      if (!configGiven) return parseConfig('', file);
      throw new ConfigError(
        `SM_CONFIG points to ${file}, which does not exist. Correct it, or unset it to use the defaults.`,
      );
    }
    throw new ConfigError(`Cannot read ${file}: ${(error as Error).message}`);
  }
  return parseConfig(text, file);
}

export function parseConfig(text: string, file: string): Config {
  const { data, lineOf } = parseYaml(schema, text, file);
  return { ...data, policies: data.policies.map((each, i) => ({ ...each, line: lineOf(['policies', i]) })) };
}
