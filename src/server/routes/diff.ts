// What a session has changed where it works, and comments on it that go to it as one message.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { type Comment, commentsText } from '../../domain/core/comment.ts';
import { stands } from '../../domain/core/refusal.ts';
import { nameAndId, type Session } from '../../domain/core/session.ts';
import { noComment } from '../../domain/delivery/comments.ts';
import { noWorktree } from '../../domain/life/worktrees.ts';
import type { CommentView } from '../../protocol/diff.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { sendMessage } from '../messages.ts';
import { Refused } from '../refused.ts';
import { find, findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';
import { answerOf } from './messages.ts';

export function diffRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /sessions/{ref}/diff'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const { path = null, uncommitted } = c.req.valid('query');
    const { directory, base, name } = comparison(session, uncommitted);
    // A repository of the agent's own making may name programs.
    const found =
      session.options.sandbox?.repository === null
        ? { fault: 'its sandbox began where no repository was' }
        : await service.worktrees.diff({ directory, base, path });
    if ('fault' in found) {
      const why = `The changes of ${nameAndId(session)} cannot be shown: ${found.fault}.`;
      throw new Refused(stands(session, 'no-diff', why));
    }
    const files = found.files.map(({ oldPath, leftOut, ...file }) => ({
      ...file,
      old_path: oldPath,
      left_out: leftOut,
    }));
    return c.json(
      {
        session_id: session.id,
        directory: found.root,
        base: { name, commit: found.commit },
        files,
        more: found.more,
      },
      200,
    );
  });

  app.openapi(describe('GET /sessions/{ref}/comments'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    return c.json(commentsOf(session), 200);
  });

  app.openapi(describe('POST /sessions/{ref}/comments'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { path, side, line, quote, text } = c.req.valid('json');
    const comment = { id: service.random.hex(8), path, side, line, quote, text };
    const answer = await submit(service, session.id, { type: 'comment', by: actorIn(c), comment });
    const added = answer.session.comments.find(({ id }) => id === comment.id) as Comment;
    return c.json(commentView(added), 200);
  });

  app.openapi(describe('DELETE /sessions/{ref}/comments/{id}'), async (c) => {
    const { ref, id } = c.req.valid('param');
    const { session } = find(service, ref);
    const answer = await submit(service, session.id, { type: 'drop-comment', by: actorIn(c), id });
    return c.json(commentsOf(answer.session), 200);
  });

  app.openapi(describe('POST /sessions/{ref}/comments/send'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { comments: ids, text, delivery_mode: mode } = c.req.valid('json');
    const comments = [...new Set(ids)].map((id) => theComment(session, id));
    const foreword = text?.trim() || null;
    const sent = await sendMessage(service, session.id, {
      text: commentsText(comments, foreword),
      from: c.get('requester'),
      mode,
      comments: { by: actorIn(c), ids: comments.map(({ id }) => id) },
    });
    return c.json(answerOf(service, sent.message, sent.place), 200);
  });
}

/** A worktree of its own is compared with what it began from; any other checkout may be everybody's. */
function comparison(session: Session, uncommitted: boolean) {
  const { worktree, workingDir } = session;
  if (!worktree) return { directory: workingDir, base: null, name: 'the last commit' };
  if (worktree.state.is !== 'ready' && worktree.state.is !== 'finishing')
    throw new Refused(noWorktree(session));
  const directory = worktree.path;
  if (uncommitted) return { directory, base: null, name: 'the last commit' };
  // What became one commit of its base is behind it.
  const base = worktree.finished?.tip ?? worktree.base.branch ?? worktree.base.commit;
  return { directory, base, name: worktree.finished ? 'where it was finished' : worktree.base.name };
}

function theComment({ comments }: Session, id: string): Comment {
  const found = comments.find((each) => each.id === id);
  if (!found) throw new Refused(noComment(id));
  return found;
}

const commentsOf = ({ id, comments }: Session) => ({
  session_id: id,
  comments: comments.map(commentView),
});

const commentView = ({ at, ...comment }: Comment): CommentView => ({
  ...comment,
  at: new Date(at).toISOString(),
});
