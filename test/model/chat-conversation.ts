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

export function readChatConversation({ messages: told, tools }: ChatRequest): Conversation {
  // Qwen Code puts a prompt that was cut and the next one into one message, as its parts.
  const messages = told.flatMap(partsOf);
  const newest = messages.findLastIndex((each, at) => isHuman(each) && !isTypedMidTurn(messages, at));
  const since = messages.slice(newest + 1);
  return {
    // opencode has no name for it.
    conversation: textOf(messages.find(isHuman) ?? { role: 'user' }),
    human: messages.filter(isHuman).map(textOf),
    prompt: newest < 0 ? '' : textOf(messages[newest] as Message),
    absorbed: since.filter(isHuman).map(textOf),
    toolResults: since.filter(({ role }) => role === 'tool').map(textOf),
    summarySeconds: Number(/\[\[summary ([\d.]+)\]\]/.exec(messages.map(textOf).join('\n'))?.[1] ?? 0),
    wantsSummary: wantsSummary(textOf(messages.at(-1) as Message), !tools?.length && !isTitle(messages)),
    // The title of a conversation, for one.
    isSideQuery: !tools?.length,
  };
}

/** Copilot asks for it with all its tools, and in words of its own. */
const wantsSummary = (asked: string, aside: boolean): boolean =>
  /^Please create a detailed summary of the conversation so far/.test(asked) ||
  (aside && /summar/i.test(asked));
function partsOf(message: Message): Message[] {
  const { role, content } = message;
  if (role !== 'user' || !Array.isArray(content)) return [message];
  return content.map((part) => ({ role, content: [part] }));
}

const isTitle = (messages: readonly Message[]): boolean =>
  messages.some((each) => each.role === 'system' && /title generator/i.test(textOf(each)));

/** What is given during a tool loop stands behind the result of a tool. A turn that was cut has another result there. */
function isTypedMidTurn(messages: readonly Message[], at: number): boolean {
  const before = messages.slice(0, at).findLast((each) => !isHuman(each));
  return (
    before?.role === 'tool' &&
    !/Tool execution (was interrupted|aborted|result was not recorded)/.test(textOf(before))
  );
}

const isHuman = (message: Message): boolean => message.role === 'user' && textOf(message) !== '';

/** Copilot says when it was asked, before every text of a human. */
const datetime = /^<current_datetime>[^<]*<\/current_datetime>\s*/;

/** During a tool loop opencode wraps a human's text, so that the model sees it. */
const wrapped =
  /^<system-reminder>\nThe user sent the following message:\n([\s\S]*?)\n\nPlease address[\s\S]*$/;

function textOf({ content }: Message): string {
  const said =
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
  const whole = said.replace(datetime, '');
  return (
    wrapped.exec(whole)?.[1] ?? whole.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
  ).trim();
}
