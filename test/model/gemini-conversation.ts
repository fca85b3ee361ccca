// Reads a request of the Gemini API the way a model would: what did the human say last, and which of our calls have been
// answered since?
import type { Conversation } from './conversation.ts';

export interface GeminiRequest {
  contents: Content[];
  tools?: { functionDeclarations?: { name: string }[] }[];
}

interface Content {
  role?: string;
  parts?: Part[];
}

interface Part {
  text?: string;
  functionResponse?: { response?: unknown };
}

export function readGeminiConversation({ contents, tools }: GeminiRequest): Conversation {
  const parts = contents.filter(({ role }) => role === 'user').flatMap((each) => each.parts ?? []);
  const newest = parts.findLastIndex(isHuman);
  const since = parts.slice(newest + 1);
  return {
    // It has no name for it.
    conversation: parts.find(isHuman)?.text ?? '',
    human: parts.filter(isHuman).map((part) => part.text as string),
    prompt: parts[newest]?.text ?? '',
    absorbed: [],
    toolResults: since.flatMap(({ functionResponse }) =>
      functionResponse ? [outputOf(functionResponse.response)] : [],
    ),
    summarySeconds: 0,
    wantsSummary: /state_snapshot|summar/i.test(parts.at(-1)?.text ?? '') && !tools?.length,
    isSideQuery: !tools?.length,
  };
}

/** What it says of its surroundings stands before all prompts. */
const isHuman = ({ text }: Part): boolean =>
  text !== undefined && text !== '' && !text.startsWith('<session_context>');

function outputOf(response: unknown): string {
  const { output = '' } = (response ?? {}) as { output?: string };
  return /Output: ([\s\S]*?)\n(Process Group|Exit Code|<\/untrusted)/.exec(output)?.[1] ?? output;
}
