// What a route knows of its request besides what is in it.
import type { Session } from '../domain/core/session.ts';
import type { Caller } from './guard.ts';

export type Env = {
  /** Which door the request came through. */
  Bindings: { via: 'unix' | 'tcp' };
  Variables: {
    caller: Caller;
    /** The session for which the request acts; null: for the person. */
    requester: Session | null;
  };
};
