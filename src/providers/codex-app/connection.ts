// Requests and their answers. Every request ends in a value: what was answered, that it was refused, that nobody
// answered in time, or that nobody is there. An answer that nobody waits for, or that comes twice, does nothing.
import type { Clock } from '../../ports/clock.ts';
import type { Incoming } from './incoming.ts';
import type { RequestId } from './protocol.ts';
import type { Transport } from './transport.ts';

export type Reply =
  | { readonly is: 'answer'; readonly result: unknown }
  | { readonly is: 'refusal'; readonly message: string }
  | { readonly is: 'silence' }
  | { readonly is: 'gone' };

export interface Connection {
  /** `id` names the request for ever: who reads the answer later knows by it what was asked. */
  request(id: RequestId, method: string, params: object, limit: number): Promise<Reply>;
  notify(method: string): Promise<boolean>;
  /** Answers a request of the app-server; false when it could not be handed over. */
  respond(id: RequestId, result: object): Promise<boolean>;
  refuse(id: RequestId, message: string): Promise<boolean>;
  /** What came in; only answers are its business. */
  hear(incoming: Incoming): void;
  close(): void;
}

const methodNotFound = -32601;
const sendLimit = 5_000;

export function createConnection(transport: Transport, clock: Clock): Connection {
  const pending = new Map<RequestId, (reply: Reply) => void>();
  const send = (message: object) => transport.send(JSON.stringify(message));

  function expect(id: RequestId, limit: number): Promise<Reply> {
    return new Promise((resolve) => {
      const settle = (reply: Reply) => {
        timer.cancel();
        pending.delete(id);
        resolve(reply);
      };
      const timer = clock.timer(limit, () => settle({ is: 'silence' }));
      pending.set(id, settle);
    });
  }

  /** What does not go out in time may still arrive, but nobody waits for it. */
  function within(sent: Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = clock.timer(sendLimit, () => resolve(false));
      void sent.then((went) => {
        timer.cancel();
        resolve(went);
      });
    });
  }

  return {
    request(id, method, params, limit) {
      const reply = expect(id, limit);
      // Not awaited: a process that does not read takes no more than its pipe holds.
      void send({ id, method, params }).then((sent) => sent || pending.get(id)?.({ is: 'gone' }));
      return reply;
    },
    notify: (method) => within(send({ method })),
    respond: (id, result) => within(send({ id, result })),
    refuse: (id, message) => within(send({ id, error: { code: methodNotFound, message } })),
    hear(incoming) {
      if (incoming.is === 'answer') pending.get(incoming.id)?.({ is: 'answer', result: incoming.result });
      if (incoming.is === 'refusal') pending.get(incoming.id)?.({ is: 'refusal', message: incoming.message });
    },
    close() {
      for (const settle of [...pending.values()]) settle({ is: 'gone' });
      transport.close();
    },
  };
}
