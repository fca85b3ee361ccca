// Turns a conversation into what the model does next. One answer goes up to and including the next tool
// call of the prompt's script; the answered calls since the prompt say how far the script has come.
import { randomBytes } from 'node:crypto';
import type { Conversation } from './conversation.ts';
import { isToolCall, parseScript, type Script, type Step, type ToolStep } from './directives.ts';

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'pause'; seconds: number }
  | { kind: 'tool'; id: string; name: string; input: Record<string, unknown>; namespace?: string }
  | { kind: 'hang'; silent: boolean }
  | { kind: 'fail'; message: string };

/** How a model calls the tool that a step needs: agents name their tools differently. */
export type CallTool = (step: ToolStep) => {
  name: string;
  input: Record<string, unknown>;
  namespace?: string;
};

/** What one model does with what it is asked, or why it refuses the request. */
export type Answering = (
  conversation: Conversation,
  callTool: CallTool,
) =>
  | { is: 'answer'; parts: Part[]; usage: number | null }
  | { is: 'too-long' }
  | { is: 'error'; message: string };

export function createAnswering(): Answering {
  const refusedOnce = new Set<string>();
  return (conversation, callTool) => {
    // Text typed during the turn adds to what is to be done; it does not replace it.
    const script = parseScript([conversation.prompt, ...conversation.absorbed].join('\n'));
    const speaksToHuman = !conversation.wantsSummary && !conversation.isSideQuery;
    if (script.tooLong && speaksToHuman && !refusedOnce.has(conversation.prompt)) {
      refusedOnce.add(conversation.prompt);
      return { is: 'too-long' };
    }
    const parts = answer(conversation, script, callTool);
    const first = parts[0];
    // An error that comes first is one of the request; later ones break off the stream.
    if (first?.kind === 'fail') return { is: 'error', message: first.message };
    return { is: 'answer', parts, usage: script.usage };
  };
}

function answer(conversation: Conversation, script: Script, callTool: CallTool): Part[] {
  if (conversation.wantsSummary)
    return [
      ...pause(conversation.summarySeconds),
      text('<summary>The conversation so far, in one line.</summary>'),
    ];
  if (conversation.isSideQuery) return [text('ok')];

  const parts = stepsDue(script.steps, conversation.toolResults.length).map((step) => part(step, callTool));
  const saysSomething = parts.some((part) => part.kind !== 'pause');
  return saysSomething ? parts : [...parts, text(closingWords(conversation, script))];
}

const pause = (seconds: number): Part[] => (seconds > 0 ? [{ kind: 'pause', seconds }] : []);

function stepsDue(steps: readonly Step[], callsAnswered: number): readonly Step[] {
  let from = 0;
  for (let calls = 0; calls < callsAnswered && from < steps.length; from++) {
    if (isToolCall(steps[from]!)) calls++;
  }
  const call = steps.findIndex((step, index) => index >= from && isToolCall(step));
  return steps.slice(from, call < 0 ? undefined : call + 1);
}

function part(step: Step, callTool: CallTool): Part {
  switch (step.kind) {
    case 'say':
      return text(step.text);
    case 'sleep':
      return { kind: 'pause', seconds: step.seconds };
    case 'bash':
    case 'edit':
    case 'agent':
    case 'tool':
      return { kind: 'tool', id: `toolu_${randomBytes(12).toString('hex')}`, ...callTool(step) };
    case 'fail':
    case 'hang':
      return step;
  }
}

function closingWords({ prompt, toolResults }: Conversation, { steps }: Script): string {
  const said = steps.findLast((step) => step.kind === 'say');
  if (said) return said.text;
  if (toolResults.length === 0)
    return `ECHO ${prompt.length} chars: ${prompt.slice(0, 60).replaceAll('\n', '\\n')}`;
  const output = JSON.stringify(toolResults.at(-1)).slice(0, 200);
  return `DONE after ${toolResults.length} tool rounds: ${output}`;
}

const text = (words: string): Part => ({ kind: 'text', text: words });
