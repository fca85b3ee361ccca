// Gemini CLI's transcript, one JSON object a line: prompts, answers with their tokens, cancellations and errors. A line that
// begins otherwise repeats all that was said, or says only when.
import type { Fact } from '../../domain/core/fact.ts';
import type { ReadingFrom, TranscriptReader } from '../../ports/provider.ts';
import { hasPromptIn } from '../has-prompt.ts';
import { list, number, record, text } from '../values.ts';

const telling = /^\{"id":/;
const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export function readGeminiTranscript({ turnId, providerId }: ReadingFrom): TranscriptReader {
  let current = turnId;

  function readLine(words: string): Fact[] {
    if (providerId === null || !telling.test(words)) return [];
    const line = parse(words);
    const id = text(line.id);
    switch (line.type) {
      case 'user': {
        const prompt = promptIn(line);
        if (id === null || prompt === null) return [];
        current = id;
        return [{ is: 'prompt-submitted', providerId, turnId: id, text: prompt, transcriptPath: null }];
      }
      case 'gemini':
        return id === null ? [] : [...answer(line, providerId), ...spent(line, id, providerId)];
      case 'info':
        return current !== null && line.content === 'Request cancelled.'
          ? [{ is: 'turn-ended', end: 'interrupted', providerId, turnId: current }]
          : [];
      case 'error':
        return current === null
          ? []
          : [{ is: 'turn-ended', end: 'failed', providerId, turnId: current, lastWords: errorIn(line) }];
      default:
        return [];
    }
  }

  function answer(line: Line, providerId: string): Fact[] {
    const words = text(line.content);
    if (current === null || list(line.toolCalls).length > 0) return [];
    return words?.trim() ? [{ is: 'turn-closing', providerId, turnId: current, lastWords: words }] : [];
  }

  return {
    line: readLine,
    get turnId() {
      return current;
    },
  };
}

/** Results of tools are told as the user's, and so is what it is told of its surroundings. */
function promptIn(line: Line): string | null {
  const parts = list(line.content).map(record);
  if (parts.some((part) => part.functionResponse !== undefined)) return null;
  const said = parts.map((part) => text(part.text) ?? '').join('');
  return said === '' || said.startsWith('<session_context>') ? null : said;
}

/** One line of an answer may come again, with more in it. */
function spent(line: Line, meter: string, providerId: string): Fact[] {
  const told = record(line.tokens);
  const input = number(told.input);
  if (input === null) return [];
  const cacheRead = number(told.cached) ?? 0;
  const output = (number(told.output) ?? 0) + (number(told.thoughts) ?? 0);
  const tokens = { input: Math.max(0, input - cacheRead), cacheRead, cacheWrite: 0, output };
  const model = text(line.model);
  const usage = {
    percentage: null,
    tokens: number(told.total) ?? input,
    windowSize: null,
    model,
    costUsd: null,
  };
  return [
    { is: 'spent', providerId, meter, before: none, tokens, model },
    { is: 'usage', providerId, usage },
  ];
}

/** `[API Error: {"error":{"message":"no luck"}}]` */
function errorIn(line: Line): string {
  const whole = text(line.content) ?? 'unknown error';
  const inner = /^\[API Error: (.*)\]$/s.exec(whole)?.[1];
  if (inner === undefined) return whole;
  try {
    return text(record(record(JSON.parse(inner)).error).message) ?? inner;
  } catch {
    return inner;
  }
}

type Line = Record<string, unknown>;

function parse(words: string): Line {
  try {
    return record(JSON.parse(words));
  } catch {
    return {};
  }
}

export const hasPrompt = (path: string | null): Promise<boolean> =>
  hasPromptIn(path, readGeminiTranscript({ turnId: null, providerId: 'any' }));
