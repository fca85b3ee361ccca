// Processes that are not ours: whether one runs, and ending it when its user says so.

export interface Processes {
  /** With its pid it names one process for ever. Null: there is none. */
  startedAt(pid: number): Promise<string | null>;
  /** Asks it to end, and says whether it did. Nobody is ended by force. */
  end(pid: number, startedAt: string): Promise<boolean>;
  /** The process, and all that came of it. */
  family(pid: number): Promise<ReadonlySet<number>>;
}
