// The documents that agents hand over to themselves.

import type { SessionId } from '../domain/core/names.ts';
import type { StartContext } from './provider.ts';

export interface Documents {
  /** Why it cannot be handed over; null: it can. */
  fault(path: string, within?: readonly string[]): Promise<string | null>;
  /** Keeps a copy, if it can be handed over and was written after that time. */
  keep(
    session: SessionId,
    context: number,
    document: {
      readonly path: string;
      readonly newerThan: number | null;
      /** The directories that it must be in, for an agent that has no others. */
      readonly within?: readonly string[] | undefined;
    },
  ): Promise<{ readonly copy: string } | { readonly fault: string }>;
  /** Puts it where the session's agent finds it again after a compaction. */
  publish(
    session: SessionId,
    document: { readonly path: string; readonly copy: string },
    how: StartContext,
  ): Promise<void>;
  read(copy: string): Promise<string | null>;
}
