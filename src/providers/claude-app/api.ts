// What Claude Code is told: prompts, and requests of its control protocol. The id of a prompt is our own, and is what
// the agent calls it by in all that it says of it.
import { createHash } from 'node:crypto';
import type { Connection, Reply, RequestId } from '../../headless/connection.ts';
import { kept } from '../../headless/transport.ts';

const limits = { start: 30_000, request: 10_000, greet: 1_500 };

export interface Api {
  initialize(): Promise<Reply>;
  /** False: nobody is there. The agent takes the same id only once. */
  prompt(id: string, text: string): Promise<boolean>;
  /** What waits inside the agent is dropped, and told as such. */
  interrupt(): Promise<Reply>;
  /** Answered at once by an agent that reads; what it has said before is in its output by then. */
  greet(): Promise<Reply>;
  contextUsage(): Promise<Reply>;
  respond(id: RequestId, response: object): Promise<boolean>;
  refuse(id: RequestId, error: string): Promise<boolean>;
}

export function createApi(connection: Connection, uuid: () => string): Api {
  const ask = (request: { subtype: string }, limit: number) => {
    const id = `${request.subtype}:${uuid()}`;
    return connection.request(id, { type: 'control_request', request_id: id, request }, limit);
  };
  const respond = (response: object) => connection.say({ type: 'control_response', response });

  return {
    initialize: () => ask({ subtype: 'initialize' }, limits.start),
    prompt: (id, text) =>
      connection.say({ type: 'user', message: { role: 'user', content: text }, uuid: id }, kept(id)),
    interrupt: () => ask({ subtype: 'interrupt', ...{ cancel_queued: true } }, limits.request),
    greet: () => ask({ subtype: 'get_binary_version' }, limits.greet),
    contextUsage: () => ask({ subtype: 'get_context_usage' }, limits.request),
    respond: (id, answer) => respond({ subtype: 'success', request_id: id, response: answer }),
    refuse: (id, error) => respond({ subtype: 'error', request_id: id, error }),
  };
}

/** The same for each try at the same text, so that a second try, after we died over the first, does nothing. */
export function promptId(session: string, attempt: string): string {
  const hex = createHash('sha256').update(`${session} ${attempt}`).digest('hex');
  const variant = ((Number.parseInt(hex[16] as string, 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
