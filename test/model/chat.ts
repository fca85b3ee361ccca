// A stand-in for the OpenAI chat completions API on the loopback interface, which opencode talks to in tests: no account,
// no network, and answers that the prompt itself scripts, with the same directives as for the other models
// (directives.ts; `[[usage N]]` is the input of tokens).
//
//   const model = await startChatServer();   // model.url, model.requests(), model.waitForRequest(), model.close()
//
// opencode is led here by its opencode.json (test/agents/opencode-home.ts writes a whole private home).
// By hand: node --experimental-strip-types test/model/chat.ts   prints the address, and serves until it is ended.
import type { ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createAnswering } from './answer.ts';
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
      const next = answering(conversation, opencodeTool);
      if (next.is === 'too-long') return refuse(response, 400, 'maximum context length exceeded');
      if (next.is === 'error') return refuse(response, 400, next.message);
      await streamChat(response, { inputTokens: next.usage ?? tokensIn(raw) }, next.parts);
    },
  });
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
