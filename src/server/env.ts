// What a route knows of its request besides what is in it.
import type { Session } from '../domain/core/session.ts';
import type { Present } from './devices.ts';
import type { Caller, Door } from './guard.ts';

/** Of a session of another node only what it is called is known. */
export type Requester = Pick<Session, 'id' | 'name' | 'friendlyName'> &
  Partial<Omit<Session, 'id' | 'name' | 'friendlyName'>>;

export type Env = {
  /** Which door the request came through. */
  Bindings: {
    via: Door['via'];
    box?: string;
    /** The node that it came from, and which of its sessions asks; null: its person does. */
    fleet?: { readonly node: string; readonly from: { readonly id: string; readonly name: string } | null };
    /** The address of whoever asks, as far as it is known. */
    from?: string;
  };
  Variables: {
    caller: Caller;
    /** The browser whose page asks; null: it is another program. */
    device: Present | null;
    /** The session for which the request acts; null: for the person. */
    requester: Requester | null;
  };
};
