// Writes an answer as the Messages API does: as server-sent events, or as one JSON body.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from './answer.ts';

interface Head {
  model: string;
  inputTokens: number;
}

export async function streamAnswer(response: ServerResponse, head: Head, parts: readonly Part[]) {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const send = (type: string, data: object = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  let index = 0;
  const block = (opening: object, delta: object) => {
    send('content_block_start', { index, content_block: opening });
    send('content_block_delta', { index, delta });
    send('content_block_stop', { index: index++ });
  };
  const words = (text: string) => block({ type: 'text', text: '' }, { type: 'text_delta', text });
  /** One block whose text grows: an agent shows it as it comes. */
  const slowly = async (seconds: number) => {
    send('content_block_start', { index, content_block: { type: 'text', text: '' } });
    for (let left = seconds * 1000, n = 1; left > 0; left -= 100, n++) {
      send('content_block_delta', {
        index,
        delta: { type: 'text_delta', text: `word${n}${n % 10 ? ' ' : '\n'}` },
      });
      await delay(Math.min(100, left), undefined, { signal: gone.signal });
    }
    send('content_block_stop', { index: index++ });
  };

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  send('message_start', { message: message(head) });
  try {
    for (const part of parts) {
      switch (part.kind) {
        case 'text':
          words(part.text);
          break;
        case 'tool':
          block(
            { type: 'tool_use', id: part.id, name: part.name, input: {} },
            { type: 'input_json_delta', partial_json: JSON.stringify(part.input) },
          );
          break;
        case 'pause':
          await slowly(part.seconds);
          break;
        case 'hang':
          if (!part.silent) words('Let me think about that for a while.');
          // Long past any test, so that only a closed connection ends it.
          await delay(2 ** 30, undefined, { signal: gone.signal });
          break;
        case 'fail':
          send('error', { error: { type: 'invalid_request_error', message: part.message } });
          response.end();
          return;
      }
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  send('message_delta', {
    delta: { stop_reason: stopReason(parts), stop_sequence: null },
    usage: { ...usage(head), output_tokens: 20 },
  });
  send('message_stop');
  response.end();
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
