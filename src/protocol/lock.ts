// What the daemon tells of locks.

export interface LockView {
  /** The real path of the git root, or of a directory outside of any. */
  workspace: string;
  /** Its owner. */
  session_id: string;
  session_name: string;
  reason: string;
  since: string;
  /** Edits of other sessions in the workspace are denied. */
  enforced: boolean;
  waiting_session_ids: string[];
}

/** POST `/sessions/{ref}/lock`: `waiting` when it is another's, who is then the one that `lock` names. */
export interface LockAnswer {
  status: 'locked' | 'waiting';
  lock: LockView;
}
