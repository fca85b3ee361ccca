// The events that tell, days later, what happened: a digest is made from them alone.
import type { EventName, EventNamed } from './event.ts';

export const highlights = [
  'session created',
  'session restored',
  'session killed',
  'session exited',
  'session lost',
  'turn ended',
  'question asked',
  'question answered',
  'question ruled',
  'question closed',
  'message failed',
  'reminder sent',
  'compaction began',
  'handoff done',
  'handoff failed',
  'screen unrecognised',
  'worktree finished',
  'limit reached',
  'reminder unheeded',
  'budget used-up',
] as const satisfies readonly EventName[];

export type Highlight = EventNamed<(typeof highlights)[number]>;
