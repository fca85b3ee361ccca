// What a route knows of its request besides what is in it.
import type { Session } from '../domain/core/session.ts';
import type { Present } from './devices.ts';
import type { Caller } from './guard.ts';

export type Env = {
  /** Which door the request came through. */
  Bindings: {
    via: 'unix' | 'tcp';
    /** The address of whoever asks, as far as it is known. */
    from?: string;
  };
  Variables: {
    caller: Caller;
    /** The browser whose page asks; null: it is another program. */
    device: Present | null;
    /** The session for which the request acts; null: for the person. */
    requester: Session | null;
  };
};
