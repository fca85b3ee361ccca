// What the daemon tells of a message.
export type MessageStateName =
  | 'queued'
  | 'held'
  | 'typed'
  | 'accepted'
  | 'answered'
  | 'cut-off'
  | 'interrupted'
  | 'died'
  | 'cleared'
  | 'unknown'
  | 'withdrawn'
  | 'expired'
  | 'failed';

export interface MessageView {
  id: string;
  session_id: string;
  from: { kind: 'session'; id: string; name: string } | { kind: 'person' } | { kind: 'sm' };
  mode: 'sequential' | 'important' | 'urgent';
  text: string;
  created_at: string;
  state: MessageStateName;
  /** Why it is held, or why it was not answered. */
  why: string | null;
  /** What proves that the agent has it. */
  evidence: { source: string; id: string; at: string } | null;
  /** The turn that took it. */
  turn: string | null;
}

/** The answer to a message that was sent. */
export interface InputAnswer {
  /** `delivered` only when it was accepted within a short wait. */
  status: 'delivered' | 'queued';
  session_id: string;
  delivery_mode: string;
  queue_position: number | null;
  message_id: string;
  state: MessageStateName;
  why: string | null;
  evidence: MessageView['evidence'];
}
