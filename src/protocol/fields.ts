// Fields that several requests and answers share.
import { z } from '@hono/zod-openapi';

/** Longer texts belong into files. */
export const line = z.string().trim().min(1).max(2_000);
export const nullableText = z.string().nullable();
export const nullableNumber = z.number().nullable();

/** An id, a unique prefix of an id, or a name. */
export const sessionRef = z.string().min(1).max(200);

export const environment = z.record(
  z.string().regex(/^[^=\0]+$/, 'is not a valid variable name'),
  z.string().regex(/^[^\0]*$/, 'has a NUL character'),
);

export const seconds = z
  .number()
  .positive()
  .max(365 * 24 * 3600);

/** A query without a value is no number, though JavaScript takes it for 0. */
export const numberText = z.string().trim().min(1).pipe(z.coerce.number());

/** Who asks for it, of those who call without a key. */
export const requesterBody = z.object({ requester_session_id: sessionRef.nullish() }).openapi('Requester');
export const requesterQuery = z.object({ requester_session_id: sessionRef.optional() });

/** Who did it, where only the id was kept. */
export const actor = z.union([
  z.object({ kind: z.literal('session'), id: z.string() }),
  /** `via`: from which browser, or through which channel. */
  z.object({ kind: z.literal('person'), via: z.string().optional() }),
]);
export type ActorView = z.infer<typeof actor>;

/** Who wrote it; the name is kept as it was then. */
export const sender = z.union([
  z.object({ kind: z.literal('session'), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('sm') }),
]);
export type SenderView = z.infer<typeof sender>;

export const mode = z.enum(['sequential', 'important', 'urgent']);

/** Whether they make sense is for the domain to say. */
export const remindFields = {
  remind_soft_threshold: z.number().nullish(),
  remind_hard_threshold: z
    .number()
    .nullish()
    .openapi({ description: 'Without it: the soft one and the configured gap.' }),
  remind: z
    .enum(['default', 'dispatch'])
    .nullish()
    .openapi({ description: 'Remind by the configured thresholds.' }),
};
