// Calls: a request to another node and its answer, with the very contract of HTTP. The node's own server code handles it, so that
// every command works on its sessions without being written again.
import type { Msg } from '@nats-io/transport-node';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { callMail } from '../protocol/node.ts';
import type { FleetAnswer, FleetRequest } from '../server/fleet.ts';
import type { Line } from './link.ts';
import { callSubject, speakerIn } from './names.ts';
import { askForPieces, sendPieces } from './pieces.ts';
import { parsed } from './presence.ts';

/** From one node at once. */
const most = 64;
/** Some commands wait for what comes of them, in ms. */
const patience = 29_000;

export interface CallDeps {
  readonly node: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly answer: (from: string, request: FleetRequest) => Promise<Response>;
}

export function createCalls({ node, clock, log, answer }: CallDeps) {
  const busy = new Map<string, number>();
  const inbox = `_INBOX.${node}`;

  async function handle({ nats }: Line, message: Msg): Promise<void> {
    const from = speakerIn(message.subject);
    const running = busy.get(from) ?? 0;
    busy.set(from, running + 1);
    try {
      await sendPieces(nats, clock, inbox, message, await answered(from, message, running));
    } catch (error) {
      log.warn({ from, error: String(error) }, 'a call of another node was not answered');
    } finally {
      busy.set(from, (busy.get(from) ?? 1) - 1);
    }
  }

  async function answered(from: string, message: Msg, running: number): Promise<Response> {
    if (running >= most) return refusal(429, 'busy', `Node ${node} has ${most} calls of yours under way.`);
    const request = callMail.safeParse(parsed(message.string()));
    if (!request.success) return refusal(400, 'invalid', `Node ${node} does not understand the call.`);
    return answer(from, request.data);
  }

  return {
    begin(line: Line): void {
      const calls = line.nats.subscribe(callSubject(node, '*'), {
        callback: (error, message) => {
          if (!error) void handle(line, message);
        },
      });
      line.cut.addEventListener('abort', () => calls.unsubscribe());
    },
    call: ({ nats }: Line, to: string, request: FleetRequest): Promise<FleetAnswer> =>
      askForPieces(nats, clock, inbox, callSubject(to, node), JSON.stringify(request), patience),
  };
}

const refusal = (status: number, error: string, detail: string): Response =>
  new Response(JSON.stringify({ error, detail }), {
    status,
    headers: { 'content-type': 'application/json' },
  });
