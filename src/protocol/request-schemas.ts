// The shapes of requests, checked at the door. Only the daemon loads these; clients use the types.
import { z } from '@hono/zod-openapi';

/** Longer texts belong into files. */
const line = z.string().trim().min(1).max(2_000);
const sessionRef = z.string().min(1).max(200);
const environment = z.record(
  z.string().regex(/^[^=\0]+$/, 'is not a valid variable name'),
  z.string().regex(/^[^\0]*$/, 'has a NUL character'),
);

export const refParam = z.object({
  ref: sessionRef.openapi({ description: 'An id, a unique prefix of an id, or a name.' }),
});

export const createBody = z
  .object({
    working_dir: z.string().min(1).max(4_096),
    provider: z.string().min(1).max(50).default('claude'),
    name: line.max(64).nullish(),
    model: line.nullish(),
    parent_session_id: sessionRef.nullish(),
    env: environment.optional(),
  })
  .openapi('Create');

export const spawnBody = z
  .object({
    prompt: z.string(),
    parent_session_id: sessionRef.nullish(),
    working_dir: z.string().min(1).max(4_096).nullish(),
    provider: z.string().min(1).max(50).nullish(),
    name: line.max(64).nullish(),
    model: line.nullish(),
    wait: z.number().min(0).max(86_400).nullish(),
    env: environment.optional(),
  })
  .openapi('Spawn');

/** Who asks for it, of those who call without a key. */
export const requesterBody = z.object({ requester_session_id: sessionRef.nullish() }).openapi('Requester');
export const renameBody = requesterBody.extend({ friendly_name: line.max(64) }).openapi('Rename');
export const taskBody = requesterBody.extend({ task: line }).openapi('Task');
export const statusBody = requesterBody
  .extend({ text: z.string().trim().min(1).max(100_000) })
  .openapi('Status');
export const restoreBody = requesterBody.extend({ env: environment.optional() }).openapi('Restore');

const seconds = z
  .number()
  .positive()
  .max(365 * 24 * 3600);

/** Whether they make sense is for the domain to say. */
const remindFields = {
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

export const inputBody = z
  .object({
    text: z.string(),
    sender_session_id: sessionRef.nullish(),
    delivery_mode: z.enum(['sequential', 'important', 'urgent']).default('sequential'),
    from_sm_send: z.boolean().nullish(),
    timeout_seconds: seconds.nullish(),
    notify_on_delivery: z.boolean().nullish(),
    notify_after_seconds: seconds.nullish(),
    notify_on_stop: z.boolean().nullish(),
    ...remindFields,
  })
  .openapi('Input');

export const answerBody = requesterBody
  .extend({ decision: z.enum(['allow', 'deny']), text: z.string().trim().min(1).max(10_000).nullish() })
  .openapi('Answer');

/** A query without a value is no number, though JavaScript takes it for 0. */
const numberText = z.string().trim().min(1).pipe(z.coerce.number());

export const watchQuery = z.object({
  watcher_session_id: sessionRef.optional(),
  timeout_seconds: numberText.pipe(
    z
      .number()
      .min(0)
      .max(365 * 24 * 3600),
  ),
});

export const clearBody = requesterBody
  .extend({ prompt: z.string().nullish(), ...remindFields })
  .openapi('Clear');
export const lockBody = requesterBody
  .extend({
    reason: line.max(500),
    /** Any path in the workspace; the directory of the session otherwise. */
    path: z.string().startsWith('/').max(4_096).nullish(),
    enforce: z.boolean().default(false),
    wait_seconds: seconds.nullish(),
  })
  .openapi('LockRequest');
export const workspaceQuery = z.object({ path: z.string().startsWith('/').max(4_096) });

export const keyBody = requesterBody
  .extend({ key: z.enum(['Enter', 'Escape', 'Tab', 'Up', 'Down', 'Space', 'BSpace', 'C-c']) })
  .openapi('Key');
export const slashBody = requesterBody.extend({ command: z.string().min(2).max(502) }).openapi('Slash');

export const remindBody = requesterBody
  .extend({ soft_threshold: z.number().nullish(), hard_threshold: z.number().nullish() })
  .openapi('Remind');

export const requesterQuery = z.object({ requester_session_id: sessionRef.optional() });
export const oneShotParam = z.object({ id: z.string().min(1).max(100) });
export const oneShotsQuery = z.object({ session_id: sessionRef.optional() });
export const oneShotBody = z
  .object({
    session_id: sessionRef,
    delay_seconds: z.number(),
    every_seconds: z.number(),
    message: z.string(),
    requester_session_id: sessionRef,
  })
  .partial()
  .openapi('OneShot');
export const oneShotQuery = oneShotBody.extend({
  delay_seconds: numberText.optional(),
  every_seconds: numberText.optional(),
});

export const handoffBody = requesterBody
  .extend({
    file_path: z.string().min(1).max(10_000),
    auto: z.boolean().default(false),
  })
  .openapi('Handoff');
export const monitorBody = requesterBody
  .extend({ enabled: z.boolean(), notify_session_id: sessionRef.nullish() })
  .openapi('ContextMonitor');

export const messageParam = z.object({ id: z.string().min(1).max(100) });

export const listQuery = z.object({ retired: z.stringbool().default(false) });
export const childrenQuery = z.object({
  recursive: z.stringbool().default(false),
  status: z.enum(['running', 'idle', 'stopped', 'all']).default('all'),
});
export const outputQuery = z.object({ lines: z.coerce.number().int().min(1).max(20_000).default(50) });
export const eventsQuery = z.object({
  after: z.coerce.number().int().min(0).default(0),
  session: sessionRef.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
  last: z.stringbool().default(false),
  wait: z.coerce.number().min(0).max(60).default(0),
});

export const curveQuery = z.object({
  since: z.iso.datetime({ offset: true }).optional(),
  limit: z.coerce.number().int().min(1).max(5_000).default(1_000),
});
export const contextsQuery = z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(100) });

const gitName = line.max(500).regex(/^[^-\s]\S*$/, 'must have no spaces and must not start with a dash');
export const reviewBody = requesterBody
  .extend({
    target: z.discriminatedUnion('of', [
      z.object({ of: z.literal('uncommitted') }),
      z.object({ of: z.literal('base'), branch: gitName }),
      z.object({ of: z.literal('commit'), commit: gitName }),
      z.object({ of: z.literal('custom'), text: z.string().trim().min(1) }),
    ]),
    session: sessionRef.nullish(),
    new: z.boolean().default(false),
    working_dir: z.string().startsWith('/').max(4_096).nullish(),
    name: line.max(64).nullish(),
    model: line.nullish(),
    env: environment.optional(),
  })
  .openapi('Review');
