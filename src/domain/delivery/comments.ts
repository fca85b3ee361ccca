// Comments on what a session has changed: gathered, taken back, and sent as one message.
import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import { conflict } from '../core/refusal.ts';
import { nameAndId, named } from '../core/session.ts';
import { send } from './queue.ts';

/** They are part of the session, which is written whole. */
export const mostComments = 100;

export function addComment(
  c: Change,
  { comment, by }: Extract<Input, { type: 'comment' }>,
): Refusal | undefined {
  const { comments } = c.session;
  if (comments.some(({ id }) => id === comment.id)) return undefined;
  if (comments.length >= mostComments)
    return conflict(
      `${nameAndId(c.session)} has ${mostComments} comments that were not sent. Send or delete some first.`,
      { is: 'too-many', of: 'comments', session: named(c.session), most: mostComments },
    );
  c.update({ comments: [...comments, { ...comment, by, at: c.now }] });
  const { id, path, line } = comment;
  c.emit({ type: 'comment', step: 'added', comments: [id], path, line, by });
  return undefined;
}

export function dropComment(
  c: Change,
  { id, by }: Extract<Input, { type: 'drop-comment' }>,
): Refusal | undefined {
  const { comments } = c.session;
  if (!comments.some((each) => each.id === id)) return noComment(id);
  c.update({ comments: comments.filter((each) => each.id !== id) });
  c.emit({ type: 'comment', step: 'deleted', comments: [id], by });
  return undefined;
}

/** The message says just those that were seen: if one is gone by now, nothing is sent. */
export function sendComments(
  c: Change,
  { comments: ids, sending }: Extract<Input, { type: 'send-comments' }>,
): Refusal | undefined {
  if (c.message(sending.id)) return undefined;
  const { comments } = c.session;
  const missing = ids.find((id) => !comments.some((each) => each.id === id));
  if (missing !== undefined) return noComment(missing);
  const refusal = send(c, { type: 'send', ...sending });
  if (refusal) return refusal;
  c.update({ comments: comments.filter(({ id }) => !ids.includes(id)) });
  c.emit({ type: 'comment', step: 'sent', comments: ids, message: sending.id });
  return undefined;
}

export const noComment = (id: string): Refusal => ({
  code: 'not-found',
  message: `No comment "${id}": it was deleted, or was sent.`,
  data: { is: 'no-comment', ref: id },
});
