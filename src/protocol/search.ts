// Finding words in what was written and said.
import { z } from '@hono/zod-openapi';
import { nullableText, sender, sessionRef } from './fields.ts';

const hit = z
  .object({
    session_id: z.string(),
    session_name: z.string(),
    at: z.string(),
    /** The number of the event that tells of it. */
    event: z.number(),
    kind: z.enum(['message', 'words', 'document', 'transcript']),
    message_id: nullableText,
    /** Of a message. */
    from: sender.nullable(),
    /** Of a document, the copy that was kept; of a transcript, the agent's own file. */
    path: nullableText,
    line: z.number().nullable(),
    /** One line around the words. */
    snippet: z.string(),
    /** The part of the snippet that fits; empty where it cannot be told. */
    matched: z.string(),
    /** The whole text, if it was asked for. */
    text: nullableText,
  })
  .openapi('Hit');
export type HitView = z.infer<typeof hit>;

const found = z
  .object({
    /** The newest first. */
    hits: z.array(hit),
    /** Of what happened before this time, not all is indexed yet; null: everything is. */
    indexed_from: nullableText,
  })
  .openapi('Found');
export type FoundView = z.infer<typeof found>;

export const searchRoutes = {
  'GET /search': {
    summary: 'Find words in messages, in what agents said, in handoff documents and transcripts',
    query: z.object({
      words: z.string().max(1_000).openapi({
        description: 'All of them have to be there. "two words" is a phrase, auth* a beginning.',
      }),
      session: sessionRef.optional(),
      from: sessionRef.optional().openapi({ description: 'A session, or `user`.' }),
      since: z.iso.datetime({ offset: true }).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(20),
      full: z.stringbool().default(false),
    }),
    answer: found,
  },
} as const;
