// Locks on workspaces, and who works in a workspace.
import { z } from '@hono/zod-openapi';
import { line, requesterBody, seconds } from './fields.ts';
import { lockView } from './lock-view.ts';
import { sessionView } from './session-view.ts';

export type { LockView } from './lock-view.ts';

const lockBody = requesterBody
  .extend({
    reason: line.max(500),
    /** Any path in the workspace; the directory of the session otherwise. */
    path: z.string().startsWith('/').max(4_096).nullish(),
    enforce: z.boolean().default(false),
    wait_seconds: seconds.nullish(),
  })
  .openapi('LockRequest');

/** `waiting` when it is another's, who is then the one that `lock` names. */
const lockAnswer = z.object({ status: z.enum(['locked', 'waiting']), lock: lockView });
export type LockAnswer = z.infer<typeof lockAnswer>;

/** Who works there. */
const workspaceView = z.object({
  workspace: z.string(),
  lock: lockView.nullable(),
  sessions: z.array(sessionView),
});
export type WorkspaceView = z.infer<typeof workspaceView>;

export const lockRoutes = {
  'GET /locks': { summary: 'Every lock that is held', answer: z.object({ locks: z.array(lockView) }) },
  'GET /workspace': {
    summary: 'Who works in the workspace of a directory, and who has locked it',
    query: z.object({ path: z.string().startsWith('/').max(4_096) }),
    answer: workspaceView,
  },
  'POST /sessions/{ref}/lock': {
    summary: 'Lock a workspace for a session, or wait for the lock',
    body: lockBody,
    answer: lockAnswer,
  },
  'DELETE /sessions/{ref}/lock': {
    summary: 'Release the lock of a session',
    body: requesterBody,
    bodyOptional: true,
    answer: z.object({ status: z.literal('released'), session_id: z.string(), workspace: z.string() }),
  },
} as const;
