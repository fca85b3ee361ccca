// Reads an Anthropic Messages request the way a model would: what did the human say last, and which of
// our tool calls have been answered since? Agents surround both with text of their own making.

export interface MessagesRequest {
  model: string;
  stream?: boolean;
  messages: { role: 'user' | 'assistant'; content: string | Block[] }[];
  tools?: { name: string }[];
  system?: string | Block[];
  metadata?: { user_id?: string };
}

interface Block {
  type: string;
  text?: string;
  content?: string | Block[];
}

export interface Conversation {
  /** The agent's own name for it: the same in all its requests. */
  conversation: string;
  /** Every text of the human in it, oldest first. */
  human: readonly string[];
  /** The newest human text, or '' when there is none. */
  prompt: string;
  /** Texts that the human typed since, while the agent worked, oldest first. */
  absorbed: readonly string[];
  /** Results of tool calls that were made because of that prompt, oldest first. */
  toolResults: readonly string[];
  /** The agent wants a summary of the conversation, to go on with instead of it. */
  wantsSummary: boolean;
  /** How long a summary takes: what the newest `[[summary SECONDS]]` says, wherever it stands. */
  summarySeconds: number;
  /** A query of the agent's own (a title, a topic check): those come without tools. */
  isSideQuery: boolean;
}

export function readConversation(request: MessagesRequest): Conversation {
  // Interrupted prompts are merged with the next one into a single user message, and text typed during a
  // turn stands beside a tool result; so blocks count, in their order, and not messages.
  const blocks = request.messages.filter((message) => message.role === 'user').flatMap(blocksOf);
  const newest = blocks.findLastIndex((block) => humanText(block) !== null);
  const prompt = newest < 0 ? '' : humanText(blocks[newest]!)!;
  const results = blocks
    .slice(newest + 1)
    .filter((block) => block.type === 'tool_result')
    .map(resultText);
  return {
    conversation: request.metadata?.user_id ?? '',
    human: blocks.flatMap((block) =>
      block.type === 'tool_result' ? absorbedIn(resultText(block)) : (humanText(block) ?? []),
    ),
    prompt,
    absorbed: results.flatMap(absorbedIn),
    toolResults: results.map(withoutReminders),
    wantsSummary: /create a detailed summary of/i.test(prompt),
    summarySeconds: Number(
      blocks.flatMap((block) => summaryTime.exec(block.text ?? '')?.[1] ?? []).at(-1) ?? 0,
    ),
    isSideQuery: !request.tools?.length,
  };
}

// Text typed during a tool loop reaches the model as a reminder inside the next tool result.
const typedMidTurn = /The user sent a new message while you were working:\n([\s\S]*?)\n\nThis is how/g;

const absorbedIn = (text: string): string[] => [...text.matchAll(typedMidTurn)].map((match) => match[1]!);

const summaryTime = /\[\[summary ([\d.]+)\]\]/;

const agentsOwnText =
  /^(\[Request interrupted by user|<local-command-|<command-name>|This session is being continued from)/;

const blocksOf = (message: MessagesRequest['messages'][number]): Block[] =>
  typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;

function humanText(block: Block): string | null {
  if (block.type !== 'text' || !block.text) return null;
  const text = withoutReminders(block.text);
  return text && !agentsOwnText.test(text) ? text : null;
}

function resultText(block: Block): string {
  if (typeof block.content === 'string') return block.content;
  return (block.content ?? []).map((part) => part.text ?? '').join('');
}

const withoutReminders = (text: string) =>
  text.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();
