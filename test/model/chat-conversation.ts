// Reads a request of the chat completions API the way a model would: what did the human say last, and which of our tool
// calls have been answered since?
import type { Conversation } from './conversation.ts';

export interface ChatRequest {
  model: string;
  stream?: boolean;
  messages: Message[];
  tools?: { function: { name: string } }[];
}

interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | { type: string; text?: string }[] | null;
  tool_calls?: unknown[];
}

export function readChatConversation({ messages, tools }: ChatRequest): Conversation {
  const newest = messages.findLastIndex((each, at) => isHuman(each) && !isTypedMidTurn(messages, at));
  const since = messages.slice(newest + 1);
  return {
    // opencode has no name for it.
    conversation: textOf(messages.find(isHuman) ?? { role: 'user' }),
    human: messages.filter(isHuman).map(textOf),
    prompt: newest < 0 ? '' : textOf(messages[newest] as Message),
    absorbed: since.filter(isHuman).map(textOf),
    toolResults: since.filter(({ role }) => role === 'tool').map(textOf),
    summarySeconds: 0,
    wantsSummary: /summar/i.test(textOf(messages.at(-1) as Message)) && !tools?.length && !isTitle(messages),
    // The title of a conversation, for one.
    isSideQuery: !tools?.length,
  };
}

const isTitle = (messages: readonly Message[]): boolean =>
  messages.some((each) => each.role === 'system' && /title generator/i.test(textOf(each)));

/** What is given during a tool loop stands behind the result of a tool. A turn that was cut has another result there. */
function isTypedMidTurn(messages: readonly Message[], at: number): boolean {
  const before = messages.slice(0, at).findLast((each) => !isHuman(each));
  return before?.role === 'tool' && !/Tool execution (was interrupted|aborted)/.test(textOf(before));
}

const isHuman = (message: Message): boolean => message.role === 'user' && textOf(message) !== '';

/** During a tool loop opencode wraps a human's text, so that the model sees it. */
const wrapped =
  /^<system-reminder>\nThe user sent the following message:\n([\s\S]*?)\n\nPlease address[\s\S]*$/;

function textOf({ content }: Message): string {
  const whole =
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
  return (
    wrapped.exec(whole)?.[1] ?? whole.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
  ).trim();
}
