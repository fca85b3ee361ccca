// Texts of our own: they go through a session's queue like every message, without a header.

import type { Change } from '../core/change.ts';
import type { Sending } from '../core/message.ts';
import { quietly } from '../core/message.ts';
import type { MessageId, Mode } from '../core/names.ts';
import { enqueue } from './queue.ts';

export const ownText = (id: MessageId, mode: Mode, text: string): Sending => ({
  id,
  text,
  file: null,
  headed: false,
  from: { kind: 'sm' },
  mode,
  notify: quietly,
  remind: null,
  expiresAt: null,
});

/** Puts one into the queue of the session that decides. */
export function enqueueOwn(
  c: Change,
  { mode, text, evenCompacting = false }: { mode: Mode; text: string; evenCompacting?: boolean },
): MessageId {
  const id = c.nextId('r').replace('.', '');
  enqueue(c, ownText(id, mode, text), evenCompacting);
  return id;
}
