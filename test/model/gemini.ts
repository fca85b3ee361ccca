// A stand-in for the Gemini API on the loopback interface, which Gemini CLI talks to in tests: no account, no network, and answers
// that the prompt itself scripts, with the same directives as for the other models (directives.ts).
//
//   const model = await startGeminiServer();   // model.url, model.requests(), model.waitForRequest(), model.close()
//
// Gemini CLI is led here by GOOGLE_GEMINI_BASE_URL (test/agents/gemini-home.ts writes a whole private home).
// By hand: node --experimental-strip-types test/model/gemini.ts   prints the address, and serves until it is ended.
import type { ServerResponse } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createAnswering, type Part } from './answer.ts';
import type { ToolStep } from './directives.ts';
import { streamParts } from './event-stream.ts';
import { type GeminiRequest, readGeminiConversation } from './gemini-conversation.ts';
import * as common from './server.ts';
import { json, tokensIn } from './server.ts';

export type ModelServer = common.ModelServer<GeminiRequest>;

export function startGeminiServer(): Promise<ModelServer> {
  const answering = createAnswering();

  return common.serveModel<GeminiRequest>({
    refuse,
    async respond(request, response, raw, asked) {
      const [, model = '', act] = /\/models\/([^:/?]+):(\w+)/.exec(request.url ?? '') ?? [];
      if (act === 'countTokens') return json(response, 200, { totalTokens: tokensIn(raw) });
      if (act !== 'streamGenerateContent' && act !== 'generateContent')
        return refuse(response, 404, `no such endpoint here: ${request.method} ${request.url}`);
      const body = JSON.parse(raw) as GeminiRequest;
      const conversation = readGeminiConversation(body);
      asked(body, conversation);
      const next = answering(conversation, geminiTool);
      if (next.is === 'too-long') return refuse(response, 400, 'The input token count exceeds the maximum.');
      if (next.is === 'error') return refuse(response, 400, next.message);
      const told = { model, inputTokens: next.usage ?? tokensIn(raw) };
      if (act === 'generateContent')
        return json(response, 200, chunk(told, [{ text: wordsIn(next.parts) }], 'STOP'));
      await stream(response, told, next.parts);
    },
  });
}

function geminiTool(step: ToolStep) {
  if (step.kind === 'tool') return { name: step.name, input: step.input };
  if (step.kind === 'agent') return { name: 'codebase_investigator', input: { objective: step.prompt } };
  if (step.kind === 'edit')
    return { name: 'write_file', input: { file_path: step.file, content: step.text } };
  const command = step.background ? `${step.command} &` : step.command;
  return { name: 'run_shell_command', input: { command, description: 'it is asked for' } };
}

interface Told {
  readonly model: string;
  readonly inputTokens: number;
}

const chunk = ({ model, inputTokens }: Told, parts: readonly object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason && { finishReason }) }],
  usageMetadata: {
    ...{ promptTokenCount: inputTokens, candidatesTokenCount: 20, totalTokenCount: inputTokens + 20 },
  },
  modelVersion: model,
});

function stream(response: ServerResponse, told: Told, parts: readonly Part[]): Promise<void> {
  const write = (data: object) => response.write(`data: ${JSON.stringify(data)}\r\n\r\n`);
  return streamParts(response, parts, () => ({
    begin() {},
    speech: () => ({ say: (text) => write(chunk(told, [{ text }])), end() {} }),
    tool: ({ id, name, input }) => write(chunk(told, [{ functionCall: { id, name, args: input } }])),
    fail: (message) => write({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
    end: () => write(chunk(told, [{ text: '' }], 'STOP')),
  }));
}

const wordsIn = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');

function refuse(response: ServerResponse, status: number, message: string) {
  json(response, status, { error: { code: status, message, status: 'INVALID_ARGUMENT' } });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log((await startGeminiServer()).url);
}
