// What a request is answered that cannot be done. `detail` is a plain sentence; what to do about it each face says in its
// own terms, by `data`.
import { z } from '@hono/zod-openapi';

import { phase } from './session-view.ts';

const named = z.object({ id: z.string(), name: z.string() });
const names = z.array(z.string()).readonly();

/** One shape for several things that stand against a request. */
const about = <Is extends string, Shape extends z.ZodRawShape>(is: readonly [Is, ...Is[]], shape: Shape) =>
  z.object({ is: z.enum(is), ...shape });

/** What stands against it, for programs. */
const refusalData = z.discriminatedUnion('is', [
  about(['no-session', 'no-message', 'no-reminder', 'no-rule', 'no-device', 'no-comment', 'no-channel'], {
    ref: z.string(),
  }),
  about(['several-sessions'], { ref: z.string(), sessions: z.array(named).readonly() }),
  about(['several-rules'], { ref: z.string(), rules: names }),
  about(['several-messages'], {
    ref: z.string(),
    messages: z.array(z.object({ id: z.string(), text: z.string() })).readonly(),
  }),
  about(['id-taken'], { id: z.string() }),
  about(['name-taken'], { name: z.string() }),
  /** `session` has the name now; `killed` had it before. */
  about(['name-passed-on'], { session: named, killed: z.string() }),
  about(['conversation-taken'], { session: named, killed: z.boolean() }),
  about(['conversation-open'], {
    conversation: z.string(),
    pid: z.number().nullable(),
    session: named.optional(),
  }),
  about(['no-conversation'], { ref: z.string() }),
  about(['place-taken'], { team: z.string(), member: z.string(), by: named }),
  /** Too late to take it back. */
  about(['not-waiting'], { message: z.string(), state: z.string().nullable() }),
  /** `may`: the relations to the session that would do. */
  about(['not-allowed'], { session: named, act: z.string(), may: names }),
  about(['only-a-person'], {
    act: z.enum([
      'write-rules',
      'allow-setup',
      'try-programs',
      'sign-in',
      'forget-node',
      'adopt',
      'try-channel',
    ]),
  }),
  about(['not-yourself'], { session: z.string() }),
  /** It has not started, it has ended, or it was killed (then it is `exited`). */
  about(['not-running', 'no-turn'], { session: named, phase }),
  about(
    [
      'running',
      'working',
      'clearing',
      'typing',
      'rotating',
      'moving',
      'no-twin',
      'has-terminal',
      'no-work-done',
      'nothing-said',
      'no-handoff',
      'no-terminal',
      'no-question',
      'no-call',
      'already-answered',
      'no-waiting-hook',
      'no-lock',
      'no-worktree',
      'cannot-rotate',
      'cannot-finish',
      'cost-unknown',
      'no-diff',
    ],
    { session: named },
  ),
  about(['asks', 'another-question'], { session: named, question: z.string() }),
  /** It was asked for, begun, and did not come to its end. */
  about(['not-done'], {
    act: z.enum(['clear', 'interrupt', 'take-over', 'slash', 'press', 'resize', 'answer']),
    session: named,
    why: z.string(),
  }),
  about(['too-many'], {
    of: z.enum(['reminders', 'commands', 'comments']),
    session: named,
    most: z.number(),
  }),
  about(['old-process'], { session: named, pid: z.number().nullable() }),
  about(['variables-gone'], { session: named, names }),
  about(['locked'], { by: named, workspace: z.string(), reason: z.string() }),
  about(['holds-another', 'own-lock'], { workspace: z.string() }),
  about(['worktree'], {
    session: named,
    state: z.enum(['making', 'ready', 'finishing', 'removing', 'restoring', 'archived']),
  }),
  about(['worktree-in-use'], { session: named, by: z.array(named).readonly() }),
  about(['setup-not-allowed'], { directory: z.string() }),
  about(['gives-away'], { pattern: z.string() }),
  about(['configured-rule'], { rule: z.string() }),
  about(['nothing-to-review'], { directory: z.string(), of: z.enum(['repository', 'changes', 'revision']) }),
  about(['node-away'], { node: z.string(), why: z.string(), lost: z.boolean().optional() }),
  about(['id-taken'], { id: z.string() }),
  about(['session-gone', 'bad-configuration', 'daemon-failed', 'wrong-code'], {}),
]);
export type RefusalData = z.infer<typeof refusalData>;

export const errorView = z
  .object({
    /** A short code. */
    error: z.string(),
    /** What happened and why. */
    detail: z.string(),
    data: refusalData.optional(),
  })
  .openapi('Error');
export type ErrorView = z.infer<typeof errorView>;
