// Texts of our own: they go through a session's queue like every message, without a header.

import type { Draft } from '../core/change.ts';
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

/** One for the session that decides. */
export function enqueueOwn(
  d: Draft,
  { mode, text, evenCompacting = false }: { mode: Mode; text: string; evenCompacting?: boolean },
): MessageId {
  const id = d.nextId('r').replace('.', '');
  enqueue(d, ownText(id, mode, text), evenCompacting);
  return id;
}
