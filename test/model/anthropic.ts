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
    async respond(request, response, raw, asked, limits) {
      const path = request.url?.split('?')[0];
      if (request.method === 'HEAD') return response.writeHead(200).end();
      if (path === '/v1/messages/count_tokens') return json(response, 200, { input_tokens: tokensIn(raw) });
      if (path !== '/v1/messages' || request.method !== 'POST') {
        return refuse(response, 404, `no such endpoint here: ${request.method} ${path}`, 'not_found_error');
      }

      const body = JSON.parse(raw) as MessagesRequest;
      const conversation = readConversation(body);
      asked(body, conversation);

      if (limits) tellLimits(response, limits);
      if (limits?.reached)
        return refuse(
          response,
          429,
          "This request would exceed your account's rate limit. Please try again later.",
          'rate_limit_error',
        );

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

/** As the subscription of a person is told of. */
function tellLimits(response: ServerResponse, { fiveHours, week, reached }: common.AccountLimits): void {
  const status = reached ? 'rejected' : 'allowed';
  const headers = {
    status,
    reset: fiveHours.resetsAt,
    'representative-claim': 'five_hour',
    '5h-status': status,
    '5h-reset': fiveHours.resetsAt,
    '5h-utilization': fiveHours.used / 100,
    '7d-status': 'allowed',
    '7d-reset': week.resetsAt,
    '7d-utilization': week.used / 100,
    'overage-status': 'rejected',
    'overage-disabled-reason': 'out_of_credits',
  };
  for (const [name, value] of Object.entries(headers))
    response.setHeader(`anthropic-ratelimit-unified-${name}`, String(value));
}

function claudeTool(step: ToolStep) {
  if (step.kind === 'agent')
    return {
      name: 'Task',
      input: { description: 'Ask another', prompt: step.prompt, subagent_type: 'general-purpose' },
    };
  if (step.kind === 'tool') return { name: step.name, input: step.input };
  if (step.kind === 'edit') return { name: 'Write', input: { file_path: step.file, content: step.text } };
  const input = { command: step.command, description: 'Run what the prompt asks for' };
  return { name: 'Bash', input: step.background ? { ...input, run_in_background: true } : input };
}

function refuse(response: ServerResponse, status: number, message: string, type = 'invalid_request_error') {
  // Agents retry what may pass; a test that asks for an error wants it once.
  response.setHeader('x-should-retry', 'false');
  json(response, status, { type: 'error', error: { type, message } });
}
