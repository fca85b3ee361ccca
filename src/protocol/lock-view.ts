// What is told of a lock.
import { z } from '@hono/zod-openapi';

export const lockView = z
  .object({
    /** The real path of the git root, or of a directory outside of any. */
    workspace: z.string(),
    /** Its owner. */
    session_id: z.string(),
    session_name: z.string(),
    reason: z.string(),
    since: z.string(),
    /** Edits of other sessions in the workspace are denied. */
    enforced: z.boolean(),
    waiting_session_ids: z.array(z.string()),
  })
  .openapi('Lock');
export type LockView = z.infer<typeof lockView>;
