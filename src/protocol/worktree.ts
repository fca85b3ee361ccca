// Worktrees: asked for with a session, and listed.
import { z } from '@hono/zod-openapi';
import { line, nullableNumber, nullableText, requesterBody } from './fields.ts';

/** A worktree for a session that is started; `branch` and `base` are chosen where they are not given. */
const worktreeBody = z.object({
  branch: line.max(200).nullish(),
  base: line.max(200).nullish(),
  /** Whether the set-up script of the repository runs, if there is one. */
  setup: z.boolean().default(true),
});
/** False: none, whatever the profile says. */
export const worktreeFields = { worktree: worktreeBody.or(z.literal(false)).nullish() };
export type WorktreeBody = z.infer<z.ZodObject<typeof worktreeFields>>;

export const worktreeView = z
  .object({
    session_id: z.string(),
    session_name: z.string(),
    /** Whether the session is there, ended, or was killed. */
    session: z.enum(['running', 'ended', 'killed']),
    path: z.string(),
    repository: z.string(),
    branch: nullableText,
    base: z.string(),
    state: z.enum(['making', 'ready', 'finishing', 'removing', 'archived', 'restoring']),
    /** Commits that the base has not, and that it has more. Null in all of these: it cannot be told. */
    ahead: nullableNumber,
    behind: nullableNumber,
    changed: nullableNumber,
    untracked: nullableNumber,
    size_bytes: nullableNumber,
    /** Why it cannot be looked at. */
    fault: nullableText,
  })
  .openapi('Worktree');
export type WorktreeView = z.infer<typeof worktreeView>;

const setupAnswer = z.object({
  /** The script that would run and is not allowed; null: nothing stands against it. */
  unallowed: z.object({ hash: z.string(), text: z.string() }).nullable(),
});
export type SetupAnswer = z.infer<typeof setupAnswer>;

const removalPlan = z.object({
  session_id: z.string(),
  path: z.string(),
  /** Why it stays; null: it would go. */
  why: nullableText,
  kept: z.object({ count: z.number(), bytes: z.number() }),
  given_up: z.array(z.object({ path: z.string(), bytes: z.number() })),
});
export type RemovalPlanView = z.infer<typeof removalPlan>;

const begun = z.object({
  status: z.enum(['removing', 'restoring', 'finishing']),
  session_id: z.string(),
  after: z.number(),
});
export type WorktreeBegun = z.infer<typeof begun>;

const finishPlan = z.object({
  session_id: z.string(),
  branch: z.string(),
  into: z.string(),
  /** Where both branches are; the order names them, so that nothing else is done than was shown. */
  tip: z.string(),
  target: z.string(),
  commits: z.array(z.string()),
  stat: z.string(),
  conflicts: z.array(z.string()),
  /** Where the other branch is checked out. */
  checkout: nullableText,
});
export type FinishPlanView = z.infer<typeof finishPlan>;

export const worktreeRoutes = {
  'GET /sessions/{ref}/worktree/finish': {
    summary: 'What would happen if the work of a session went into another branch',
    query: z.object({ into: line.max(200).optional() }),
    answer: finishPlan,
  },
  'POST /sessions/{ref}/worktree/finish': {
    summary: 'Bring the work of a session into another branch; events tell how it went',
    body: requesterBody
      .extend({
        how: z.enum(['merge', 'rebase', 'squash']),
        into: line.max(200),
        tip: line.max(64),
        target: line.max(64),
      })
      .openapi('FinishWorktree'),
    answer: begun,
  },
  'GET /sessions/{ref}/worktree/removal': {
    summary: 'What would happen if the worktree of a session were removed now',
    answer: removalPlan,
  },
  'POST /sessions/{ref}/worktree/remove': {
    summary: 'Remove the worktree of a session, if nothing is lost with it; events tell how it went',
    body: requesterBody
      .extend({ give_up: z.array(z.string()).max(10_000).default([]) })
      .openapi('RemoveWorktree'),
    bodyOptional: true,
    answer: begun,
  },
  'POST /sessions/{ref}/worktree/restore': {
    summary: 'Bring the worktree of a session back; events tell how it went',
    body: requesterBody,
    bodyOptional: true,
    answer: begun,
  },
  'GET /worktrees/setup': {
    summary: 'The set-up script that a worktree of this directory would run, if it is not allowed',
    query: z.object({
      path: z.string().startsWith('/').max(4_096),
      branch: line.max(200).optional(),
      base: line.max(200).optional(),
    }),
    answer: setupAnswer,
  },
  'POST /worktrees/allow': {
    summary: 'Allow a set-up script, by the SHA-256 of its content',
    body: requesterBody
      .extend({ hash: z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hex') })
      .openapi('AllowSetup'),
    answer: z.object({ status: z.literal('allowed'), hash: z.string() }),
  },
  'GET /worktrees': {
    summary: 'The worktrees of sessions',
    query: z.object({ archived: z.stringbool().default(false) }),
    answer: z.object({ worktrees: z.array(worktreeView) }),
  },
} as const;
