// Writes an answer as the Messages API does: as server-sent events, or as one JSON body.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Part } from './answer.ts';
import { streamParts } from './event-stream.ts';

interface Head {
  model: string;
  inputTokens: number;
}

export function streamAnswer(response: ServerResponse, head: Head, parts: readonly Part[]): Promise<void> {
  let index = 0;
  return streamParts(response, parts, (send) => {
    const block = (opening: object) => {
      send('content_block_start', { index, content_block: opening });
      return {
        add: (delta: object) => send('content_block_delta', { index, delta }),
        end: () => send('content_block_stop', { index: index++ }),
      };
    };
    return {
      begin: () => send('message_start', { message: message(head) }),
      speech() {
        const { add, end } = block({ type: 'text', text: '' });
        return { say: (text) => add({ type: 'text_delta', text }), end };
      },
      tool({ id, name, input }) {
        const { add, end } = block({ type: 'tool_use', id, name, input: {} });
        add({ type: 'input_json_delta', partial_json: JSON.stringify(input) });
        end();
      },
      fail: (text) => send('error', { error: { type: 'invalid_request_error', message: text } }),
      end() {
        send('message_delta', {
          delta: { stop_reason: stopReason(parts), stop_sequence: null },
          usage: { ...usage(head), output_tokens: 20 },
        });
        send('message_stop');
      },
    };
  });
}

/** The whole answer as one body, for requests that did not ask for a stream. */
export function wholeAnswer(head: Head, parts: readonly Part[]) {
  const content = parts.flatMap((part): object[] => {
    if (part.kind === 'text') return [{ type: 'text', text: part.text }];
    if (part.kind === 'tool') return [{ type: 'tool_use', id: part.id, name: part.name, input: part.input }];
    return [];
  });
  return {
    ...message(head),
    content,
    stop_reason: stopReason(parts),
    usage: { ...usage(head), output_tokens: 20 },
  };
}

const message = (head: Head) => ({
  id: `msg_${randomBytes(12).toString('hex')}`,
  type: 'message',
  role: 'assistant',
  model: head.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: usage(head),
});

const usage = (head: Head) => ({
  input_tokens: head.inputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 1,
});

const stopReason = (parts: readonly Part[]) =>
  parts.some((part) => part.kind === 'tool') ? 'tool_use' : 'end_turn';
