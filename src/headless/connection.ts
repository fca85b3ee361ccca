// Requests and their answers. Every request ends in a value: what was answered, that it was refused, that nobody
// answered in time, or that nobody is there. An answer that nobody waits for, or that comes twice, does nothing.
import type { Clock } from '../ports/clock.ts';
import type { Transport } from './transport.ts';

export type RequestId = string | number;

export type Reply = Heard | { readonly is: 'silence' } | { readonly is: 'gone' };

/** What the agent itself has said to a request. */
export type Heard =
  | { readonly is: 'answer'; readonly result: unknown }
  | { readonly is: 'refusal'; readonly message: string };

export interface Connection {
  /** `id` names the request for ever: who reads the answer later knows by it what was asked. */
  request(id: RequestId, message: object, limit: number): Promise<Reply>;
  /** What has no answer; false when it could not be handed over. `name`: of the file that carries it. */
  say(message: object, name?: string, stored?: () => Promise<void>): Promise<boolean>;
  /** The answer to a request that goes out by `say`. */
  answerTo(id: RequestId, limit: number): Promise<Reply>;
  /** Says once more what may have been said. */
  sayAgain(name: string): Promise<boolean>;
  /** Whether there is a process that reads what we say. */
  reach(): Promise<boolean>;
  /** The answer to a request has come in. */
  hear(id: RequestId, heard: Heard): void;
  close(): void;
}

const sendLimit = 5_000;

export function createConnection(transport: Transport, clock: Clock, uuid: () => string): Connection {
  const pending = new Map<RequestId, (reply: Reply) => void>();
  const send = (message: object, name = uuid(), stored?: () => Promise<void>) =>
    transport.send(name, JSON.stringify(message), stored);

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
    request(id, message, limit) {
      const reply = expect(id, limit);
      // Not awaited: a process that does not read takes no more than its pipe holds.
      void send(message).then((sent) => sent || pending.get(id)?.({ is: 'gone' }));
      return reply;
    },
    say: (message, name, stored) => within(send(message, name, stored)),
    answerTo: expect,
    sayAgain: (name) => within(transport.again(name)),
    reach: () => transport.reach(),
    hear: (id, heard) => pending.get(id)?.(heard),
    close() {
      for (const settle of [...pending.values()]) settle({ is: 'gone' });
      transport.close();
    },
  };
}
