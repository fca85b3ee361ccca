// What a session has changed, and comments on it.
import { z } from '@hono/zod-openapi';
import { actor, mode, nullableNumber, nullableText, requesterBody, requesterQuery } from './fields.ts';
import { inputAnswer } from './message.ts';

const path = z.string().min(1).max(4_096);
const side = z.enum(['old', 'new']);

const changedFile = z.object({
  path: z.string(),
  old_path: nullableText,
  is: z.enum(['added', 'removed', 'changed', 'renamed', 'conflicted', 'untracked']),
  /** Lines; null: it has none that can be counted. */
  added: nullableNumber,
  removed: nullableNumber,
  /** The hunks, as git writes them; null: they are left out. */
  patch: nullableText,
  left_out: z.enum(['binary', 'long', 'no-file']).nullable(),
});
export type ChangedFileView = z.infer<typeof changedFile>;

const diffView = z
  .object({
    session_id: z.string(),
    /** The root of the checkout. */
    directory: z.string(),
    /** What it is compared with: the branch that its worktree began from, or its last commit. */
    base: z.object({ name: z.string(), commit: nullableText }),
    files: z.array(changedFile),
    /** How many more have changed that are not listed. */
    more: z.number(),
  })
  .openapi('Diff');
export type DiffView = z.infer<typeof diffView>;

const commentView = z
  .object({
    id: z.string(),
    path: z.string(),
    /** `old`: the line is gone, and the number is the one that it had. */
    side,
    line: z.number(),
    /** What stood there when it was written. */
    quote: z.string(),
    text: z.string(),
    by: actor,
    at: z.string(),
  })
  .openapi('Comment');
export type CommentView = z.infer<typeof commentView>;

const comments = z.object({ session_id: z.string(), comments: z.array(commentView) });

export const diffRoutes = {
  'GET /sessions/{ref}/diff': {
    summary: 'What has changed where a session works',
    query: z.object({
      /** Only this file, of which more is told. */
      path: path.optional(),
      /** Only what is not committed, also in a worktree of its own. */
      uncommitted: z.stringbool().default(false),
    }),
    answer: diffView,
  },
  'GET /sessions/{ref}/comments': {
    summary: 'Comments on what a session has changed that were not sent yet',
    answer: comments,
  },
  'POST /sessions/{ref}/comments': {
    summary: 'Comment on a line',
    body: requesterBody
      .extend({
        path,
        side,
        line: z.number().int().min(1),
        quote: z.string().max(1_100),
        text: z.string().trim().min(1).max(4_000),
      })
      .openapi('NewComment'),
    answer: commentView,
  },
  'DELETE /sessions/{ref}/comments/{id}': {
    summary: 'Delete a comment that was not sent',
    query: requesterQuery,
    answer: comments,
  },
  'POST /sessions/{ref}/comments/send': {
    summary: 'Send comments to the session as one message',
    body: requesterBody
      .extend({
        /** The ids of those that were seen. */
        comments: z.array(z.string().max(64)).min(1).max(200),
        /** What comes before them. */
        text: z.string().max(8_000).nullish(),
        delivery_mode: mode.default('sequential'),
      })
      .openapi('SendComments'),
    answer: inputAnswer,
  },
} as const;
