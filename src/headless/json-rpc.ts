// One line of an agent that speaks JSON-RPC: an answer, a request, a notification, or nonsense. Nothing about it is
// believed unseen.
import type { Heard, RequestId } from './connection.ts';
import type { Line } from './reader.ts';

export type Incoming =
  | { readonly is: 'answer'; readonly id: RequestId; readonly result: unknown }
  | { readonly is: 'refusal'; readonly id: RequestId; readonly message: string }
  | { readonly is: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | {
      readonly is: 'notification';
      readonly method: string;
      readonly params: unknown;
      /** When it was said, by the agent's clock. */
      readonly at: number | null;
    }
  | { readonly is: 'nonsense' };

export function parseLine(line: string): Incoming {
  const message = objectIn(line) ?? {};
  const { id, method, params, result, error } = message;
  if (typeof method === 'string') {
    if (isId(id)) return { is: 'request', id, method, params };
    const at = typeof message.emittedAtMs === 'number' ? message.emittedAtMs : null;
    return { is: 'notification', method, params, at };
  }
  if (!isId(id)) return { is: 'nonsense' };
  if (error !== undefined) return { is: 'refusal', id, message: messageOf(error) };
  return result === undefined ? { is: 'nonsense' } : { is: 'answer', id, result };
}

/** What such a line is to whoever waits for an answer, beside the facts that it tells. */
export function asLine(incoming: Incoming, told: Line['told']): Line {
  switch (incoming.is) {
    case 'answer':
      return answering(told, incoming.id, { is: 'answer', result: incoming.result });
    case 'refusal':
      return answering(told, incoming.id, { is: 'refusal', message: incoming.message });
    case 'notification':
      return { told, at: incoming.at };
    case 'nonsense':
      return { told, nonsense: true };
    case 'request':
      return { told };
  }
}

const answering = (told: Line['told'], id: RequestId, heard: Heard): Line => ({
  told,
  answers: { id, heard },
});

/** The JSON object that a line is; null: it is none. */
export function objectIn(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null ? (error as { message?: unknown }).message : null;
  return typeof message === 'string' ? message : 'unknown error';
}

const isId = (value: unknown): value is RequestId => typeof value === 'string' || typeof value === 'number';
