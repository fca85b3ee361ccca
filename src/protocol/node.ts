// The nodes of the fleet, and what they say to each other. Everything that comes from another node is checked by these.
import { z } from '@hono/zod-openapi';
import { mode, nullableNumber, nullableText } from './fields.ts';

/** Neighbours one apart understand each other. Since 2, several pieces of mail may come as one. */
export const fleetProtocol = 2;

export const nodeName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be of a-z, 0-9 and -, at most 32 characters');

const id = z.string().min(1).max(100);
const text = z.string().max(1_048_576);

/** What a node says of itself, every few seconds. */
export const presence = z.object({
  version: z.string().max(100),
  protocol: z.number().int(),
  labels: z.array(z.string().max(64)).max(32),
  load: z.number(),
  sessions: z.number().int(),
  latency: nullableNumber,
  /** Its connection: what was asked over another one is not answered any more. Not told before version 2. */
  connection: z.string().max(64).default(''),
  /** Its own clock, in ms, when it says so. Not told before version 2. */
  now: nullableNumber.default(null),
});
export type Presence = z.infer<typeof presence>;

/** A message to a session of the node that gets it. `from`: a session of the node that sends it; null: its person. */
export const letterMail = z.object({
  kind: z.literal('letter'),
  id,
  to: id,
  from: z.object({ id, name: z.string().max(200) }).nullable(),
  text,
  mode,
  notify: z.object({ turnEnd: z.boolean(), accepted: z.boolean(), afterSeconds: nullableNumber }),
  remind: z.object({ soft: z.number(), hard: z.number() }).nullable(),
  /** From when it is taken in: clocks differ. */
  expires_in: nullableNumber,
});
export type LetterMail = z.infer<typeof letterMail>;

/** A notice for a session of the node that gets it. */
const postMail = z.object({ kind: z.literal('post'), id, to: id, text, mode });
/** What happened to a message that came from the node that gets it. */
const toldMail = z.object({
  kind: z.literal('told'),
  message: id,
  event: z.looseObject({ number: z.number().int(), at: z.string().max(40), state: z.string().max(40) }),
  /** Nothing is under way for it, because of the session's phase. Not known before version 2. */
  parked: z
    .object({ phase: z.string().max(40).nullable() })
    .nullable()
    .default(null),
});
const refusedMail = z.object({ kind: z.literal('refused'), message: id, why: z.string().max(2_000) });

/** A request of HTTP, from a session of the node that asks, or from its person. */
export const callMail = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/').max(8_192),
  /** Null: there is none. */
  body: z.record(z.string(), z.unknown()).nullable(),
  accept: z.string().max(200).nullable(),
  /** The last event that was heard of a stream. */
  after: z.string().max(40).nullable(),
  from: z.object({ id, name: z.string().max(200) }).nullable(),
});

export const mailBody = z.discriminatedUnion('kind', [letterMail, postMail, toldMail, refusedMail]);
export type MailBody = z.infer<typeof mailBody>;

export const nodeView = z
  .object({
    name: z.string(),
    /** The node that answers. */
    own: z.boolean(),
    /** `refused`: its version of the protocol does not fit. */
    state: z.enum(['here', 'away', 'refused']),
    refused_why: nullableText,
    away_since: nullableText,
    version: z.string(),
    protocol: z.number(),
    labels: z.array(z.string()),
    /** Of the last minute, for each core. */
    load: z.number(),
    sessions: z.number(),
    /** From the node to the fleet's server, in ms. */
    latency_ms: nullableNumber,
    /** How far its clock is ahead of ours, in ms; to be told from the way of its word only where it is much. */
    clock_offset_ms: nullableNumber,
  })
  .openapi('Node');
export type NodeView = z.infer<typeof nodeView>;

export const nodeRoutes = {
  'DELETE /nodes/{id}': {
    summary: 'Forget a node that is away for good, and what it ran',
    answer: z.object({ status: z.literal('forgotten'), node: z.string() }),
  },
  'GET /nodes': {
    summary: 'The nodes of the fleet',
    answer: z
      .object({
        /** Null: there is no fleet. */
        node: nullableText,
        /** Why the fleet cannot be reached just now; null: it can. */
        away: nullableText,
        nodes: z.array(nodeView),
      })
      .openapi('Nodes'),
  },
} as const;
