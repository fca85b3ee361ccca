// What the daemon tells of a workspace.
import type { LockView } from './lock.ts';
import type { SessionView } from './session.ts';

/** GET `/workspace`: who works there. */
export interface WorkspaceView {
  workspace: string;
  lock: LockView | null;
  sessions: SessionView[];
}
