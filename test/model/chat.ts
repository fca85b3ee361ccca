// A stand-in for the OpenAI chat completions API on the loopback interface, which opencode, Copilot and Qwen Code talk to in
// tests: no account, no network, and answers that the prompt itself scripts, with the same directives as for the other models
// (directives.ts; `[[usage N]]` is the input of tokens).
//
//   const model = await startChatServer();   // model.url, model.requests(), model.waitForRequest(), model.close()
//
// opencode is led here by its opencode.json, Copilot by its environment (test/agents/opencode-home.ts and copilot-home.ts
// write whole private homes).
// By hand: node --experimental-strip-types test/model/chat.ts   prints the address, and serves until it is ended.
import type { ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { type CallTool, createAnswering } from './answer.ts';
import { type ChatRequest, readChatConversation } from './chat-conversation.ts';
import { streamChat } from './chat-stream.ts';
import type { ToolStep } from './directives.ts';
import * as common from './server.ts';
import { json, tokensIn } from './server.ts';

export type ModelServer = common.ModelServer<ChatRequest>;

export function startChatServer(): Promise<ModelServer> {
  const answering = createAnswering();

  return common.serveModel<ChatRequest>({
    refuse,
    async respond(request, response, raw, asked) {
      const path = request.url?.split('?')[0];
      if (path !== '/v1/chat/completions' || request.method !== 'POST')
        return refuse(response, 404, `no such endpoint here: ${request.method} ${path}`);
      const body = JSON.parse(raw) as ChatRequest;
      const conversation = readChatConversation(body);
      asked(body, conversation);
      const next = answering(conversation, toolsOf(body));
      if (next.is === 'too-long') return refuse(response, 400, 'maximum context length exceeded');
      if (next.is === 'error') return refuse(response, 400, next.message);
      await streamChat(response, { inputTokens: next.usage ?? tokensIn(raw) }, next.parts);
    },
  });
}

/** Which agent asks, its tools tell. */
const toolsOf = ({ tools }: ChatRequest): CallTool =>
  tools?.some((tool) => tool.function.name === 'read_bash')
    ? copilotTool
    : tools?.some((tool) => tool.function.name === 'run_shell_command')
      ? qwenTool
      : opencodeTool;

function qwenTool(step: ToolStep) {
  if (step.kind === 'tool') return { name: step.name, input: step.input };
  if (step.kind === 'agent') {
    const input = { description: 'a task', prompt: step.prompt, subagent_type: 'general-purpose' };
    return { name: 'agent', input };
  }
  if (step.kind === 'edit')
    return { name: 'write_file', input: { file_path: step.file, content: step.text } };
  const { command, background } = step;
  return { name: 'run_shell_command', input: { command, is_background: background } };
}

function copilotTool(step: ToolStep) {
  if (step.kind === 'tool') return { name: step.name, input: step.input };
  if (step.kind === 'agent') {
    const input = { name: 'helper', description: 'a task', prompt: step.prompt, agent_type: 'task' };
    return { name: 'task', input: { ...input, mode: 'sync' } };
  }
  if (step.kind === 'edit') return { name: 'create', input: { path: step.file, file_text: step.text } };
  // It leaves a command running that takes longer.
  const how = step.background ? { mode: 'async' } : { initial_wait: 120 };
  return { name: 'bash', input: { command: step.command, description: 'it is asked for', ...how } };
}

function opencodeTool(step: ToolStep) {
  if (step.kind === 'tool') return { name: step.name, input: step.input };
  if (step.kind === 'agent')
    return {
      name: 'task',
      input: { description: 'a task', prompt: step.prompt, subagent_type: 'general' },
    };
  if (step.kind === 'edit') return { name: 'write', input: { filePath: step.file, content: step.text } };
  const command = step.background ? `${step.command} &` : step.command;
  return { name: 'bash', input: { command, description: 'it is asked for' } };
}

function refuse(response: ServerResponse, status: number, message: string) {
  json(response, status, { error: { type: 'invalid_request_error', code: 'invalid_prompt', message } });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log((await startChatServer()).url);
}
