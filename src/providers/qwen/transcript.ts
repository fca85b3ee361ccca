// Qwen Code's transcript, one JSON object a line: what it was told in the middle of a turn, its tools, what it used up,
// and that a turn was cut in a tool. Ends of turns are told by hooks, and prompts by both.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Fact } from '../../domain/core/fact.ts';
import { noTokens } from '../../domain/core/spending.ts';
import type { ReadingFrom, TranscriptReader } from '../../ports/provider.ts';
import { list, number, present, record, text } from '../values.ts';

type Json = Record<string, unknown>;

export function readQwenTranscript({ turnId, since = 0 }: Omit<ReadingFrom, 'providerId'>): TranscriptReader {
  let current = turnId;
  /** The last prompt, until the line behind it names its turn. */
  let prompt: string | null = null;
  /** The calls of the present answer that have no result yet, and whether one of them was let run. */
  const open = new Set<string>();
  let ran = false;

  function readLine(words: string): Fact[] {
    const line = parse(words);
    const providerId = line && text(line.sessionId);
    if (!line || !providerId) return [];
    current = turnIn(line, providerId) ?? current;
    if (since > 0 && Date.parse(text(line.timestamp) ?? '') < since) return [];
    switch (line.type) {
      case 'user':
        return prompted(line, providerId);
      case 'assistant':
        return toolsBegin(line, providerId);
      case 'tool_result':
        return toolEnds(line, providerId);
      case 'system':
        return [...submitted(line, providerId), ...present(spentIn(line, providerId))];
      default:
        return [];
    }
  }

  function prompted(line: Json, providerId: string): Fact[] {
    const words = promptOf(line);
    if (line.subtype !== 'mid_turn_user_message') prompt = words;
    else if (words !== null) return [{ is: 'prompt-absorbed', providerId, turnId: current, text: words }];
    return [];
  }

  function submitted(line: Json, providerId: string): Fact[] {
    if (prompt === null || line.subtype !== 'file_history_snapshot' || turnIn(line, providerId) === null)
      return [];
    const words = prompt;
    prompt = null;
    return [{ is: 'prompt-submitted', providerId, turnId: current, text: words, transcriptPath: null }];
  }

  const step = (providerId: string, name: 'tool-began' | 'tool-ended'): Fact => ({
    is: 'activity',
    providerId,
    turnId: current,
    subject: null,
    step: name,
  });

  function toolsBegin(line: Json, providerId: string): Fact[] {
    const calls = partsOf(line).flatMap((part) => present(text(record(part.functionCall).id)));
    if (calls.length === 0) return [];
    open.clear();
    ran = false;
    for (const id of calls) open.add(id);
    return [...open].map(() => step(providerId, 'tool-began'));
  }

  /** An answer whose calls were all stopped is not gone on with: it does not even tell the model. */
  function toolEnds(line: Json, providerId: string): Fact[] {
    const { callId, status } = record(line.toolCallResult);
    const id = text(callId);
    if (id === null || !open.delete(id)) return [];
    if (status !== 'cancelled') ran = true;
    const ended = step(providerId, 'tool-ended');
    if (open.size > 0 || ran || current === null) return [ended];
    return [ended, { is: 'turn-ended', end: 'interrupted', providerId, turnId: current }];
  }

  return {
    line: readLine,
    get turnId() {
      return current;
    },
  };
}

/** Behind each prompt stands a snapshot that names it, and so does each answer. Agents inside it have other names. */
function turnIn(line: Json, providerId: string): string | null {
  const { snapshots, uiEvent } = record(line.systemPayload);
  const named = text(record(uiEvent).prompt_id) ?? text(record(list(snapshots).at(-1)).promptId);
  if (!named?.startsWith(providerId)) return null;
  return /^#+\d+$/.test(named.slice(providerId.length)) ? named : null;
}

function spentIn(line: Json, providerId: string): Fact | null {
  const event = record(record(line.systemPayload).uiEvent);
  const meter = text(event.response_id);
  if (event['event.name'] !== 'qwen-code.api_response' || !meter) return null;
  const cacheRead = number(event.cached_content_token_count) ?? 0;
  const tokens = {
    // It counts what came from the cache among its input.
    input: Math.max(0, (number(event.input_token_count) ?? 0) - cacheRead),
    cacheRead,
    cacheWrite: 0,
    output: number(event.output_token_count) ?? 0,
  };
  return { is: 'spent', providerId, meter, before: noTokens, tokens, model: text(event.model) };
}

export const partsOf = (line: Json): Json[] => list(record(line.message).parts).map(record);

/** The text of a human's prompt; null: it is none. */
export function promptOf(line: Json): string | null {
  if (line.type !== 'user') return null;
  const texts = partsOf(line).flatMap((part) => present(text(part.text)));
  return texts.length > 0 ? texts.join('\n') : null;
}

export function parse(words: string): Json | null {
  try {
    const line: unknown = JSON.parse(words);
    return typeof line === 'object' && line !== null && !Array.isArray(line) ? (line as Json) : null;
  } catch {
    return null;
  }
}

/** It resumes only what has a prompt in it; the file comes a little later than the hooks. */
export async function hasConversation(path: string | null): Promise<boolean> {
  if (path === null) return false;
  const file = createReadStream(path);
  try {
    for await (const line of createInterface({ input: file }))
      if (promptOf(parse(line) ?? {}) !== null) return true;
  } catch {
    // There is no such file.
  } finally {
    file.destroy();
  }
  return false;
}
