// An answer on its way between two nodes, in pieces. A long one goes only as fast as it is read: who sends has an allowance, and
// who reads gives more of it. Who reads no more says so.
import { createInbox, headers, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Clock } from '../ports/clock.ts';
import type { FleetAnswer } from '../server/fleet.ts';

/** In bytes: NATS takes a megabyte at once. */
const longestPiece = 256 * 1024;
/** So many pieces may be under way. */
const allowance = 64;
const refill = 32;
/** Who waits so long for the next allowance has nobody who reads, in ms. */
const longestStall = 60_000;

/** Sends the answer; `inbox`: the beginning of what this node listens to. */
export async function sendPieces(
  nats: NatsConnection,
  clock: Clock,
  inbox: string,
  request: Msg,
  answer: Response,
): Promise<void> {
  const head = headers();
  head.set('status', String(answer.status));
  head.set('type', answer.headers.get('content-type') ?? '');
  const to = request.reply ?? '';
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    const bytes = new Uint8Array(await answer.arrayBuffer());
    if (bytes.length <= longestPiece) {
      head.set('end', '1');
      nats.publish(to, bytes, { headers: head });
      return;
    }
    return stream(new Response(bytes).body as ReadableStream<Uint8Array>);
  }
  return stream(answer.body as ReadableStream<Uint8Array>);

  async function stream(body: ReadableStream<Uint8Array>): Promise<void> {
    const control = createInbox(inbox);
    const reader = body.getReader();
    let left = allowance;
    let wake = () => {};
    const more = nats.subscribe(control, {
      callback: (_, message) => {
        const count = Number(message?.string() ?? 0);
        if (count > 0) left += count;
        else void reader.cancel().catch(() => {});
        wake();
      },
    });
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        for (let at = 0; at < value.length; at += longestPiece) {
          if (left === 0 && !(await refilled())) return void reader.cancel().catch(() => {});
          left -= 1;
          nats.publish(to, value.subarray(at, at + longestPiece), { headers: head, reply: control });
        }
      }
      head.set('end', '1');
      nats.publish(to, '', { headers: head });
    } finally {
      more.unsubscribe();
    }

    function refilled(): Promise<boolean> {
      return new Promise((resolve) => {
        const timer = clock.timer(longestStall, () => resolve(false));
        wake = () => {
          timer.cancel();
          resolve(left > 0);
        };
      });
    }
  }
}

interface Asking {
  readonly nats: NatsConnection;
  readonly clock: Clock;
  /** The beginning of what this node listens to. */
  readonly inbox: string;
  /** For the head of the answer, in ms. */
  readonly patience: number;
}

/**
 * Asks, and resolves with the head of the answer; its body is read piece by piece. Rejects where nobody listens, and when
 * whoever was asked is `lost`. `over`: nothing more comes.
 */
export async function askForPieces(
  { nats, clock, inbox, patience }: Asking,
  subject: string,
  payload: string,
  lost: AbortSignal,
  over: () => void,
): Promise<FleetAnswer> {
  const answers = createInbox(inbox);
  const subscription = nats.subscribe(answers);
  const pieces = subscription[Symbol.asyncIterator]();
  const late = clock.timer(patience, () => subscription.unsubscribe());
  lost.addEventListener('abort', () => subscription.unsubscribe());
  nats.publish(subject, payload, { reply: answers });
  const first = await pieces.next();
  late.cancel();
  if (first.done) throw new Error(lost.aborted ? 'the connection to it was lost' : 'it does not answer');
  if (first.value.headers?.code === 503) {
    subscription.unsubscribe();
    throw new Error('it does not listen');
  }
  const status = Number(first.value.headers?.get('status') ?? 0);
  const type = first.value.headers?.get('type') ?? '';
  let next: Msg | null = first.value;
  let read = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = next ?? (await pieces.next()).value;
      next = null;
      if (!piece) {
        over();
        return controller.error(new Error('the connection to its node was lost'));
      }
      if (piece.data.length > 0) controller.enqueue(piece.data);
      read += 1;
      if (read % refill === 0 && piece.reply) nats.publish(piece.reply, String(refill));
      if (!piece.headers?.get('end')) {
        control = piece.reply ?? control;
        return;
      }
      controller.close();
      end();
    },
    cancel() {
      if (control) nats.publish(control, '0');
      end();
    },
  });
  let control = first.value.reply ?? '';
  return { status, type, body };

  function end(): void {
    subscription.unsubscribe();
    over();
  }
}
