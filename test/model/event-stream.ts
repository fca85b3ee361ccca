// Writes an answer as server-sent events, part by part as they come. How an API words them is its dialect.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Part } from './answer.ts';

export type Send = (type: string, data?: object) => void;

export interface Dialect {
  begin(): void;
  /** A text that grows: an agent shows it as it comes. */
  speech(): { say(text: string): void; end(): void };
  tool(call: Extract<Part, { kind: 'tool' }>): void;
  fail(message: string): void;
  end(): void;
}

export async function streamParts(
  response: ServerResponse,
  parts: readonly Part[],
  dialectOf: (send: Send) => Dialect,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const dialect = dialectOf((type, data = {}) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`),
  );
  const words = (text: string) => {
    const { say, end } = dialect.speech();
    say(text);
    end();
  };
  const slowly = async (seconds: number) => {
    const { say, end } = dialect.speech();
    for (let left = seconds * 1000, n = 1; left > 0; left -= 100, n++) {
      say(`word${n}${n % 10 ? ' ' : '\n'}`);
      await delay(Math.min(100, left), undefined, { signal: gone.signal });
    }
    end();
  };

  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  dialect.begin();
  try {
    for (const part of parts) {
      switch (part.kind) {
        case 'text':
          words(part.text);
          break;
        case 'tool':
          dialect.tool(part);
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
          dialect.fail(part.message);
          response.end();
          return;
      }
    }
  } catch (error) {
    if (gone.signal.aborted) return;
    throw error;
  }
  dialect.end();
  response.end();
}
