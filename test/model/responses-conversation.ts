// Reads a request of the OpenAI Responses API the way a model would: what did the human say last, and which of our
// tool calls have been answered since? Codex puts texts of its own beside his, as messages of the user.
import type { Conversation } from './conversation.ts';

export interface ResponsesRequest {
  model: string;
  stream?: boolean;
  input: Item[];
  tools?: { name?: string; type: string }[];
  prompt_cache_key?: string;
}

export interface Item {
  type: string;
  role?: string;
  content?: string | Content[];
  /** Of a tool's result. */
  output?: string | Content[];
}

interface Content {
  type: string;
  text?: string;
}

export function readResponsesConversation({
  input,
  tools,
  prompt_cache_key,
}: ResponsesRequest): Conversation {
  const newest = input.findLastIndex((item, at) => humanText(item) !== null && !isTypedMidTurn(input, at));
  const since = input.slice(newest + 1);
  const prompt = newest < 0 ? '' : humanText(input[newest]!)!;
  return {
    conversation: prompt_cache_key ?? '',
    human: input.flatMap((item) => humanText(item) ?? []),
    prompt,
    absorbed: since.flatMap((item) => humanText(item) ?? []),
    toolResults: since
      .filter((item) => item.type.endsWith('_call_output'))
      .map((item) => textOf(item.output)),
    summarySeconds: 0,
    wantsSummary: /CONTEXT CHECKPOINT COMPACTION/.test(lastText(input)),
    // The title of a conversation, for one.
    isSideQuery: !tools?.length,
  };
}

/** What is typed during a tool loop stands behind the result of a tool; a turn that was cut has a mark between. */
function isTypedMidTurn(input: readonly Item[], at: number): boolean {
  const before = input.slice(0, at).findLast((item) => humanText(item) === null);
  return before?.type.endsWith('_call_output') ?? false;
}

const agentsOwnText = /^<(environment_context|turn_aborted|user_instructions|skill|hook_)|^# AGENTS\.md/;

function humanText(item: Item): string | null {
  if (item.type !== 'message' || item.role !== 'user') return null;
  const text = textOf(item.content);
  return text && !agentsOwnText.test(text) ? text : null;
}

const lastText = (input: readonly Item[]): string => textOf(input.at(-1)?.content);

function textOf(content: string | Content[] | undefined): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}
