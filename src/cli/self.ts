// The session that calls us, for commands that mean it when no other is named.
import { Failure } from './failure.ts';
import { type Io, ownSessionId } from './io.ts';

export function requireSelf(io: Io, otherwise: string): string {
  const id = ownSessionId(io);
  if (id === undefined) {
    throw new Failure(`Not inside a session (CLAUDE_SESSION_MANAGER_ID is not set). ${otherwise}`, 2);
  }
  return id;
}
