// The one way in which a message changes its state, so that the history always says so.
import type { Change } from './change.ts';
import type { MessageEvent } from './event.ts';
import type { Message, MessageState } from './message.ts';

type Stateless = Omit<Message, 'state'>;

/** `why`: of one that waits again; any other state says it itself. */
export function become(c: Change, message: Stateless, state: MessageState, why?: string): void {
  c.put({ ...message, state });
  c.emit(eventOf(message, state, why));
}

function eventOf({ id, from, mode }: Stateless, state: MessageState, why?: string): MessageEvent {
  const about = { type: 'message', message: id } as const;
  switch (state.is) {
    case 'queued':
      return why === undefined
        ? { type: 'message', message: id, state: 'queued', from, mode }
        : { type: 'message', message: id, state: 'queued', from, mode, why };
    case 'held':
    case 'withdrawn':
    case 'expired':
      return { ...about, state: state.is, why: state.why } as MessageEvent;
    case 'typed':
      return { ...about, state: 'typed', attempt: state.attempt };
    case 'accepted':
      return { ...about, state: 'accepted', turn: state.turn, evidence: state.evidence };
    case 'answered':
      return { ...about, state: 'answered', turn: state.turn };
    default: {
      const { is, why: reason, turn } = state;
      return { ...about, state: is, why: reason, ...(turn !== undefined && { turn }) };
    }
  }
}
