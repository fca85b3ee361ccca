// The shapes of requests, checked at the door. Only the daemon loads these; clients use the types.
import { z } from '@hono/zod-openapi';

/** Longer texts belong into files. */
const line = z.string().trim().min(1).max(2_000);
const sessionRef = z.string().min(1).max(200);
const environment = z.record(z.string().regex(/^[^=\0]+$/), z.string().regex(/^[^\0]*$/));

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

export const renameBody = z.object({ friendly_name: line.max(64) }).openapi('Rename');
export const taskBody = z.object({ task: line }).openapi('Task');
export const statusBody = z.object({ text: z.string().trim().min(1).max(100_000) }).openapi('Status');
export const requesterBody = z.object({ requester_session_id: sessionRef.nullish() }).openapi('Requester');
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
  watcher_session_id: sessionRef,
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
export const lockBody = z
  .object({
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

export const remindBody = z
  .object({ soft_threshold: z.number().nullish(), hard_threshold: z.number().nullish() })
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

export const handoffBody = z
  .object({
    requester_session_id: sessionRef,
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

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();

export const lockView = z
  .object({
    workspace: z.string(),
    session_id: z.string(),
    session_name: z.string(),
    reason: z.string(),
    since: z.string(),
    enforced: z.boolean(),
    waiting_session_ids: z.array(z.string()),
  })
  .openapi('Lock');

export const sessionView = z
  .object({
    id: z.string(),
    name: z.string(),
    friendly_name: nullableText,
    display_name: z.string(),
    provider: z.string(),
    working_dir: z.string(),
    git_remote_url: nullableText,
    parent_session_id: nullableText,
    status: z.enum(['running', 'idle', 'stopped']),
    phase: z.enum(['starting', 'idle', 'working', 'blocked', 'compacting', 'rotating', 'exited', 'lost']),
    created_at: z.string(),
    last_activity: z.string(),
    tmux_session: z.string().nullable(),
    current_task: nullableText,
    agent_status_text: nullableText,
    agent_status_at: nullableText,
    last_handoff_path: nullableText,
    tokens_used: z.number(),
    transcript_path: nullableText,
    model: nullableText,
    agent_version: nullableText,
    context: z.object({
      number: z.number(),
      provider_id: nullableText,
      began_at: z.string(),
      used_percentage: z.number().nullable(),
      window_size: z.number().nullable(),
      cost_usd: z.number().nullable(),
    }),
    turn: z.object({ id: nullableText, began_at: z.string() }).nullable(),
    reminder: z
      .object({
        soft_threshold: z.number(),
        hard_threshold: z.number(),
        since: z.string(),
        next_at: nullableText,
      })
      .nullable(),
    question: z
      .object({ kind: z.enum(['permission', 'dialog']), text: z.string(), since: z.string() })
      .nullable(),
    ended: z
      .object({
        at: z.string(),
        code: z.number().nullable(),
        signal: z.number().nullable(),
        reason: z.string(),
        killed: z.boolean(),
      })
      .nullable(),
    waiting: z.object({ count: z.number(), held: nullableText }),
    lock: lockView.nullable(),
  })
  .openapi('Session');

const sender = z.union([
  z.object({ kind: z.literal('session'), id: z.string(), name: z.string() }),
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('sm') }),
]);
export const oneShotView = z
  .object({
    reminder_id: z.string(),
    session_id: z.string(),
    session_name: z.string(),
    at: z.string(),
    fires_in_seconds: z.number(),
    every_seconds: z.number().nullable(),
    message: z.string(),
    from: sender,
  })
  .openapi('OneShotView');

const evidence = z.object({ source: z.string(), id: z.string(), at: z.string() }).nullable();
const messageState = z.enum([
  'queued',
  'held',
  'typed',
  'accepted',
  'answered',
  'withdrawn',
  'expired',
  'failed',
]);

export const messageView = z
  .object({
    id: z.string(),
    session_id: z.string(),
    from: sender,
    mode: z.enum(['sequential', 'important', 'urgent']),
    text: z.string(),
    created_at: z.string(),
    state: messageState,
    why: nullableText,
    evidence,
    turn: nullableText,
  })
  .openapi('Message');

export const inputAnswer = z
  .object({
    status: z.enum(['delivered', 'queued']),
    session_id: z.string(),
    delivery_mode: z.string(),
    queue_position: z.number().nullable(),
    message_id: z.string(),
    state: messageState,
    why: nullableText,
    evidence,
  })
  .openapi('InputAnswer');

const gitName = line
  .max(500)
  .regex(/^[^-\s]\S*$/, 'A branch or a commit has no blanks and does not begin with a dash.');
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
export const reviewAnswer = inputAnswer
  .extend({ created: z.boolean(), name: z.string(), working_dir: z.string() })
  .openapi('ReviewAnswer');

export const errorView = z.object({ error: z.string(), detail: z.string() }).openapi('Error');
export const eventView = z
  .looseObject({ number: z.number(), session_id: z.string(), at: z.string(), type: z.string() })
  .openapi('Event');

export const curveView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    phase: z.string(),
    context: z.number(),
    used_percentage: nullableNumber,
    tokens: nullableNumber,
    window_size: nullableNumber,
    model: nullableText,
    cost_usd: nullableNumber,
    marks: z.object({ warning: z.number(), critical: z.number(), monitored: z.boolean() }),
    cycle_began_at: z.string(),
    at: z.string(),
    samples: z.array(
      z.object({ at: z.string(), context: z.number(), percentage: z.number(), tokens: nullableNumber }),
    ),
    moments: z.array(
      z.object({
        at: z.string(),
        is: z.enum([
          'warning',
          'critical',
          'compaction',
          'compacted',
          'launch',
          'resume',
          'clear',
          'handoff',
          'exited',
          'lost',
        ]),
        percentage: nullableNumber,
      }),
    ),
    more: z.boolean(),
    forecast: z.object({
      is: z.enum(['expected', 'reached', 'unknown']),
      in_seconds: nullableNumber,
      points_per_hour: nullableNumber,
      why: nullableText,
    }),
  })
  .openapi('ContextCurve');

export const contextsView = z
  .object({
    session_id: z.string(),
    name: z.string(),
    contexts: z.array(
      z.object({
        number: z.number(),
        provider_id: nullableText,
        present: z.boolean(),
        began_at: nullableText,
        began_by: nullableText,
        ended_at: nullableText,
        ended_by: nullableText,
        ended_by_actor: z
          .union([
            z.object({ kind: z.literal('session'), id: z.string() }),
            z.object({ kind: z.literal('person') }),
          ])
          .nullable(),
        ended_why: nullableText,
        peak_percentage: nullableNumber,
        peak_tokens: nullableNumber,
        cost_usd: nullableNumber,
        compactions: z.number(),
      }),
    ),
  })
  .openapi('Contexts');
