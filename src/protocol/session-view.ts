// What is told of a session. Snake case, because these are the fields that hook scripts and other programs of this kind
// already read.
import { z } from '@hono/zod-openapi';
import { nullableNumber, nullableText } from './fields.ts';
import { lockView } from './lock-view.ts';
import { optionsView } from './options.ts';

export const phase = z.enum([
  'starting',
  'idle',
  'working',
  'blocked',
  'compacting',
  'rotating',
  'exited',
  'lost',
]);
export type PhaseName = z.infer<typeof phase>;

/** What something that is to be typed waits for: the end of a phase, or of what we are typing just now. */
export const waitsFor = z.enum([...phase.exclude(['idle']).options, 'typing']);
export type WaitsFor = z.infer<typeof waitsFor>;

const oneBudget = z.object({
  /** Null: as much as it likes. */
  usd: nullableNumber,
  tokens: nullableNumber,
  /** As far as it is known. */
  used_usd: z.number(),
  used_tokens: z.number(),
  /** Tokens whose cost nobody knows. */
  unpriced_tokens: z.number(),
  used_percentage: z.number(),
  /** `near`: at least 80 % is used. */
  state: z.enum(['open', 'near', 'used-up']),
});
export type OneBudget = z.infer<typeof oneBudget>;

export const sessionView = z
  .object({
    id: z.string(),
    name: z.string(),
    friendly_name: nullableText,
    /** What to call it: the friendly name if it has one. */
    display_name: z.string(),
    provider: z.string(),
    working_dir: z.string(),
    git_remote_url: nullableText,
    parent_session_id: nullableText,
    /** The coarse state; `phase` is the exact one. */
    status: z.enum(['running', 'idle', 'stopped']),
    phase,
    /** Since when it is in this phase. */
    phase_since: z.string(),
    created_at: z.string(),
    last_activity: z.string(),
    /** Null: the agent has no terminal. */
    tmux_session: nullableText,
    current_task: nullableText,
    /** In order. */
    tags: z.array(z.string()),
    agent_status_text: nullableText,
    agent_status_at: nullableText,
    last_handoff_path: nullableText,
    tokens_used: z.number(),
    transcript_path: nullableText,
    /** As the agent calls it; before it does, as it was asked for. */
    model: nullableText,
    /** What is checked out where it works. `name`: of the repository; `commit`: where no branch is. */
    checkout: z
      .object({
        name: z.string(),
        repository: z.string(),
        root: z.string(),
        branch: nullableText,
        commit: nullableText,
      })
      .nullable(),
    options: optionsView,
    /** The session and context that its first conversation is a copy of. */
    forked_from: z.object({ session_id: z.string(), name: z.string(), context: z.number() }).nullable(),
    /** Its place in a team. */
    member: z.object({ team: z.string(), name: z.string() }).nullable(),
    agent_version: nullableText,
    /** Since when its terminal has shown nothing that sm knows, so that nothing is typed into it; null: not that we know. */
    screen_unrecognised_since: nullableText,
    context: z.object({
      number: z.number(),
      provider_id: nullableText,
      began_at: z.string(),
      used_percentage: nullableNumber,
      window_size: nullableNumber,
      cost_usd: nullableNumber,
    }),
    /** How its last turn ended, and when. */
    last_turn: z.object({ end: z.string(), at: z.string() }).nullable(),
    /** It has not reported, although it was asked urgently, so often that its parent was told. */
    silent: z.boolean(),
    turn: z.object({ id: nullableText, began_at: z.string() }).nullable(),
    /** It is asked for its status so many seconds after the last one; `next_at` is null while it cannot answer. */
    reminder: z
      .object({
        soft_threshold: z.number(),
        hard_threshold: z.number(),
        since: z.string(),
        next_at: nullableText,
      })
      .nullable(),
    /** What it asks a human, while it is blocked. */
    question: z
      .object({ id: z.string(), kind: z.enum(['permission', 'dialog']), text: z.string(), since: z.string() })
      .nullable(),
    /** Its agent has used up its limit; null: not that we know. `until`: when that resets, as far as it is known. */
    limit: z.object({ since: z.string(), until: nullableText, text: z.string() }).nullable(),
    /** What its account has used of its limits, as its agent last told. */
    limits: z
      .object({
        account: nullableText,
        told_at: z.string(),
        windows: z.array(
          z.object({ name: z.string(), used_percentage: z.number(), resets_at: nullableText }),
        ),
      })
      .nullable(),
    /** What it may use up, and has; null: it has no budget, and no other one holds it. */
    budget: z
      .object({
        own: oneBudget.nullable(),
        /** Of it and all of its descendants together. */
        family: oneBudget.nullable(),
        /** That most of one is used, in words. */
        near: nullableText,
        /** Nothing is typed into it. */
        hold: z.object({ since: z.string(), why: z.string() }).nullable(),
      })
      .nullable(),
    /** Why it is exited or lost. */
    ended: z
      .object({
        at: z.string(),
        code: nullableNumber,
        signal: nullableNumber,
        reason: z.string(),
        killed: z.boolean(),
        /** Only of one that never ran: why. */
        not_started: z.string().optional(),
      })
      .nullable(),
    /** Its agent ran when the machine or the tmux server ended, and has not run since: `sm restore --all`. */
    stranded: z.object({ with: z.enum(['machine', 'tmux']), at: z.string() }).nullable(),
    /** Messages that wait for it, and why the first of them is held back, if it is. */
    waiting: z.object({ count: z.number(), held: nullableText }),
    /** The workspace that it has locked. */
    lock: lockView.nullable(),
    /** The other node that it runs on; absent: it runs here. */
    node: z.string().optional(),
    /** Since when that node is away: everything else is what was known then. */
    away_since: z.string().optional(),
  })
  .openapi('Session');
export type SessionView = z.infer<typeof sessionView>;

export type BudgetView = SessionView['budget'];

const { checkout, context, question, limit, budget, ended } = sessionView.shape;

/** As much of it as a list of many shows. */
export const sessionRow = sessionView
  .pick({
    id: true,
    display_name: true,
    provider: true,
    working_dir: true,
    parent_session_id: true,
    phase: true,
    last_activity: true,
    current_task: true,
    tags: true,
    agent_status_text: true,
    agent_status_at: true,
    model: true,
    agent_version: true,
    screen_unrecognised_since: true,
    stranded: true,
    node: true,
    away_since: true,
  })
  .extend({
    checkout: checkout.unwrap().omit({ root: true }).nullable(),
    context: context.pick({ used_percentage: true }),
    question: question.unwrap().pick({ text: true }).nullable(),
    limit: limit.unwrap().pick({ until: true }).nullable(),
    // Another node may be older, and know of none.
    budget: budget.unwrap().pick({ near: true, hold: true }).nullable().default(null),
    ended: ended.unwrap().pick({ reason: true }).nullable(),
  });
export type SessionRow = z.infer<typeof sessionRow>;
