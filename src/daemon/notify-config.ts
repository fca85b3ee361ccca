// `notify:` in the configuration: channels, and the rules by which they are told.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { occasions } from '../domain/core/occasion.ts';
import type { SecretPlace } from '../notify/secret.ts';
import type { NotifyRule, QuietHours } from '../ports/notifications.ts';

/** One, or several. No union, whose faults would not be named. */
const listOf = <Item extends z.ZodType>(item: Item) =>
  z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(item).min(1));

const path = z
  .string()
  .regex(/^(\/|~\/)/, 'must be an absolute path, or begin with ~/')
  .transform((each) => (each.startsWith('~/') ? join(homedir(), each.slice(2)) : each));
/** Agents are never given a variable of such a name. */
const variable = z.string().regex(/^SM_[A-Z0-9_]+$/, 'must be the name of a variable that begins with SM_');
const url = z.url({ protocol: /^https?$/, error: 'must be a URL, such as https://ntfy.sh/my-topic' });

const urlPlace = { url_file: path.optional(), url_env: variable.optional() };
const tokenPlace = { token_file: path.optional(), token_env: variable.optional() };

/** A URL that is a secret itself. */
const secretUrl = <Kind extends string>(kind: Kind) =>
  z
    .strictObject({ kind: z.literal(kind), ...urlPlace })
    .refine((each) => one(each.url_file, each.url_env), { message: urlIsSecret })
    .transform((each) => ({ kind, url: placeOf(each.url_file, each.url_env), token: null }));

/** One that anybody may know, with a token where the service wants one. */
const plainUrl = <Kind extends string>(kind: Kind) =>
  z
    .strictObject({ kind: z.literal(kind), url: url.optional(), ...urlPlace, ...tokenPlace })
    .refine((each) => one(each.url, each.url_file, each.url_env), {
      message: 'needs one of url, url_file, url_env',
    })
    .refine((each) => !(each.token_file && each.token_env), {
      message: 'takes token_file or token_env, not both',
    })
    .transform((each) => ({
      kind,
      url: each.url ?? placeOf(each.url_file, each.url_env),
      token: each.token_file || each.token_env ? placeOf(each.token_file, each.token_env) : null,
    }));

const urlIsSecret =
  'needs url_file (a file that only you can read) or url_env: whoever has this URL can write to you';

const one = (...values: readonly (string | undefined)[]): boolean =>
  values.filter((each) => each !== undefined).length === 1;

const placeOf = (file: string | undefined, name: string | undefined): SecretPlace =>
  file === undefined ? { variable: name ?? '' } : { file };

const telegram = z
  .strictObject({
    kind: z.literal('telegram'),
    ...tokenPlace,
    /** Who is told, and from where answers are taken. */
    chats: z.array(z.int()).default([]),
    /** A server of the Bot API of one's own. */
    server: url.nullable().default(null),
  })
  .refine((each) => one(each.token_file, each.token_env), { message: 'needs one of token_file, token_env' })
  .transform(({ kind, token_file, token_env, chats, server }) => ({
    kind,
    token: placeOf(token_file, token_env),
    chats: chats.map(String),
    server,
  }));

const desktop = z
  .strictObject({ kind: z.literal('desktop') })
  .transform((each) => ({ ...each, token: null }));

const push = z
  .strictObject({
    kind: z.literal('push'),
    contact: z
      .string()
      .regex(/^(mailto:[^@\s]+@\S+|https:\/\/\S+)$/, 'must be mailto:YOU@EXAMPLE.COM, or a https URL')
      .nullable()
      .default(null),
    /** Allow and Deny under a question. */
    buttons: z.boolean().default(true),
  })
  .transform((each) => ({ ...each, token: null }));

const channel = z.discriminatedUnion('kind', [
  push,
  desktop,
  telegram,
  secretUrl('slack'),
  secretUrl('discord'),
  plainUrl('ntfy'),
  plainUrl('webhook'),
]);
export type ChannelConfig = z.output<typeof channel>;

const seconds = z.int().min(0).max(86_400);

const rule = z
  .strictObject({
    when: listOf(z.enum(occasions)),
    sessions: z.string().min(1).nullable().default(null),
    family: z.string().min(1).nullable().default(null),
    without_parent: z.boolean().default(false),
    tell: listOf(z.string()),
    after_seconds: seconds.nullable().default(null),
    next_after_seconds: seconds.default(300),
    through_quiet_hours: z.boolean().default(false),
  })
  .transform(
    (each): NotifyRule => ({
      when: each.when,
      sessions: each.sessions,
      family: each.family,
      withoutParent: each.without_parent,
      tell: each.tell,
      afterSeconds: each.after_seconds,
      nextAfterSeconds: each.next_after_seconds,
      throughQuietHours: each.through_quiet_hours,
    }),
  );

const clockTimes = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

const quietHours = z
  .string()
  .regex(clockTimes, 'must be two times, such as 22:00-07:00')
  .transform((text): QuietHours => {
    const [a = 0, b = 0, c = 0, d = 0] = (clockTimes.exec(text) ?? []).slice(1).map(Number);
    return { from: a * 60 + b, to: c * 60 + d };
  });

export const notify = z
  .strictObject({
    channels: z
      .record(z.string().regex(/^[\w-]{1,32}$/, 'may have letters, digits, "-" and "_"'), channel)
      .default({}),
    /** Null: the standard ones. */
    rules: z.array(rule).min(1).nullable().default(null),
    quiet_hours: quietHours.nullable().default(null),
  })
  .superRefine(({ channels, rules }, context) => {
    for (const [index, { tell }] of (rules ?? []).entries())
      for (const name of tell)
        if (!Object.hasOwn(channels, name))
          context.addIssue({
            code: 'custom',
            path: ['rules', index],
            message: `no channel is called ${name}`,
          });
    if (Object.values(channels).filter(({ kind }) => kind === 'push').length > 1)
      context.addIssue({ code: 'custom', path: ['channels'], message: 'one channel pushes to all devices' });
    // Telegram gives what is written to a bot to one reader only.
    const bots = new Map<string, string>();
    for (const [name, each] of Object.entries(channels)) {
      if (each.kind !== 'telegram') continue;
      const bot = JSON.stringify(each.token);
      const message = `has the same bot as ${bots.get(bot)}: name all its chats in one channel`;
      if (bots.has(bot)) context.addIssue({ code: 'custom', path: ['channels', name], message });
      bots.set(bot, name);
    }
  })
  .prefault({});
export type NotifyConfig = z.output<typeof notify>;

/** Where the secrets of a channel are. */
export function secretsOf(channel: ChannelConfig): SecretPlace[] {
  const places = [channel.token, 'url' in channel ? channel.url : null];
  return places.filter((place) => place !== null && typeof place !== 'string');
}

/** Takes what the configuration names as secrets out of the environment, so that nothing that we start inherits it. */
export function takeSecrets({ channels }: NotifyConfig, env: NodeJS.ProcessEnv): Record<string, string> {
  const taken: Record<string, string> = {};
  for (const channel of Object.values(channels))
    for (const place of secretsOf(channel)) {
      if (!('variable' in place)) continue;
      const value = env[place.variable];
      delete env[place.variable];
      if (value !== undefined) taken[place.variable] = value;
    }
  return taken;
}
