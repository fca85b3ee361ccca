// What the daemon tells of a reminder that is still to come.
import type { MessageView } from './message.ts';

export interface OneShotView {
  reminder_id: string;
  session_id: string;
  session_name: string;
  at: string;
  fires_in_seconds: number;
  /** Null: only once. */
  every_seconds: number | null;
  message: string;
  from: MessageView['from'];
}
