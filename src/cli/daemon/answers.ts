// What the daemon answers to the commands about messages, beside what the protocol says of a message itself.

import type { EventView } from '../../protocol/event.ts';
import type { InputAnswer, MessageView } from '../../protocol/message.ts';

/** GET `/sessions/{ref}/send-queue` */
export interface QueueAnswer {
  readonly session_id: string;
  readonly is_idle: boolean;
  readonly pending_count: number;
  /** In the order in which they will go. */
  readonly pending_messages: MessageView[];
  /** Commands of the agent's own, the first to go first. */
  readonly pending_commands?: string[];
}

/** POST `/sessions/{ref}/slash` */
export interface SlashAnswer {
  readonly status: string;
  readonly session_id: string;
  /** What it waits for. */
  readonly why?: string | null;
}

/** GET `/messages/{id}`: with every event that names it, oldest first. */
export interface TraceAnswer {
  readonly message: MessageView;
  readonly events: EventView[];
}

/** POST `/sessions/{ref}/clear`: `cleared` only when it is proven. */
export interface ClearAnswer {
  readonly status: string;
  readonly session_id: string;
  /** What it waits for, if it is not done. */
  readonly why?: string | null;
  /** The prompt that follows it, which is a message. */
  readonly message?: InputAnswer | null;
}

/** POST `/sessions/{ref}/answer` */
export interface QuestionAnswer {
  readonly status: string;
  readonly session_id: string;
  /** What was asked. */
  readonly question?: string | null;
}

/** GET `/sessions/{ref}/handoff` */
export interface HandoffAnswer {
  readonly session_id: string;
  readonly file_path: string;
  readonly at: string;
  readonly context: number;
  readonly text: string | null;
}

/** GET `/sessions/context-monitor`, one of them */
export interface MonitorAnswer {
  readonly session_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly notify_session_id: string | null;
  readonly used_percentage: number | null;
  readonly warned: boolean;
  readonly critical: boolean;
}

/** POST `/sessions/{ref}/watch` */
export interface WatchAnswer {
  readonly status: string;
  readonly watch_id: string;
}
