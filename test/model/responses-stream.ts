// Writes an answer as the Responses API streams it.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from './answer.ts';

export async function streamResponse(
  response: ServerResponse,
  { inputTokens }: { inputTokens: number },
  parts: readonly Part[],
) {
  const id = `resp_${randomBytes(12).toString('hex')}`;
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  let output_index = 0;
  const item = (done: object) =>
    send('response.output_item.done', { output_index: output_index++, item: done });
  /** One message whose text grows: an agent shows it as it comes. */
  const speech = () => {
    const item_id = `msg_${randomBytes(12).toString('hex')}`;
    const message = { type: 'message', role: 'assistant', id: item_id };
    let said = '';
    send('response.output_item.added', { output_index, item: { ...message, content: [] } });
    return {
      say(delta: string) {
        said += delta;
        send('response.output_text.delta', { item_id, output_index, content_index: 0, delta });
      },
      end: () => item({ ...message, content: [{ type: 'output_text', text: said, annotations: [] }] }),
    };
  };
  const words = (text: string) => {
    const { say, end } = speech();
    say(text);
    end();
  };
  const slowly = async (seconds: number) => {
    const { say, end } = speech();
    for (let left = seconds * 1000, n = 1; left > 0; left -= 100, n++) {
      say(`word${n}${n % 10 ? ' ' : '\n'}`);
      await delay(Math.min(100, left), undefined, { signal: gone.signal });
    }
    end();
  };

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  send('response.created', { response: { id } });
  try {
    for (const part of parts) {
      switch (part.kind) {
        case 'text':
          words(part.text);
          break;
        case 'tool':
          item({
            type: 'function_call',
            id: `fc_${part.id}`,
            call_id: part.id,
            name: part.name,
            ...(part.namespace && { namespace: part.namespace }),
            arguments: JSON.stringify(part.input),
          });
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
          send('response.failed', {
            response: { id, error: { code: 'invalid_prompt', message: part.message } },
          });
          response.end();
          return;
      }
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  const outputTokens = 20;
  const usage = {
    input_tokens: inputTokens - outputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens,
  };
  send('response.completed', { response: { id, usage } });
  response.end();
}
