// Writes an answer as the chat completions API streams it.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Part } from './answer.ts';
import { streamParts } from './event-stream.ts';

export function streamChat(
  response: ServerResponse,
  { inputTokens }: { inputTokens: number },
  parts: readonly Part[],
): Promise<void> {
  const id = `chatcmpl-${randomBytes(12).toString('hex')}`;
  let reason = 'stop';
  let calls = 0;
  const write = (data: object | string) =>
    response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
    write({
      ...{ id, object: 'chat.completion.chunk', created: 1, model: 'standin-model' },
      ...{ choices: [{ index: 0, delta, finish_reason }], ...more },
    });
  return streamParts(response, parts, () => ({
    begin: () => chunk({ role: 'assistant', content: '' }),
    speech: () => ({ say: (content) => chunk({ content }), end() {} }),
    tool(call) {
      reason = 'tool_calls';
      const { name, input } = call;
      const made = { id: call.id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
      chunk({ tool_calls: [{ index: calls++, ...made }] });
    },
    fail: (message) => write({ error: { message, type: 'invalid_request_error' } }),
    end() {
      chunk({}, reason, { usage: usage(inputTokens) });
      write('[DONE]');
    },
  }));
}

const usage = (prompt_tokens: number) => ({
  ...{ prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 },
});
