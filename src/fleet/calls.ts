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
  /** For tests: the daemon may be killed here. */
  readonly crash: (point: CallPoint) => void;
}

export type CallPoint = `fleet:${'ask' | 'answer'}:${'before' | 'after'}`;

export function createCalls({ node, clock, log, answer, crash }: CallDeps) {
  /** Of calls that are under way, by whom they ask. */
  const asking = new Map<string, Set<AbortController>>();
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
    crash('fleet:answer:before');
    const response = await answer(from, request.data);
    crash('fleet:answer:after');
    return response;
  }

  async function call({ nats }: Line, to: string, request: FleetRequest): Promise<FleetAnswer> {
    const lost = new AbortController();
    const others = asking.get(to) ?? new Set();
    asking.set(to, others.add(lost));
    const over = () => others.delete(lost);
    try {
      crash('fleet:ask:before');
      const subject = callSubject(to, node);
      const text = JSON.stringify(request);
      // Some are asked to wait before they answer.
      const wait = Number(request.body?.wait) || 0;
      const asking = { nats, clock, inbox, patience: patience + wait * 1_000 };
      const answer = await askForPieces(asking, subject, text, lost.signal, over);
      crash('fleet:ask:after');
      return answer;
    } catch (error) {
      over();
      throw error;
    }
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
    call,
    /** Nothing comes of what that node was asked: it is away, or speaks over another connection. */
    lost(to: string): void {
      for (const each of asking.get(to) ?? []) each.abort();
      asking.delete(to);
    },
  };
}

const refusal = (status: number, error: string, detail: string): Response =>
  new Response(JSON.stringify({ error, detail }), {
    status,
    headers: { 'content-type': 'application/json' },
  });
