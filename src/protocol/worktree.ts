// Worktrees: asked for with a session, and listed.
import { z } from '@hono/zod-openapi';
import { line, nullableNumber, nullableText } from './fields.ts';

/** A worktree for a session that is started; `branch` and `base` are chosen where they are not given. */
const worktreeBody = z.object({
  branch: line.max(200).nullish(),
  base: line.max(200).nullish(),
});
export const worktreeFields = { worktree: worktreeBody.nullish() };
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
    state: z.enum(['making', 'ready']),
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

export const worktreeRoutes = {
  'GET /worktrees': {
    summary: 'The worktrees of sessions',
    answer: z.object({ worktrees: z.array(worktreeView) }),
  },
} as const;
