// What the daemon tells of a session. Snake case, because these are the fields that hook scripts and other
// programs of this kind already read.
import type { LockView } from './lock.ts';

export interface SessionView {
  id: string;
  name: string;
  friendly_name: string | null;
  /** What to call it: the friendly name if it has one. */
  display_name: string;
  provider: string;
  working_dir: string;
  git_remote_url: string | null;
  parent_session_id: string | null;
  /** The coarse state; `phase` is the exact one. */
  status: 'running' | 'idle' | 'stopped';
  phase: 'starting' | 'idle' | 'working' | 'blocked' | 'compacting' | 'rotating' | 'exited' | 'lost';
  created_at: string;
  last_activity: string;
  /** Null: the agent has no terminal. */
  tmux_session: string | null;
  current_task: string | null;
  agent_status_text: string | null;
  agent_status_at: string | null;
  last_handoff_path: string | null;
  tokens_used: number;
  transcript_path: string | null;
  model: string | null;
  agent_version: string | null;
  /** Since when its terminal has shown nothing that sm knows, so that nothing is typed into it; null: not that we know. */
  screen_unrecognised_since: string | null;
  context: {
    number: number;
    provider_id: string | null;
    began_at: string;
    used_percentage: number | null;
    window_size: number | null;
    cost_usd: number | null;
  };
  turn: { id: string | null; began_at: string } | null;
  /** It is asked for its status so many seconds after the last one; `next_at` is null while it cannot answer. */
  reminder: { soft_threshold: number; hard_threshold: number; since: string; next_at: string | null } | null;
  /** What it asks a human, while it is blocked. */
  question: { kind: 'permission' | 'dialog'; text: string; since: string } | null;
  /** Why it is exited or lost. */
  ended: { at: string; code: number | null; signal: number | null; reason: string; killed: boolean } | null;
  /** Messages that wait for it, and why the first of them is held back, if it is. */
  waiting: { count: number; held: string | null };
  /** The workspace that it has locked. */
  lock: LockView | null;
}

/** One that was asked for by what may be its name. */
export interface FoundSession extends SessionView {
  /** Others that were called so when they were killed, the last one first; not all of very many. */
  namesakes?: string[];
}

export interface EventView {
  number: number;
  session_id: string;
  at: string;
  type: string;
  [detail: string]: unknown;
}

export interface ErrorView {
  /** A short code. */
  error: string;
  /** What happened, why, and what to do. */
  detail: string;
}
