// One line of an app-server: an answer, a request, a notification, or nonsense. Nothing about it is believed unseen.
import type { RequestId } from '../../headless/connection.ts';
import { record, text } from '../values.ts';

export type Incoming =
  | { readonly is: 'answer'; readonly id: RequestId; readonly result: unknown }
  | { readonly is: 'refusal'; readonly id: RequestId; readonly message: string }
  | { readonly is: 'request'; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | {
      readonly is: 'notification';
      readonly method: string;
      readonly params: unknown;
      /** When it was said, by the app-server's clock. */
      readonly at: number | null;
    }
  | { readonly is: 'nonsense' };

export function parseLine(line: string): Incoming {
  const message = record(parsed(line));
  const { id, method, params, result, error } = message;
  if (typeof method === 'string') {
    if (isId(id)) return { is: 'request', id, method, params };
    const at = typeof message.emittedAtMs === 'number' ? message.emittedAtMs : null;
    return { is: 'notification', method, params, at };
  }
  if (!isId(id)) return { is: 'nonsense' };
  if (error !== undefined)
    return { is: 'refusal', id, message: text(record(error).message) ?? 'unknown error' };
  return result === undefined ? { is: 'nonsense' } : { is: 'answer', id, result };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const isId = (value: unknown): value is RequestId => typeof value === 'string' || typeof value === 'number';
