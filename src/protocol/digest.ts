// What happened in the last hours, session by session.
import { z } from '@hono/zod-openapi';
import { actor, nullableText, sessionRef } from './fields.ts';
import { phase } from './session-view.ts';

const count = z.number().int();
const named = z.object({ id: z.string(), name: z.string() });

const sessionDigest = z
  .object({
    session_id: z.string(),
    name: z.string(),
    parent_session_id: nullableText,
    phase,
    phase_since: z.string(),
    /** Null: before. */
    started_at: nullableText,
    restored: count,
    /** It ended and was not restored. `by`: who killed it. */
    ended: z.object({ at: z.string(), reason: z.string(), by: actor.nullable() }).nullable(),
    /** By how they ended. */
    turns: z.object({
      finished: count,
      failed: count,
      interrupted: count,
      cut_off: count,
      died: count,
      cleared: count,
      unknown: count,
    }),
    /** Of the last turn that left some: an answer, or the error of one that failed. */
    last_words: z.object({ at: z.string(), failed: z.boolean(), text: z.string() }).nullable(),
    /** `elsewhere`: at its terminal, or nobody had to any more. */
    questions: z.object({
      asked: count,
      answered_by_person: count,
      answered_by_sessions: z.array(z.object({ id: z.string(), count })),
      answered_by_rules: count,
      answered_elsewhere: count,
    }),
    reminders: z.object({ soft: count, hard: count }),
    compactions: count,
    handoffs: count,
    /** How often it stood still at a limit of its account. */
    limits: count,
    /** How often it was silent: no status after urgent reminders. */
    silences: count,
    /** How often its budget was used up. */
    budgets: count,
    /** Branches that were brought in with `sm finish`. */
    merged: z.array(z.object({ at: z.string(), branch: z.string(), into: z.string() })),
    failed: count,
    /** The last of them, the newest first. */
    failures: z.array(
      z.object({
        at: z.string(),
        what: z.enum(['turn', 'message', 'handoff', 'agent', 'screen']),
        why: z.string(),
      }),
    ),
    /** What it waits for now. `for`: the session that is to do it; null: a person, or of a limit nobody. */
    waits: z
      .object({
        what: z.enum(['answer', 'draft', 'screen', 'restore', 'status', 'failed', 'limit', 'budget']),
        text: z.string(),
        since: z.string(),
        for: named.nullable(),
      })
      .nullable(),
    messages_waiting: count,
  })
  .openapi('SessionDigest');
export type SessionDigest = z.infer<typeof sessionDigest>;

const digest = z
  .object({
    since: z.string(),
    until: z.string(),
    totals: z.object({
      /** Sessions that wait for a person. */
      waiting: count,
      started: count,
      ended: count,
      turns_finished: count,
      failed: count,
      asked: count,
      reminded: count,
      compactions: count,
      handoffs: count,
      limits: count,
      silences: count,
      budgets: count,
    }),
    /** Whoever needs somebody comes first. `name` is that of the eldest. */
    families: z.array(named.extend({ sessions: z.array(sessionDigest) })),
    /** Sessions of which there is nothing to tell. */
    quiet: count,
  })
  .openapi('Digest');
export type DigestView = z.infer<typeof digest>;

export const digestRoutes = {
  'GET /digest': {
    summary: 'What happened in the last hours, family by family, and what waits now',
    query: z.object({
      since: z.iso.datetime({ offset: true }).openapi({ description: 'A time.' }),
      session: sessionRef.optional().openapi({ description: 'Only this one and all below it.' }),
    }),
    answer: digest,
  },
} as const;
