// Writes an answer as the Responses API streams it.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Part } from './answer.ts';
import { streamParts } from './event-stream.ts';

export function streamResponse(
  response: ServerResponse,
  { inputTokens }: { inputTokens: number },
  parts: readonly Part[],
): Promise<void> {
  const id = `resp_${randomBytes(12).toString('hex')}`;
  let output_index = 0;
  return streamParts(response, parts, (send) => {
    const item = (done: object) =>
      send('response.output_item.done', { output_index: output_index++, item: done });
    return {
      begin: () => send('response.created', { response: { id } }),
      speech() {
        const item_id = `msg_${randomBytes(12).toString('hex')}`;
        const message = { type: 'message', role: 'assistant', id: item_id };
        let said = '';
        send('response.output_item.added', { output_index, item: { ...message, content: [] } });
        return {
          say(delta) {
            said += delta;
            send('response.output_text.delta', { item_id, output_index, content_index: 0, delta });
          },
          end: () => item({ ...message, content: [{ type: 'output_text', text: said, annotations: [] }] }),
        };
      },
      tool: (call) =>
        item({
          type: 'function_call',
          id: `fc_${call.id}`,
          call_id: call.id,
          name: call.name,
          ...(call.namespace && { namespace: call.namespace }),
          arguments: JSON.stringify(call.input),
        }),
      fail: (message) =>
        send('response.failed', { response: { id, error: { code: 'invalid_prompt', message } } }),
      end: () => send('response.completed', { response: { id, usage: usage(inputTokens) } }),
    };
  });
}

function usage(total: number) {
  const output = 20;
  return {
    input_tokens: total - output,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}
