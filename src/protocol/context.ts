// What the daemon tells of contexts: how full the present one is, how it came to that, and which there were.

/** GET `/sessions/{ref}/context` */
export interface CurveView {
  session_id: string;
  name: string;
  phase: string;
  /** The number of the present context. */
  context: number;
  used_percentage: number | null;
  tokens: number | null;
  window_size: number | null;
  model: string | null;
  cost_usd: number | null;
  /** Percentages at which the agent is told, if it is monitored. */
  marks: { warning: number; critical: number; monitored: boolean };
  /** When the context was last emptied. */
  cycle_began_at: string;
  /** The time of this answer. */
  at: string;
  /** Oldest first; one for each whole point of growth or loss, and the last before the context was emptied. */
  samples: SampleView[];
  moments: MomentView[];
  /** Older ones are there, which `limit` has left out. */
  more: boolean;
  forecast: ForecastView;
}

export interface SampleView {
  at: string;
  context: number;
  percentage: number;
  tokens: number | null;
}

export interface MomentView {
  at: string;
  /** `compacted`: a compaction is over. `launch`, `resume`, `clear`, `handoff`: how a context began. */
  is:
    | 'warning'
    | 'critical'
    | 'compaction'
    | 'compacted'
    | 'launch'
    | 'resume'
    | 'clear'
    | 'handoff'
    | 'exited'
    | 'lost';
  /** Of a mark. */
  percentage: number | null;
}

/** When the critical mark will be reached, at the pace of the last samples. */
export interface ForecastView {
  is: 'expected' | 'reached' | 'unknown';
  in_seconds: number | null;
  points_per_hour: number | null;
  /** Why it is not known. */
  why: string | null;
}

/** GET `/sessions/{ref}/contexts` */
export interface ContextsView {
  session_id: string;
  name: string;
  /** Oldest first. */
  contexts: ContextView[];
}

export interface ContextView {
  number: number;
  provider_id: string | null;
  /** The one that the session is in; it may have ended with its agent. */
  present: boolean;
  /** Null: it began before there were records. */
  began_at: string | null;
  /** `launch`, `clear`, `handoff` or `resume`. */
  began_by: string | null;
  ended_at: string | null;
  /** `clear`, `handoff`, `resume`, `exited`, `lost`, `killed`, or the agent's own word. */
  ended_by: string | null;
  /** Who cleared it, as far as it was done through sm. */
  ended_by_actor: { kind: 'session'; id: string } | { kind: 'person' } | null;
  ended_why: string | null;
  /** The fullest that it was. */
  peak_percentage: number | null;
  peak_tokens: number | null;
  /** By the agent's own account at the end; it may count on from one context to the next. */
  cost_usd: number | null;
  compactions: number;
}
