// The conversation as a JSONL file. Lines are appended synchronously: their order is part of what they say.

import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import type { Faults } from './faults.ts';
import { version } from './version.ts';

export interface Transcript {
  readonly path: string;
  /** A line of the conversation itself: it gets an id and follows the one before it. */
  add(line: Line): string;
  /** A line beside the conversation (queue operations, modes), which has no id. */
  note(line: Line): void;
  /**
   * Writes the lines of another conversation as this one's, as the real program does: with its id and, whatever prompt
   * they belonged to, with the id of its first prompt.
   */
  takeOver(lines: readonly string[], promptId: string): void;
}

/** Between the two pieces of a line that is torn. */
const TORN_MS = 60;

export type Line = { type: string } & Record<string, unknown>;

export function openTranscript(
  path: string,
  sessionId: string,
  cwd: string,
  faults: Pick<Faults, 'losesLine' | 'tearsLine'>,
): Transcript {
  let parentUuid: string | null = null;
  const append = (text: string) => appendFileSync(path, text, { mode: 0o600 });
  const write = (line: Line) => {
    if (faults.losesLine(line)) return;
    const text = `${JSON.stringify(line)}\n`;
    if (!faults.tearsLine()) return append(text);
    const half = Math.floor(text.length / 2);
    append(text.slice(0, half));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TORN_MS);
    append(text.slice(half));
  };
  return {
    path,
    add(line) {
      const uuid = randomUUID();
      write({
        parentUuid,
        isSidechain: false,
        ...line,
        uuid,
        timestamp: new Date().toISOString(),
        userType: 'external',
        entrypoint: 'cli',
        cwd,
        sessionId,
        version,
      });
      parentUuid = uuid;
      return uuid;
    },
    note(line) {
      write({ ...line, timestamp: new Date().toISOString(), sessionId });
    },
    takeOver(lines, promptId) {
      for (const text of lines) {
        const line = JSON.parse(text) as Line;
        write({ ...line, sessionId, ...('promptId' in line && { promptId }) });
      }
    },
  };
}

export const readLines = (path: string): string[] => readFileSync(path, 'utf8').split('\n').filter(Boolean);

export interface History {
  said: { kind: 'prompt' | 'answer'; text: string }[];
  /** Input tokens of the last answer, or null when there was none since the last compaction. */
  inputTokens: number | null;
}

/** What a resumed conversation brings back; null when there is no such conversation. */
export function readHistory(path: string): History | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const history: History = { said: [], inputTokens: null };
  for (const line of text.split('\n').filter(Boolean)) {
    const entry = parsed(line);
    if (!entry) continue;
    if (entry.subtype === 'compact_boundary') history.inputTokens = null;
    if (entry.type === 'user' && isPrompt(entry))
      history.said.push({ kind: 'prompt', text: entry.message.content });
    if (entry.type === 'assistant') {
      history.inputTokens = entry.message.usage?.input_tokens ?? history.inputTokens;
      for (const block of entry.message.content)
        if (block.type === 'text') history.said.push({ kind: 'answer', text: block.text });
    }
  }
  return history;
}

/** A line that was torn, or is no line of a conversation, is passed over, as by the agent that this one stands for. */
// biome-ignore lint/suspicious/noExplicitAny: the lines are ours, and of many shapes
function parsed(line: string): any {
  try {
    const entry = JSON.parse(line);
    return typeof entry?.type === 'string' ? entry : null;
  } catch {
    return null;
  }
}

/** User lines are also tool results, summaries and the traces of commands. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function isPrompt(entry: any): boolean {
  const { content } = entry.message;
  return typeof content === 'string' && !content.startsWith('<') && !entry.isCompactSummary && !entry.isMeta;
}
