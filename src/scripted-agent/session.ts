// One conversation: its id, its transcript, what it has been told beside the prompts, and its tokens.

import { randomUUID } from 'node:crypto';
import type { Faults } from './faults.ts';
import { openTranscript, type Transcript } from './transcript.ts';

export interface Session {
  readonly id: string;
  readonly transcript: Transcript;
  /** The lines of the conversation that this is a copy of, until they are written into its own transcript. */
  copied: readonly string[];
  /** The prompt that hooks and transcript lines belong to now. */
  promptId: string | null;
  /** Additional context that hooks gave, oldest first. */
  readonly context: string[];
  readonly tokens: Tokens;
  /** Since this process has it. */
  costUsd: number;
  readonly backgroundTasks: BackgroundTask[];
  readonly startedAt: number;
}

export interface Tokens {
  /** Of the last answer; null before the first one, and after a compaction until the next. */
  input: number | null;
  /** What the next answer will report, unless a directive has fixed the figure. */
  next: number;
  fixed: number | null;
  window: number;
}

export interface BackgroundTask {
  id: string;
  type: 'shell';
  status: 'running';
  description: string;
  command: string;
}

const FRESH_TOKENS = 20_000;
export const TOKENS_PER_ANSWER = 500;
export const COMPACTED_TOKENS = 3_000;
export const OUTPUT_TOKENS = 20;
const WINDOW = 200_000;

export function createSession(
  id: string,
  transcriptPath: string,
  cwd: string,
  faults: Pick<Faults, 'losesLine' | 'tearsLine'>,
): Session {
  return {
    id,
    transcript: openTranscript(transcriptPath, id, cwd, faults),
    copied: [],
    promptId: null,
    context: [],
    tokens: { input: null, next: FRESH_TOKENS, fixed: null, window: WINDOW },
    costUsd: 0,
    backgroundTasks: [],
    startedAt: Date.now(),
  };
}

export const newId = (): string => randomUUID();
