// Copilot's events file, line by line: the main source of facts. It is written in batches, up to half a second behind, and
// tells everything in its order: prompts, tools, questions, how a turn ended, and how full the context is. It also has
// every call of a hook, and so the end of the last one of a turn, which no other line tells.
import type { Fact } from '../../domain/core/fact.ts';
import { noTokens } from '../../domain/core/spending.ts';
import type { ReadingFrom, TranscriptReader } from '../../ports/provider.ts';
import { hasPromptIn } from '../has-prompt.ts';
import { list, number, record, text } from '../values.ts';
import { backgroundShells } from './background.ts';
import { turnOf } from './hooks.ts';

/** Many lines are long and say nothing that we need: do not even parse them. */
const telling =
  /^\{"type":"(user\.message|system\.notification|assistant\.(turn_start|message|turn_end)|hook\.(start|end)|tool\.execution_(start|complete)|permission\.(requested|completed)|session\.(error|usage_record|compaction_complete)|abort)"/;

type Data = Record<string, unknown>;

export function readCopilotEvents({ turnId, providerId }: ReadingFrom): TranscriptReader {
  let current = turnId;
  let endedTurn: string | null = null;
  /** The id of the turn that the next prompt begins. */
  let prompted: string | null = null;
  let lastWords: string | null = null;
  let wantsTools = false;
  const shells = backgroundShells();

  function readLine(words: string): readonly Fact[] {
    if (providerId === null || !telling.test(words)) return [];
    const { type, data, agentId, id } = parse(words);
    if (type === 'session.usage_record') return usageIn(record(data.usage), id, agentId === null, providerId);
    // What agents inside the agent do is theirs; only what they ask stops it.
    if (agentId !== null && !type.startsWith('permission.')) return [];
    return told(type, data, providerId);
  }

  function told(type: string, data: Data, providerId: string): readonly Fact[] {
    const going: Fact = { is: 'activity', providerId, turnId: current, subject: null };
    switch (type) {
      case 'hook.start':
        if (data.hookType === 'userPromptSubmitted') prompted = turnOf(record(data.input).timestamp);
        return [];
      case 'user.message':
        return prompt(data, text(data.content) ?? '', providerId);
      case 'system.notification':
        shells.notified(data);
        // It begins a turn only where it came as a prompt does.
        return prompted === null ? [] : prompt(data, text(data.content) ?? '', providerId);
      case 'assistant.turn_start':
        current ??= text(data.interactionId);
        return [{ ...going, turnId: current }];
      case 'assistant.message':
        lastWords = text(data.content) || lastWords;
        wantsTools = list(data.toolRequests).length > 0;
        return [];
      case 'assistant.turn_end':
        if (current === null || wantsTools || lastWords === null) return [];
        return [{ is: 'turn-closing', providerId, turnId: current, lastWords }];
      case 'tool.execution_start':
        shells.toolBegan(data);
        return current === null ? [] : [going];
      case 'tool.execution_complete':
        shells.toolEnded(data);
        return current === null ? [] : [{ ...going, subject: text(data.toolCallId) }];
      case 'permission.requested':
        return data.resolvedByHook === true ? [] : [question(data, providerId)];
      case 'permission.completed':
        return [{ ...going, subject: text(data.toolCallId) }];
      case 'hook.end':
        return data.hookType === 'agentStop' ? stopped(record(data.output), providerId) : [];
      case 'session.error':
        return over({ end: 'failed', lastWords: text(data.message) ?? 'unknown error' }, providerId);
      case 'abort':
        return over({ end: 'interrupted' }, providerId);
      case 'session.compaction_complete':
        return compacted(data, providerId);
      default:
        return [];
    }
  }

  function prompt(data: Data, words: string, providerId: string): Fact[] {
    // Given while a tool ran, and taken up behind it.
    if (data.delivery === 'steering')
      return [{ is: 'prompt-absorbed', providerId, turnId: current, text: words }];
    current = prompted ?? text(data.interactionId) ?? text(data.messageId);
    prompted = null;
    lastWords = null;
    wantsTools = false;
    return [{ is: 'prompt-submitted', providerId, turnId: current, text: words, transcriptPath: null }];
  }

  function question(data: Data, providerId: string): Fact {
    const asked = record(data.permissionRequest);
    const what = text(asked.fullCommandText) ?? text(asked.fileName) ?? text(asked.url) ?? text(asked.path);
    const kind = text(asked.kind) ?? 'a tool';
    return {
      is: 'permission-asked',
      providerId,
      turnId: current,
      subject: text(asked.toolCallId),
      text: `${kind}: ${what ?? text(asked.intention) ?? JSON.stringify(asked)}`,
    };
  }

  /** A hook of the user's may make it go on; then a prompt follows. */
  function stopped(output: Data, providerId: string): Fact[] {
    if (output.decision === 'block') return [];
    return over({ end: 'ended', lastWords, stillRuns: shells.running }, providerId);
  }

  function over(how: Ending, providerId: string): Fact[] {
    if (current === null) return [];
    endedTurn = current;
    current = null;
    return [{ is: 'turn-ended', providerId, turnId: endedTurn, ...how }];
  }

  return {
    line: readLine,
    get turnId() {
      return current;
    },
    get endedTurn() {
      return endedTurn;
    },
  };
}

type Ending =
  | { readonly end: 'ended'; readonly lastWords: string | null; readonly stillRuns: number }
  | { readonly end: 'failed'; readonly lastWords: string }
  | { readonly end: 'interrupted' };

/** A conversation without a prompt is not kept. */
export const hasPrompt = (path: string | null): Promise<boolean> =>
  hasPromptIn(path, readCopilotEvents({ turnId: null, providerId: 'any' }));

/** One answer of the model. What agents inside the agent use up is used up, but not of the context. */
function usageIn(usage: Data, meter: string | null, isMain: boolean, providerId: string): Fact[] {
  const input = number(usage.inputTokens);
  const model = text(usage.model);
  if (input === null || meter === null) return [];
  const cacheRead = number(usage.cacheReadTokens) ?? 0;
  const cacheWrite = number(usage.cacheWriteTokens) ?? 0;
  const tokens = {
    input: Math.max(0, input - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: number(usage.outputTokens) ?? 0,
  };
  const spent: Fact = { is: 'spent', providerId, meter, before: noTokens, tokens, model };
  return isMain ? [contextOf(input, number(usage.maxPromptTokens), model, providerId), spent] : [spent];
}

function compacted(data: Data, providerId: string): Fact[] {
  const left = number(data.postCompactionTokens);
  const ended: Fact = { is: 'compaction-ended', providerId };
  if (data.success !== true || left === null) return [ended];
  return [ended, contextOf(left, number(data.tokenLimit), text(data.model), providerId)];
}

function contextOf(
  tokens: number,
  windowSize: number | null,
  model: string | null,
  providerId: string,
): Fact {
  const percentage = windowSize ? Math.min(100, (100 * tokens) / windowSize) : null;
  return { is: 'usage', providerId, usage: { percentage, tokens, windowSize, model, costUsd: null } };
}

interface Line {
  readonly type: string;
  readonly data: Data;
  readonly agentId: string | null;
  readonly id: string | null;
}

function parse(words: string): Line {
  try {
    const line = record(JSON.parse(words));
    return {
      type: text(line.type) ?? '',
      data: record(line.data),
      agentId: text(line.agentId),
      id: text(line.id),
    };
  } catch {
    return { type: '', data: {}, agentId: null, id: null };
  }
}
