// A stand-in for the OpenAI Responses API on the loopback interface, which Codex talks to in tests: no account, no
// network, and answers that the prompt itself scripts, with the same directives as for the other model
// (directives.ts; `[[usage N]]` is the total of tokens).
//
//   const model = await startResponsesServer();   // model.url, model.requests(), model.waitForRequest(), model.close()
//
// Codex is led here by its config.toml (test/agents/codex-home.ts writes a whole private home):
//   model_provider = "standin"
//   [model_providers.standin]
//   name = "standin"; base_url = "<model.url>/v1"; env_key = "STANDIN_KEY"; wire_api = "responses"   (a line each)
// By hand: node --experimental-strip-types test/model/responses.ts   prints the address, and serves until it is ended.
import type { ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createAnswering } from './answer.ts';
import type { ToolStep } from './directives.ts';
import { type ResponsesRequest, readResponsesConversation } from './responses-conversation.ts';
import { streamResponse } from './responses-stream.ts';
import * as common from './server.ts';
import { json, tokensIn } from './server.ts';

export type ModelRequest = common.ModelRequest<ResponsesRequest>;
export type ModelServer = common.ModelServer<ResponsesRequest>;

export function startResponsesServer(): Promise<ModelServer> {
  const answering = createAnswering();

  return common.serveModel<ResponsesRequest>({
    refuse,
    async respond(request, response, raw, asked, limits) {
      const path = request.url?.split('?')[0];
      // Codex has a catalogue of its own, and falls back to it.
      if (path === '/v1/models') return json(response, 200, { object: 'list', data: [], models: [] });
      if (path !== '/v1/responses' || request.method !== 'POST') {
        return refuse(response, 404, `no such endpoint here: ${request.method} ${path}`);
      }

      const body = JSON.parse(raw) as ResponsesRequest;
      const conversation = readResponsesConversation(body);
      asked(body, conversation);

      if (limits) tellLimits(response, limits);
      if (limits?.reached) {
        const resets_at = limits.fiveHours.resetsAt;
        const message = 'The usage limit has been reached';
        return json(response, 429, {
          error: { type: 'usage_limit_reached', message, plan_type: 'plus', resets_at },
        });
      }

      const next = answering(conversation, codexTool(raw.includes('How to request escalation')));
      if (next.is === 'too-long')
        return refuse(
          response,
          400,
          'Your input exceeds the context window of this model.',
          'context_length_exceeded',
        );
      if (next.is === 'error') return refuse(response, 400, next.message);
      await streamResponse(response, { inputTokens: next.usage ?? tokensIn(raw) }, next.parts);
    },
  });
}

function tellLimits(response: ServerResponse, { fiveHours, week }: common.AccountLimits): void {
  for (const [name, minutes, { used, resetsAt }] of [
    ['primary', 300, fiveHours],
    ['secondary', 10_080, week],
  ] as const) {
    response.setHeader(`x-codex-${name}-used-percent`, String(used));
    response.setHeader(`x-codex-${name}-window-minutes`, String(minutes));
    response.setHeader(`x-codex-${name}-reset-at`, String(resetsAt));
  }
}

/**
 * Codex writes files and runs commands by one tool, which hands over what runs longer than a limit. Where its
 * instructions say that the model may ask for more than the sandbox allows, it does.
 */
const codexTool = (mayAsk: boolean) => (step: ToolStep) => {
  if (step.kind === 'agent')
    return { name: 'spawn_agent', namespace: 'multi_agent_v1', input: { message: step.prompt } };
  if (step.kind === 'tool') return { name: step.name, input: step.input };
  const asking = mayAsk
    ? { sandbox_permissions: 'require_escalated', justification: 'It is asked for.' }
    : {};
  return { name: 'exec_command', input: { cmd: commandOf(step), yield_time_ms: 30_000, ...asking } };
};

function commandOf(step: Exclude<ToolStep, { kind: 'agent' | 'tool' }>): string {
  if (step.kind === 'edit') return `cat > '${step.file}' <<'END'\n${step.text}\nEND`;
  return step.background ? `${step.command} &` : step.command;
}

function refuse(response: ServerResponse, status: number, message: string, code = 'invalid_prompt') {
  json(response, status, { error: { type: 'invalid_request_error', code, message } });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log((await startResponsesServer()).url);
}
