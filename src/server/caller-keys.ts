// Each session has a key of its own, and whoever presents it is that session. Keys are derived from a secret of the
// daemon's, so none is stored: a session gets its key at launch, in its environment, and nothing else has it.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionId } from '../domain/core/names.ts';

export interface CallerKeys {
  of(id: SessionId): string;
  /** Whose key it is; null: nobody's. */
  owner(key: string): SessionId | null;
}

/** Hooks present the same few keys again and again. */
const mostRemembered = 1_000;

export function callerKeys(secret: string): CallerKeys {
  const remembered = new Map<string, SessionId>();
  const keyOf = (id: SessionId) =>
    `${id}.${createHmac('sha256', secret).update(`session ${id}`).digest('hex')}`;

  function check(key: string): SessionId | null {
    const id = key.slice(0, Math.max(0, key.lastIndexOf('.')));
    const [given, wanted] = [Buffer.from(key), Buffer.from(keyOf(id))];
    return id !== '' && given.length === wanted.length && timingSafeEqual(given, wanted) ? id : null;
  }

  return {
    of: keyOf,
    owner(key) {
      const known = remembered.get(key);
      if (known !== undefined) return known;
      const id = check(key);
      if (id === null) return null;
      if (remembered.size >= mostRemembered) remembered.clear();
      remembered.set(key, id);
      return id;
    },
  };
}
