// A stand-in for the Anthropic Messages API on the loopback interface: no account, no network, and answers
// that the prompt itself scripts (see directives.ts). It is what the real agents talk to in tests.
import type { ServerResponse } from 'node:http';
import { createAnswering } from './answer.ts';
import { type MessagesRequest, readConversation } from './conversation.ts';
import type { ToolStep } from './directives.ts';
import * as common from './server.ts';
import { json, tokensIn } from './server.ts';
import { streamAnswer, wholeAnswer } from './stream.ts';

export type ModelRequest = common.ModelRequest<MessagesRequest>;
export type ModelServer = common.ModelServer<MessagesRequest>;

export function startModelServer(): Promise<ModelServer> {
  const answering = createAnswering();

  return common.serveModel<MessagesRequest>({
    refuse,
    async respond(request, response, raw, asked) {
      const path = request.url?.split('?')[0];
      if (request.method === 'HEAD') return response.writeHead(200).end();
      if (path === '/v1/messages/count_tokens') return json(response, 200, { input_tokens: tokensIn(raw) });
      if (path !== '/v1/messages' || request.method !== 'POST') {
        return refuse(response, 404, `no such endpoint here: ${request.method} ${path}`, 'not_found_error');
      }

      const body = JSON.parse(raw) as MessagesRequest;
      const conversation = readConversation(body);
      asked(body, conversation);

      const next = answering(conversation, claudeTool);
      if (next.is === 'too-long')
        return refuse(response, 400, 'prompt is too long: 205000 tokens > 200000 maximum');
      if (next.is === 'error') return refuse(response, 400, next.message);

      const head = { model: body.model, inputTokens: next.usage ?? tokensIn(raw) };
      if (body.stream) await streamAnswer(response, head, next.parts);
      else json(response, 200, wholeAnswer(head, next.parts));
    },
  });
}

function claudeTool(step: ToolStep) {
  if (step.kind === 'agent')
    return {
      name: 'Task',
      input: { description: 'Ask another', prompt: step.prompt, subagent_type: 'general-purpose' },
    };
  if (step.kind === 'edit') return { name: 'Write', input: { file_path: step.file, content: step.text } };
  const input = { command: step.command, description: 'Run what the prompt asks for' };
  return { name: 'Bash', input: step.background ? { ...input, run_in_background: true } : input };
}

function refuse(response: ServerResponse, status: number, message: string, type = 'invalid_request_error') {
  // Agents retry what may pass; a test that asks for an error wants it once.
  response.setHeader('x-should-retry', 'false');
  json(response, status, { type: 'error', error: { type, message } });
}
