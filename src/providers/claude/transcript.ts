// Claude Code's transcript, one JSON object a line: the proof of what the hooks do not tell, interrupts above all.
// Most lines name no turn; they belong to the prompt before them, so the reader remembers that.
import type { LimitReached } from '../../domain/core/ending.ts';
import type { Fact } from '../../domain/core/fact.ts';
import { noTokens } from '../../domain/core/spending.ts';
import type { ReadingFrom, TranscriptReader } from '../../ports/provider.ts';
import { hasPromptIn } from '../has-prompt.ts';
import { number, record, text, timeIn } from '../values.ts';

/**
 * The lines of a copied conversation stand before its own, under its own id and even under the id of its first prompt:
 * only the time tells them apart.
 */
export function readClaudeTranscript({
  turnId,
  since = 0,
}: Omit<ReadingFrom, 'providerId'>): TranscriptReader {
  let current = turnId;
  let lastWords: string | null = null;
  let failed = false;
  let endedTurn: string | null = null;
  let limit: LimitReached | null = null;
  /** The last words of this turn have been told as such. */
  let closed: string | null = null;
  /** The id of a command that the program runs itself (`/compact`): its lines look like prompts, and no turn comes of them. */
  let command: string | null = null;
  /** Which turn spoke a message: an interrupt names the message that it cut, and not always the right prompt. */
  const spokenIn = new Map<string, string | null>();

  function readLine(words: string): Fact[] {
    // Requests and snapshots are most of the bytes and say nothing that we need: do not even parse them.
    if (!/"type":\s*"(user|assistant|system|attachment|queue-operation)"/.test(words)) return [];
    const line = parse(words);
    if (!line || line.isSidechain || !line.sessionId) return [];
    if (since > 0 && Date.parse(line.timestamp ?? '') < since) return [];
    return [told(line, line.sessionId), spentIn(line, line.sessionId)].filter((fact) => fact !== null);
  }

  function told(line: Line, providerId: string): Fact | null {
    if (line.isMeta) {
      if (wordsOf(line.message.content)?.startsWith('<local-command-caveat>')) command = line.promptId;
      return null;
    }
    switch (line.type) {
      case 'assistant':
        lastWords = wordsOf(line.message.content) ?? lastWords;
        failed = line.isApiErrorMessage;
        limit = failed ? limitIn(line) : null;
        if (line.message.id) remember(spokenIn, line.message.id, current);
        return lastOfTurn.has(line.message.stopReason ?? '') ? closing(providerId) : null;
      case 'user': {
        closed = null;
        const prompt = wordsOf(line.message.content);
        if (prompt === null || !line.promptId || line.isCompactSummary) return null;
        // A prompt that is typed at once behind a command has the id of the command.
        if (line.promptId === command && ofCommand.test(prompt)) return null;
        if (prompt.startsWith('[Request interrupted by user'))
          return { is: 'turn-ended', end: 'interrupted', providerId, turnId: cutBy(line) };
        current = line.promptId;
        lastWords = null;
        failed = false;
        return { is: 'prompt-submitted', providerId, turnId: current, text: prompt, transcriptPath: null };
      }
      case 'attachment': {
        const { type, prompt } = line.attachment;
        const words = type === 'queued_command' ? wordsOf(prompt) : null;
        return words === null ? null : { is: 'prompt-absorbed', providerId, turnId: current, text: words };
      }
      case 'queue-operation':
        if (line.operation !== 'enqueue' || !line.content) return null;
        return { is: 'prompt-enqueued', providerId, text: line.content };
      case 'system':
        // It is written before the hooks of the turn's end may have made the turn go on.
        if (line.subtype === 'stop_hook_summary') return closing(providerId);
        if (line.subtype !== 'turn_duration' || current === null) return null;
        endedTurn = current;
        // The hook of a failed turn is not waited for, so this line may well come first.
        if (failed)
          return {
            is: 'turn-ended',
            end: 'failed',
            providerId,
            turnId: current,
            lastWords: lastWords ?? 'unknown error',
            ...(limit && { limit }),
          };
        return { is: 'turn-ended', end: 'ended', providerId, turnId: current, lastWords, stillRuns: 0 };
      default:
        return null;
    }
  }

  function closing(providerId: string): Fact | null {
    if (current === null || failed || lastWords === null || lastWords === closed) return null;
    closed = lastWords;
    return { is: 'turn-closing', providerId, turnId: current, lastWords };
  }

  function cutBy({ interruptedMessageId: cut, promptId }: Line): string | null {
    return (cut !== null && spokenIn.get(cut)) || promptId;
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

/** The line of the error says for certain whether nothing is left, and when that changes. */
function limitIn({ quotaLimits }: Line): LimitReached | null {
  return quotaLimits.status === 'rejected' ? { resetsAt: timeIn(quotaLimits.resetsAt) } : null;
}

/** An answer of the model takes a line for each of its blocks, and each tells what all of it has used so far. */
function spentIn({ type, message }: Line, providerId: string): Fact | null {
  const { id, usage, model } = message;
  if (type !== 'assistant' || !id || !usage || model === '<synthetic>') return null;
  const tokens = {
    input: number(usage.input_tokens) ?? 0,
    cacheRead: number(usage.cache_read_input_tokens) ?? 0,
    cacheWrite: number(usage.cache_creation_input_tokens) ?? 0,
    output: number(usage.output_tokens) ?? 0,
  };
  return { is: 'spent', providerId, meter: id, before: noTokens, tokens, model };
}

/** How the lines of a command of the agent's own begin. */
const ofCommand = /^<(command-|local-command-|bash-)/;

/** Why a model stops when it does not want a tool: nothing of the turn follows but its end. */
const lastOfTurn: ReadonlySet<string> = new Set(['end_turn', 'stop_sequence', 'max_tokens', 'refusal']);

/**
 * Claude Code resumes a conversation only if its file has a prompt in it. The file lags behind the hooks by up to
 * 150 ms, so an agent that is killed soon after its first prompt has none.
 */
export const hasConversation = (path: string | null): Promise<boolean> =>
  hasPromptIn(path, readClaudeTranscript({ turnId: null }));

interface Line {
  readonly type: string | null;
  readonly subtype: string | null;
  readonly sessionId: string | null;
  readonly timestamp: string | null;
  readonly promptId: string | null;
  readonly isSidechain: boolean;
  readonly isMeta: boolean;
  readonly isCompactSummary: boolean;
  readonly isApiErrorMessage: boolean;
  readonly message: {
    readonly id: string | null;
    readonly model: string | null;
    readonly content: unknown;
    readonly stopReason: string | null;
    readonly usage: Record<string, unknown> | null;
  };
  readonly interruptedMessageId: string | null;
  /** Of an error: what is left of the limits of the account. */
  readonly quotaLimits: Record<string, unknown>;
  readonly attachment: Record<string, unknown>;
  readonly operation: string | null;
  readonly content: string | null;
}

function parse(words: string): Line | null {
  let line: Record<string, unknown>;
  try {
    line = record(JSON.parse(words));
  } catch {
    return null;
  }
  const message = record(line.message);
  return {
    type: text(line.type),
    subtype: text(line.subtype),
    sessionId: text(line.sessionId),
    timestamp: text(line.timestamp),
    promptId: text(line.promptId),
    isSidechain: Boolean(line.isSidechain),
    isMeta: Boolean(line.isMeta),
    isCompactSummary: Boolean(line.isCompactSummary),
    isApiErrorMessage: line.isApiErrorMessage === true,
    message: {
      id: text(message.id),
      model: text(message.model),
      content: message.content,
      stopReason: text(message.stop_reason),
      usage: message.usage ? record(message.usage) : null,
    },
    interruptedMessageId: text(line.interruptedMessageId),
    quotaLimits: record(line.quotaLimits),
    attachment: record(line.attachment),
    operation: text(line.operation),
    content: text(line.content),
  };
}

/** The last few are enough: what is cut was being said just now. */
function remember(map: Map<string, string | null>, message: string, turn: string | null): void {
  map.set(message, turn);
  if (map.size > 8) map.delete(map.keys().next().value as string);
}

/** The text of a content, or null when it has none (a tool's result, an image). */
function wordsOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((block) => (record(block).type === 'text' ? (text(block.text) ?? []) : []));
  return texts.length ? texts.join('\n') : null;
}
